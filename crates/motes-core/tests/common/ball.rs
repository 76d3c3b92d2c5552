//! A ball of triangles that are held together along their sides, as balloons are, on either engine.

use std::collections::HashMap;

use motes_core::glam::Vec3;
use motes_core::{
    ConstraintId, Filling, Group, Material, NewBalloon, NewDistance, NewFace, ParticleId, Softness, World,
};

/// Of the particles, metres.
pub(crate) const RADIUS: f32 = 0.02;
/// Mass of all the skin, kg.
pub(crate) const MASS: f32 = 0.5;

/// A ball in a world.
#[derive(Clone)]
pub(crate) struct Ball {
    pub(crate) ids: Vec<ParticleId>,
    pub(crate) faces: Vec<ConstraintId>,
    pub(crate) balloon: ConstraintId,
    /// As it was made, m³.
    pub(crate) volume: f32,
    /// Sum over its sides of their length squared, m².
    pub(crate) sides: f32,
}

/// Places and triangles of a ball around a point: an icosahedron, its triangles divided in four so often.
pub(crate) fn triangles(center: Vec3, radius: f32, times: u32) -> (Vec<Vec3>, Vec<[usize; 3]>) {
    let g = (1.0 + 5f32.sqrt()) / 2.0;
    let corners = [
        [-1.0, g, 0.0],
        [1.0, g, 0.0],
        [-1.0, -g, 0.0],
        [1.0, -g, 0.0],
        [0.0, -1.0, g],
        [0.0, 1.0, g],
        [0.0, -1.0, -g],
        [0.0, 1.0, -g],
        [g, 0.0, -1.0],
        [g, 0.0, 1.0],
        [-g, 0.0, -1.0],
        [-g, 0.0, 1.0],
    ];
    let mut places: Vec<Vec3> = corners
        .iter()
        .map(|&corner| Vec3::from_array(corner).normalize())
        .collect();
    let mut triangles: Vec<[usize; 3]> = vec![
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    for _ in 0..times {
        let mut halves = HashMap::new();
        let mut finer = Vec::new();
        for [a, b, c] in triangles {
            let mut half = |a: usize, b: usize| {
                *halves.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                    places.push((places[a] + places[b]).normalize());
                    places.len() - 1
                })
            };
            let [ab, bc, ca] = [half(a, b), half(b, c), half(c, a)];
            finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    (
        places.into_iter().map(|place| center + radius * place).collect(),
        triangles,
    )
}

/// A ball whose sides have a stiffness, N/m, and what makes a filling of its volume.
pub(crate) fn ball(
    world: &mut World,
    (center, radius, times): (Vec3, f32, u32),
    stiffness: f32,
    filling: impl Fn(f32) -> Filling,
) -> Ball {
    let rubber = world.add_material(Material::default()).expect("material");
    let group = Group::grains("ball", rubber).ignoring_rest_overlaps();
    let group = world.add_group(group).expect("group");
    let (places, triangles) = triangles(center, radius, times);
    let ids = world.add_particles(group, &places, Vec3::ZERO).expect("particles");
    let weight = ids.len() as f32 / MASS;
    let masses: Vec<_> = ids.iter().map(|&id| (id, weight)).collect();
    world.set_inverse_masses(&masses).expect("masses");
    let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let rows: Vec<NewDistance> = sides
        .filter(|[a, b]| a < b)
        .map(|ends| NewDistance {
            softness: Softness::Compliance(1.0 / stiffness),
            ..NewDistance::new(ends.map(|end| ids[end]), places[ends[0]].distance(places[ends[1]]))
        })
        .collect();
    world.add_distances(&rows).expect("rows");
    let faces: Vec<NewFace> = triangles
        .iter()
        .map(|corners| NewFace::new(corners.map(|corner| ids[corner])))
        .collect();
    let faces = world.add_faces(&faces).expect("faces");
    let parts = triangles.iter().map(|corners| {
        let [a, b, c] = corners.map(|corner| places[corner] - center);
        a.dot(b.cross(c)) / 6.0
    });
    let volume = parts.sum();
    let new = NewBalloon {
        faces: faces.clone(),
        filling: filling(volume),
    };
    let balloon = world.add_balloons(&[new]).expect("balloon")[0];
    Ball {
        ids,
        faces,
        balloon,
        volume,
        sides: rows.iter().map(|row| row.rest_length * row.rest_length).sum(),
    }
}

impl Ball {
    /// The pressure that keeps it blown up by a strain where each of its sides has a stiffness: `p dV = dU`.
    #[allow(dead_code)]
    pub(crate) fn pressure_at(&self, strain: f32, stiffness: f32) -> f32 {
        stiffness * self.sides * strain / (3.0 * self.volume * (1.0 + strain) * (1.0 + strain))
    }
}
