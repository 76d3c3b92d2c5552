//! The surface of a body where its particles are.

use glam::{Quat, Vec3, Vec4};
use motes_core::body::bodies::{Bodies, Body};
use motes_core::{Pose, World};
use motes_geometry::Skin;
use motes_scene::BodyLook;

/// Where the surface of a body is, for drawings and exports.
#[derive(Clone, Debug, PartialEq)]
pub enum Surface {
    /// The mesh of its form, at a pose.
    Rigid(Pose),
    /// The vertices of that mesh, metres.
    Bent(Vec<Vec3>),
}

impl Surface {
    /// The surface of a body; nothing if the body or all of its particles are gone.
    pub fn of(world: &mut World, look: &BodyLook) -> Option<Self> {
        let pose = world.body_motion(look.body)?.pose;
        match &look.form.skin {
            None => Some(Self::Rigid(pose)),
            Some(skin) => bent(world, look, skin, &pose).map(Self::Bent),
        }
    }

    /// Its vertices, metres.
    pub fn vertices(self, look: &BodyLook) -> Vec<Vec3> {
        match self {
            Self::Bent(vertices) => vertices,
            Self::Rigid(pose) => look
                .form
                .mesh
                .positions
                .iter()
                .map(|vertex| pose.point(*vertex))
                .collect(),
        }
    }
}

/// The vertices of a skin; particles that are gone stay where the rest of the body would have them.
fn bent(world: &mut World, look: &BodyLook, skin: &Skin, pose: &Pose) -> Option<Vec<Vec3>> {
    let found = world.body_positions(look.body)?;
    let rests = skin.particles();
    if found.len() != rests.len() {
        return None;
    }
    let places = found.iter().zip(rests);
    let positions: Vec<Vec3> = places
        .map(|(place, rest)| place.unwrap_or_else(|| pose.point(*rest)))
        .collect();
    let bodies = world.bodies();
    let body = &bodies.list[bodies.place(look.body)?];
    let rotations = rotations(bodies, body);
    let smooth = body.plasticity.map(|_| skin.smooth(&positions, &rotations));
    Some(skin.deform(smooth.as_deref().unwrap_or(&positions), &rotations))
}

/// How far each particle of a body has turned: as the body, or on average as the clusters that it belongs to.
fn rotations(bodies: &Bodies, body: &Body) -> Vec<Quat> {
    let mut sums = vec![Vec4::ZERO; body.count as usize];
    let whole = Vec4::from(body.rotation);
    for cluster in &bodies.clusters[body.clusters()] {
        let turn = Vec4::from(cluster.rotation);
        let first = cluster.first as usize;
        for &member in &bodies.cluster_members[first..first + cluster.count as usize] {
            let sum = &mut sums[(member - body.first) as usize];
            // Both signs are the same rotation.
            let side = if *sum == Vec4::ZERO { whole } else { *sum };
            *sum += if turn.dot(side) < 0.0 { -turn } else { turn };
        }
    }
    let turned = |sum: Vec4| sum.try_normalize().map_or(body.rotation, Quat::from_vec4);
    sums.into_iter().map(turned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use motes_core::CpuEngine;
    use motes_scene::Scene;

    const SCENE: &str = "gravity = 0\nparticle_radius = 0.1\n[[soft]]\nshape = { box = { size = [2, 0.6, 0.6] } }\n\
        position = [1, 2, 3]\nrotation = [0, 0, 40]\nangular_velocity = [0, 90, 0]\n[[rigid]]\nmodel = \"torus\"\nposition = [9, 0, 0]\n";

    #[test]
    fn surfaces_turn_with_their_bodies() {
        let scene = Scene::from_toml(SCENE, "test.toml").expect("a scene");
        let mut built = scene.build(Box::new(CpuEngine::new())).expect("a world");
        for _ in 0..30 {
            built.world.step(scene.dt());
        }
        for look in &built.looks.bodies.clone() {
            let pose = built.world.body_motion(look.body).expect("a body").pose;
            let surface = Surface::of(&mut built.world, look).expect("a surface");
            let expected = look.form.mesh.positions.iter().map(|vertex| pose.point(*vertex));
            let apart = surface.vertices(look).into_iter().zip(expected);
            let apart = apart
                .map(|(found, expected)| found.distance(expected))
                .fold(0.0, f32::max);
            assert!(apart < 0.03, "{apart}");
        }
    }
}
