//! One buffer of words with everything about colliders: records for each sub-step, coefficients, shapes.
//!
//! Records and coefficients are written anew in each frame; the data of a large shape stays where it is.

use motes_core::Shape;
use motes_core::colliders::collider::ColliderFrame;
use motes_core::engine::Frame;
use motes_core::glam::Vec3;
use motes_core::material::MaterialId;
use motes_core::particles::sizes::Sizes;
use motes_core::space::pose::Pose;

use super::shapes::{self, Large, Place};
use crate::buffers::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;

/// Words of a record.
pub(crate) const RECORD: usize = 38;

/// Bounds are this much wider, in radii, so that rounding leaves no contact out.
const ROUNDING: f32 = 0.01;

/// Words of the coefficients of a pair of materials.
pub(crate) const SURFACE: usize = 5;

/// Where things lie in the pool, words.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layout {
    /// Colliders that are no triggers, each with a record per sub-step.
    pub(super) solids: u32,
    pub(super) triggers: u32,
    pub(super) surfaces: u32,
    pub(super) origins: u32,
    /// Radius of each group, where particles have several.
    pub(super) radii: u32,
    pub(super) groups: u32,
}

impl Layout {
    /// First record of a sub-step; that of the triggers follows the last sub-step's.
    pub(super) fn records(&self, substep: u32) -> u32 {
        substep * self.solids * RECORD as u32
    }
}

/// A large shape and where its data is.
#[derive(Debug)]
struct Stored {
    shape: Large,
    place: u32,
}

/// The words on the device and what is known of them here.
#[derive(Debug)]
pub(super) struct Pool {
    words: Buffer<u32>,
    /// Made anew in each frame; the one before, and of which buffer it is the head.
    head: Vec<u32>,
    head_before: Vec<u32>,
    written: Option<u64>,
    /// Room for the head.
    reserved: usize,
    layout: Layout,
    shapes: Vec<Stored>,
    /// First word behind the shapes.
    end: usize,
    solid_kinds: u32,
    trigger_kinds: u32,
}

impl Pool {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            words: Buffer::new(gpu, "collider pool", 1024)?,
            head: Vec::new(),
            head_before: Vec::new(),
            written: None,
            reserved: 0,
            layout: Layout::default(),
            shapes: Vec::new(),
            end: 0,
            solid_kinds: shapes::kinds([].iter()),
            trigger_kinds: shapes::kinds([].iter()),
        })
    }

    pub(super) fn words(&self) -> &Buffer<u32> {
        &self.words
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// A bit for every kind of shape that particles may collide with.
    pub(super) fn solid_kinds(&self) -> u32 {
        self.solid_kinds
    }

    /// The same for triggers.
    pub(super) fn trigger_kinds(&self) -> u32 {
        self.trigger_kinds
    }

    /// Takes over the colliders and materials of a frame; says whether the buffer was replaced.
    pub(super) fn fill(&mut self, frame: &Frame, substeps: u32) -> Result<bool, GpuError> {
        let kinds = |triggers| {
            let colliders = frame.colliders.iter().map(|frame| &frame.collider);
            let chosen = colliders.filter(|collider| collider.trigger == triggers);
            shapes::kinds(chosen.map(|collider| &collider.shape))
        };
        (self.solid_kinds, self.trigger_kinds) = (kinds(false), kinds(true));
        let triggers = frame.colliders.iter().filter(|frame| frame.collider.trigger).count();
        let solids = frame.colliders.len() - triggers;
        let records = RECORD * (solids * substeps as usize + triggers);
        let materials = frame.materials.as_slice().len();
        self.layout = Layout {
            solids: solids as u32,
            triggers: triggers as u32,
            surfaces: records as u32,
            origins: (records + SURFACE * materials * materials) as u32,
            radii: (records + SURFACE * materials * materials + 4 * frame.colliders.len()) as u32,
            groups: frame.sizes.as_ref().map_or(0, |sizes| sizes.of_group().len()) as u32,
        };
        let head = (self.layout.radii + self.layout.groups) as usize;
        let replaced = self.store_shapes(frame, head)?;
        self.write_head(frame, substeps);
        Ok(replaced)
    }

    /// Makes sure that every large shape of the frame is in the pool, behind a head of `head` words.
    fn store_shapes(&mut self, frame: &Frame, head: usize) -> Result<bool, GpuError> {
        let mut wanted: Vec<Large> = Vec::new();
        for shape in frame
            .colliders
            .iter()
            .filter_map(|frame| Large::of(&frame.collider.shape))
        {
            if !wanted.contains(&shape) {
                wanted.push(shape);
            }
        }
        self.shapes.retain(|stored| wanted.contains(&stored.shape));
        wanted.retain(|shape| !self.shapes.iter().any(|stored| stored.shape == *shape));
        let radius = largest_radius(frame);
        let wanted: Vec<Large> = wanted.into_iter().map(|shape| shape.with_cells(radius)).collect();
        let added: usize = wanted.iter().map(Large::words).sum();
        if head <= self.reserved && self.end + added <= self.words.capacity() {
            for shape in wanted {
                self.store(shape);
            }
            return Ok(false);
        }
        let kept: Vec<Large> = self.shapes.drain(..).map(|stored| stored.shape).collect();
        let all = kept.into_iter().chain(wanted);
        let total = head.next_power_of_two() + all.clone().map(|shape| shape.words()).sum::<usize>();
        let replaced = self.words.ensure(total)?;
        self.reserved = head.next_power_of_two();
        self.end = self.reserved;
        for shape in all {
            self.store(shape);
        }
        Ok(replaced)
    }

    fn store(&mut self, shape: Large) {
        let data = shape.pack(self.end as u32);
        self.words.write(self.end, &data);
        self.shapes.push(Stored {
            shape,
            place: self.end as u32,
        });
        self.end += data.len();
    }

    fn write_head(&mut self, frame: &Frame, substeps: u32) {
        let sizes = frame.sizes.as_ref();
        let radius = largest_radius(frame);
        let mut head = std::mem::take(&mut self.head);
        head.clear();
        let h = frame.dt / substeps as f32;
        for substep in 0..substeps {
            let begin = substep as f32 / substeps as f32;
            let end = (substep + 1) as f32 / substeps as f32;
            for (place, frame) in frame.colliders.iter().enumerate() {
                if frame.collider.trigger {
                    continue;
                }
                let (from, to) = (frame.from.lerp(&frame.to, begin), frame.from.lerp(&frame.to, end));
                self.push_record(place, frame, [from, to], ROUNDING * radius, &mut head);
                let surface = frame.collider.surface.during(h);
                push_point(surface.offset, &mut head);
                push_point(surface.turn, &mut head);
                head.extend(surface.back.to_array().map(f32::to_bits));
            }
        }
        for (place, collider) in frame.colliders.iter().enumerate() {
            if collider.collider.trigger {
                let margin = (1.0 + ROUNDING) * radius;
                self.push_record(place, collider, [collider.to; 2], margin, &mut head);
                head.extend([0; 10]);
            }
        }
        let materials = frame.materials.as_slice().len() as u32;
        for a in 0..materials {
            for b in 0..materials {
                let surface = frame.materials.surface(MaterialId(a), MaterialId(b));
                head.extend(
                    [
                        surface.static_friction,
                        surface.kinetic_friction,
                        surface.restitution,
                        surface.cohesion,
                        frame.materials.rolling(MaterialId(a), MaterialId(b))[1],
                    ]
                    .map(f32::to_bits),
                );
            }
        }
        for frame in &frame.colliders {
            push_point(frame.to.position, &mut head);
            head.push(frame.collider.material.0);
        }
        head.extend(
            sizes
                .map_or([].as_slice(), Sizes::of_group)
                .iter()
                .map(|radius| radius.to_bits()),
        );
        let same = self.written == Some(self.words.generation()) && self.head_before == head;
        if !same {
            self.words.write(0, &head);
        }
        self.written = Some(self.words.generation());
        self.head = std::mem::replace(&mut self.head_before, head);
    }

    /// All of a record but how far its surface runs.
    fn push_record(&self, place: usize, frame: &ColliderFrame, poses: [Pose; 2], margin: f32, head: &mut Vec<u32>) {
        let collider = &frame.collider;
        let (data, size) = match shapes::place(&collider.shape) {
            Place::Here(size) => (0, size),
            Place::InPool(shape) => {
                let stored = self.shapes.iter().find(|stored| stored.shape == shape);
                (stored.map_or(0, |stored| stored.place), [0.0; 4])
            }
        };
        head.extend([
            shapes::kind(&collider.shape),
            u32::from(collider.channels),
            place as u32,
            data,
        ]);
        head.extend(size.map(f32::to_bits));
        for pose in poses {
            push_point(pose.position, head);
            head.extend(pose.rotation.to_array().map(f32::to_bits));
        }
        push_bounds(&collider.shape, poses, margin, head);
    }
}

/// Of all particles, metres.
fn largest_radius(frame: &Frame) -> f32 {
    let sizes = frame.sizes.as_ref();
    sizes.map_or(frame.settings.particle_radius, Sizes::largest)
}

/// The bounds of a shape on its way, or of a plane its world normal and offset at the end, with a margin.
fn push_bounds(shape: &Shape, [from, to]: [Pose; 2], margin: f32, head: &mut Vec<u32>) {
    if let Shape::Plane(plane) = shape {
        let normal = to.rotation * plane.normal();
        let offset = plane.offset() + normal.dot(to.position) + margin;
        push_point(normal, head);
        push_point(Vec3::new(offset, 0.0, 0.0), head);
        return;
    }
    let local = shape.bounds();
    let bounds = local.transformed(&from).union(local.transformed(&to)).expanded(margin);
    // Kernels know no infinity.
    push_point(bounds.min.max(Vec3::MIN), head);
    push_point(bounds.max.min(Vec3::MAX), head);
}

pub(super) fn push_point(point: Vec3, words: &mut Vec<u32>) {
    words.extend(point.to_array().map(f32::to_bits));
}
