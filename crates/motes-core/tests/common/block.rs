//! The block of particles that tests of bodies are made with, on either engine.

use motes_core::glam::{Vec3, Vec4};
use motes_core::{Material, NewBody, Pose, World};

/// Of the particles in the tests of bodies, metres.
pub(crate) const RADIUS: f32 = 0.05;

/// A block of particles one diameter apart, with the surface half a particle outside the outermost.
pub(crate) fn block(world: &mut World, counts: [usize; 3], pose: Pose) -> NewBody {
    let stone = world.add_material(Material::default()).expect("material");
    let half = Vec3::from_array(counts.map(|count| count as f32)) * RADIUS;
    let mut positions = Vec::new();
    for x in 0..counts[0] {
        for y in 0..counts[1] {
            for z in 0..counts[2] {
                let place = Vec3::new(x as f32, y as f32, z as f32);
                positions.push((2.0 * place + Vec3::ONE) * RADIUS - half);
            }
        }
    }
    let (fields, faces) = positions.iter().map(|&place| surface(place, half)).unzip();
    let masses = vec![1.0; positions.len()];
    NewBody {
        fields,
        faces,
        pose,
        ..NewBody::new("block", stone, positions, masses)
    }
}

/// Normal of the nearest face of the block and the signed distance to it; normals of the other faces that are as near.
fn surface(place: Vec3, half: Vec3) -> (Vec4, [Vec3; 2]) {
    let depths = half - place.abs();
    let depth = depths.min_element();
    let normals = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| axis * place.signum());
    let nearest = depths.min_position();
    let mut others = (0..3)
        .filter(|&axis| axis != nearest && depths[axis] < 1.2 * RADIUS)
        .map(|axis| normals[axis]);
    (
        normals[nearest].extend(if depth < 1.5 * RADIUS { -depth } else { depth }),
        [(); 2].map(|()| others.next().unwrap_or_default()),
    )
}
