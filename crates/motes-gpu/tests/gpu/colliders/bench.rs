//! Particles on their way, and the contacts that either side finds for them.

use motes_core::colliders::Sweep;
use motes_core::engine::Frame;
use motes_core::glam::{Vec3, Vec4, Vec4Swizzles};
use motes_core::material::MaterialTable;
use motes_core::random::Random;
use motes_core::{
    Air, Collider, Material, MaterialId, Phase, Pose, Settings, Shape, World, colliders::collider::ColliderFrame,
};
use motes_gpu::colliders::{ColliderContact, Colliders, ParticleBuffers};
use motes_gpu::{Buffer, Gpu};

use crate::run;

pub(super) const RADIUS: f32 = 0.05;

/// Particles that move from one place to another in a sub-step.
#[derive(Default)]
pub(super) struct Particles {
    pub(super) starts: Vec<Vec4>,
    pub(super) ends: Vec<Vec4>,
    pub(super) kinds: Vec<[u32; 4]>,
}

impl Particles {
    pub(super) fn push(&mut self, start: Vec3, end: Vec3) {
        self.starts.push(start.extend(1.0));
        self.ends.push(end.extend(1.0));
        self.kinds.push([Phase::grains(0).0, 0, 0, 0]);
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.starts.append(&mut other.starts);
        self.ends.append(&mut other.ends);
        self.kinds.append(&mut other.kinds);
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }
}

/// A frame of one substance with these colliders, each with its poses at the start and at the end.
pub(super) fn frame(colliders: impl IntoIterator<Item = (Collider, Pose, Pose)>) -> Frame {
    let mut world = World::new(Settings::default()).expect("a world");
    let material = world.add_material(Material::SAND).expect("a material");
    assert_eq!(material, MaterialId(0));
    let mut materials = MaterialTable::default();
    materials.add(Material {
        adhesion: 300.0,
        ..Material::SAND
    });
    materials.add(Material::STEEL);
    Frame {
        air: Air::default(),
        settings: Settings {
            particle_radius: RADIUS,
            ..Settings::default()
        },
        sizes: None,
        pulls: Vec::new(),
        fluids: false,
        solids: true,
        gas: false,
        smoke: None,
        heat: Vec::new(),
        materials,
        colliders: colliders
            .into_iter()
            .map(|(collider, from, to)| {
                let known = Collider {
                    material,
                    ..collider.clone()
                };
                ColliderFrame {
                    id: world.add_collider(known).expect("a collider"),
                    collider,
                    from,
                    to,
                }
            })
            .collect(),
        fields: Vec::new(),
        pushes: Vec::new(),
        foam: None,
        number: 0,
        dt: 1.0 / 60.0,
    }
}

pub(super) fn collider(shape: &Shape) -> Collider {
    Collider::new("shape", shape.clone(), MaterialId(1), Pose::IDENTITY)
}

/// Particles on the device and their contacts there.
pub(super) struct Device {
    pub(super) colliders: Colliders,
    positions: Buffer<Vec4>,
    predicted: Buffer<Vec4>,
    kinds: Buffer<[u32; 4]>,
    count: u32,
}

impl Device {
    pub(super) fn new(gpu: &Gpu, particles: &Particles) -> Self {
        Self {
            colliders: Colliders::new(gpu).expect("colliders"),
            positions: Buffer::from_slice(gpu, "positions", &particles.starts).expect("a buffer"),
            predicted: Buffer::from_slice(gpu, "predicted", &particles.ends).expect("a buffer"),
            kinds: Buffer::from_slice(gpu, "kinds", &particles.kinds).expect("a buffer"),
            count: particles.len() as u32,
        }
    }

    pub(super) fn find_overlaps(&mut self, gpu: &Gpu) {
        run(gpu, |pass| {
            self.colliders
                .find_overlaps(pass, self.count, &self.positions, &self.kinds);
        });
    }

    /// Contacts of each particle in a sub-step.
    pub(super) fn find(&mut self, gpu: &Gpu, substep: u32) -> Vec<Vec<ColliderContact>> {
        let particles = ParticleBuffers {
            count: self.count,
            positions: (&self.positions).into(),
            predicted: (&self.predicted).into(),
            kinds: (&self.kinds).into(),
        };
        run(gpu, |pass| self.colliders.find(pass, substep, &particles));
        let ranges = read(self.colliders.ranges());
        let contacts = read(self.colliders.contacts());
        ranges[..self.count as usize]
            .iter()
            .map(|&[first, count]| contacts[first as usize..(first + count) as usize].to_vec())
            .collect()
    }
}

pub(super) fn read<T: bytemuck::Pod>(buffer: &Buffer<T>) -> Vec<T> {
    buffer.read(0..buffer.capacity()).expect("a read").wait().expect("data")
}

/// What the CPU finds: the same as its engine, for every particle by itself.
pub(super) fn expected(
    frame: &Frame,
    particles: &Particles,
    substep: u32,
    substeps: u32,
) -> Vec<Vec<(usize, Vec3, Vec3, Vec3)>> {
    let (begin, end) = (substep as f32 / substeps as f32, (substep + 1) as f32 / substeps as f32);
    let (radius, h) = (frame.settings.particle_radius, frame.dt / substeps as f32);
    let find = |i: usize| {
        let (start, end_point) = (particles.starts[i].xyz(), particles.ends[i].xyz());
        let channels = Phase(particles.kinds[i][0]).channels();
        let mut contacts = Vec::new();
        for (place, frame) in frame.colliders.iter().enumerate() {
            if frame.collider.trigger || frame.collider.channels & channels == 0 || particles.ends[i].w == 0.0 {
                continue;
            }
            let (from, to) = (frame.from.lerp(&frame.to, begin), frame.from.lerp(&frame.to, end));
            let surface = frame.collider.surface.during(h);
            let local = frame.collider.shape.bounds();
            let bounds = local.transformed(&from).union(local.transformed(&to));
            let path = motes_core::Bounds::of([start, end_point]).expanded(2.0 * radius);
            if !bounds.overlaps(&path) {
                continue;
            }
            let sweep = Sweep {
                start: from.local_point(start),
                end: to.local_point(end_point),
                radius,
                margin: radius,
            };
            let mut planes = Vec::new();
            frame.collider.shape.contacts(&sweep, &mut planes);
            contacts.extend(planes.iter().map(|plane| {
                let point = to.point(plane.point);
                let runs = to.direction(surface.along(plane.point, plane.normal));
                let travel = point - from.point(to.local_point(point)) + runs;
                (place, point, to.direction(plane.normal), travel)
            }));
        }
        contacts
    };
    (0..particles.len()).map(find).collect()
}

pub(super) fn vector(random: &mut Random) -> Vec3 {
    Vec3::new(random.signed(), random.signed(), random.signed())
}
