//! Where the particles of a creature are, its surface, and its ellipsoids.

use glam::{Affine3A, Vec3};
use motes_core::{Pose, World};
use motes_geometry::{Blend, Mesh};
use motes_render::color;
use motes_scene::CreatureLook;

/// How much the colour of an ellipsoid differs from its neighbours'.
const VARIATION: f32 = 0.35;

/// Steps around an ellipsoid.
const SEGMENTS: u32 = 20;

/// The poses of a creature's particles; those that are gone stay where the nearest of the others would have them. Nothing if the creature
/// or all of its particles are gone.
pub(crate) fn poses(world: &World, look: &CreatureLook) -> Option<Vec<Pose>> {
    let state = world.creature(look.creature)?;
    let bind = &look.form.bind;
    if state.particles.len() != bind.len() {
        return None;
    }
    let found: Vec<Option<Pose>> = state.particles.iter().map(|particle| particle.pose).collect();
    let alive = || {
        found
            .iter()
            .enumerate()
            .filter_map(|(number, pose)| Some((number, (*pose)?)))
    };
    let place = |(number, pose): (usize, &Option<Pose>)| {
        if let Some(pose) = pose {
            return Some(*pose);
        }
        let gap = |other: usize| bind[number].position.distance_squared(bind[other].position);
        let (near, carrier) = alive().min_by(|a, b| gap(a.0).total_cmp(&gap(b.0)))?;
        let turn = carrier.rotation * bind[near].rotation.conjugate();
        Some(Pose {
            position: carrier.position + turn * (bind[number].position - bind[near].position),
            rotation: turn * bind[number].rotation,
        })
    };
    found.iter().enumerate().map(place).collect()
}

/// The vertices of a creature's mesh when its particles are at some poses, metres.
pub(crate) fn surface(look: &CreatureLook, poses: &[Pose]) -> Vec<Vec3> {
    let skin = &look.form.skin;
    let motions = skin.motions(&look.form.bind, poses);
    skin.deform(&motions, Blend::DualQuaternion).0
}

/// The mean speed of a creature's particles, m/s.
pub(crate) fn speed(world: &World, look: &CreatureLook) -> f32 {
    let Some(state) = world.creature(look.creature) else {
        return 0.0;
    };
    let sum: Vec3 = state.particles.iter().map(|particle| particle.velocity).sum();
    sum.length() / state.particles.len().max(1) as f32
}

/// Ellipsoids at poses as one mesh, each with a colour of its own near an sRGB colour.
pub(crate) fn ellipsoids(poses: &[Pose], radii: &[Vec3], plain: [u8; 3]) -> motes_render::Mesh {
    let ball = Mesh::ball(1.0, SEGMENTS);
    let mut all = Mesh::default();
    let mut colors = Vec::new();
    for (index, (pose, radii)) in (0..).zip(poses.iter().zip(radii)) {
        let shape = Affine3A::from_scale_rotation_translation(*radii, pose.rotation, pose.position);
        all.append(&ball.clone().transformed(&shape));
        colors.resize(all.triangles.len(), color::jitter(plain, index, VARIATION));
    }
    motes_render::Mesh::new(all.positions, all.triangles, true).with_colors(colors)
}
