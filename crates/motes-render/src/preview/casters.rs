//! What casts shadows, and which of it stays where it is, so that it need not be drawn into the shadow maps again.

use super::content;
use crate::{Drawing, MeshInstance, Spheres};
use glam::{Vec3, Vec4};
use std::collections::HashSet;

/// Something that casts shadows.
#[derive(Clone, Debug)]
pub(crate) enum Caster<'a> {
    Spheres(SphereCasters),
    Mesh(&'a MeshInstance<'a>),
}

/// Spheres that cast shadows.
#[derive(Clone, Debug)]
pub(crate) struct SphereCasters {
    pub(crate) radius: f32,
    /// Those nearer to the key light come first, as they hide the others.
    pub(crate) centers: Vec<Vec3>,
}

impl SphereCasters {
    /// Layers that spheres are sorted into.
    const LAYERS: usize = 256;

    /// None if they make no sense.
    fn new(group: &Spheres, to_key: Vec3) -> Self {
        let (is_drawn, radius) = (group.radius > 0.0 && group.radius.is_finite(), group.radius);
        let positions = if is_drawn { group.positions } else { &[] };
        let finite = || {
            positions
                .iter()
                .map(|position| position.truncate())
                .filter(|p| p.is_finite())
        };
        let (least, most) = finite().fold((f32::INFINITY, f32::NEG_INFINITY), |(least, most), center| {
            let height = center.dot(to_key);
            (least.min(height), most.max(height))
        });
        let scale = Self::LAYERS as f32 / (most - least).max(f32::MIN_POSITIVE);
        let layer = |center: Vec3| (((most - center.dot(to_key)) * scale) as usize).min(Self::LAYERS - 1);
        let mut starts = [0; Self::LAYERS + 1];
        for center in finite() {
            starts[layer(center) + 1] += 1;
        }
        for number in 1..starts.len() {
            starts[number] += starts[number - 1];
        }
        let mut centers = vec![Vec3::ZERO; starts[Self::LAYERS]];
        for center in finite() {
            let place = &mut starts[layer(center)];
            centers[*place] = center;
            *place += 1;
        }
        Self { radius, centers }
    }
}

/// What is to be drawn for one picture.
#[derive(Debug, Default)]
pub(crate) struct Plan<'a> {
    /// Whether what is in the still layers is to be forgotten first.
    pub(crate) restarts: bool,
    /// Comes into the still layers.
    pub(crate) settled: Vec<Caster<'a>>,
    /// Is drawn over them.
    pub(crate) moving: Vec<Caster<'a>>,
}

/// A mesh that casts shadows, at its place: equal ones cast the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct MeshKey {
    mesh: u64,
    /// Bits of the pose and the opacity.
    bits: [u32; 13],
}

impl MeshKey {
    /// Nothing for a mesh that casts no shadow.
    fn of(instance: &MeshInstance) -> Option<Self> {
        let mut bits = [instance.opacity.to_bits(); 13];
        for (bits, value) in bits.iter_mut().zip(instance.pose.to_cols_array()) {
            *bits = value.to_bits();
        }
        (instance.casts_shadow && content::is_drawn(instance)).then(|| Self {
            mesh: instance.mesh.id(),
            bits,
        })
    }
}

/// What cast shadows in the picture before, and what of it is in the still layers of the shadow maps.
#[derive(Debug, Default)]
pub(crate) struct Casters {
    spheres: Vec<(f32, Vec<Vec4>)>,
    meshes: HashSet<MeshKey>,
    /// By number of the group.
    still_spheres: Vec<bool>,
    still_meshes: HashSet<MeshKey>,
}

impl Casters {
    /// Whatever is as it was in the picture before goes to the still layers, and stays there until one of them moves.
    /// If not `keeps`, the layers are begun anew in any case.
    pub(crate) fn plan<'a>(&mut self, drawing: &'a Drawing, keeps: bool) -> Plan<'a> {
        let to_key = drawing.lighting.key_direction.normalize_or_zero();
        let keys: Vec<Option<MeshKey>> = drawing.meshes.iter().map(MeshKey::of).collect();
        let meshes: HashSet<MeshKey> = keys.iter().flatten().cloned().collect();
        let rests = |(number, group): (usize, &Spheres)| {
            let before = self.spheres.get(number);
            before.is_some_and(|(radius, positions)| *radius == group.radius && positions == group.positions)
        };
        let rests: Vec<bool> = drawing.spheres.iter().enumerate().map(rests).collect();
        let mut still = self.still_spheres.iter().enumerate().filter(|(_, is_still)| **is_still);
        let keeps =
            keeps && still.all(|(number, _)| rests.get(number) == Some(&true)) && self.still_meshes.is_subset(&meshes);
        if !keeps {
            self.still_spheres.clear();
            self.still_meshes.clear();
        }
        let mut plan = Plan {
            restarts: !keeps,
            ..Plan::default()
        };
        self.still_spheres.resize(drawing.spheres.len(), false);
        for ((group, rests), is_still) in drawing.spheres.iter().zip(&rests).zip(&mut self.still_spheres) {
            if !*is_still && !group.scatters {
                let list = if *rests { &mut plan.settled } else { &mut plan.moving };
                list.push(Caster::Spheres(SphereCasters::new(group, to_key)));
            }
            *is_still = *rests;
        }
        for (instance, key) in drawing.meshes.iter().zip(keys) {
            let Some(key) = key.filter(|key| !self.still_meshes.contains(key)) else {
                continue;
            };
            if self.meshes.contains(&key) {
                plan.settled.push(Caster::Mesh(instance));
                self.still_meshes.insert(key);
            } else {
                plan.moving.push(Caster::Mesh(instance));
            }
        }
        self.remember(drawing, meshes);
        plan
    }

    /// Draws everything and remembers nothing.
    pub(crate) fn all<'a>(&mut self, drawing: &'a Drawing) -> Plan<'a> {
        *self = Self::default();
        let meshes = drawing.meshes.iter().filter(|instance| MeshKey::of(instance).is_some());
        let to_key = drawing.lighting.key_direction.normalize_or_zero();
        let spheres = drawing.spheres.iter().filter(|group| !group.scatters);
        let spheres = spheres.map(|group| Caster::Spheres(SphereCasters::new(group, to_key)));
        Plan {
            restarts: true,
            settled: Vec::new(),
            moving: spheres.chain(meshes.map(Caster::Mesh)).collect(),
        }
    }

    fn remember(&mut self, drawing: &Drawing, meshes: HashSet<MeshKey>) {
        self.meshes = meshes;
        self.spheres.resize_with(drawing.spheres.len(), Default::default);
        for ((radius, positions), group) in self.spheres.iter_mut().zip(&drawing.spheres) {
            *radius = group.radius;
            positions.clear();
            positions.extend_from_slice(group.positions);
        }
    }
}
