//! Writes meshes as OBJ, PLY and STL.

use std::fmt::Write;

use glam::Vec3;

use crate::mesh::Mesh;

/// Wavefront OBJ, metres, y up.
pub fn obj(mesh: &Mesh) -> Vec<u8> {
    let mut text = String::from("# motes, metres, y up\n");
    // Writing to a string cannot fail.
    for Vec3 { x, y, z } in &mesh.positions {
        let _ = writeln!(text, "v {x} {y} {z}");
    }
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|corner| u64::from(corner) + 1);
        let _ = writeln!(text, "f {a} {b} {c}");
    }
    text.into_bytes()
}

/// Stanford PLY, binary little endian, metres, y up.
pub fn ply(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = format!(
        "ply\nformat binary_little_endian 1.0\ncomment motes, metres, y up\nelement vertex {}\n\
         property float x\nproperty float y\nproperty float z\nelement face {}\n\
         property list uchar uint vertex_indices\nend_header\n",
        mesh.positions.len(),
        mesh.triangles.len()
    )
    .into_bytes();
    for position in &mesh.positions {
        position
            .to_array()
            .iter()
            .for_each(|value| bytes.extend(value.to_le_bytes()));
    }
    for triangle in &mesh.triangles {
        bytes.push(3);
        triangle.iter().for_each(|corner| bytes.extend(corner.to_le_bytes()));
    }
    bytes
}

/// Binary STL, metres, y up.
pub fn stl(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = b"motes, metres, y up".to_vec();
    bytes.resize(80, 0);
    bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
    for [a, b, c] in mesh.corners() {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for point in [normal, a, b, c] {
            point
                .to_array()
                .iter()
                .for_each(|value| bytes.extend(value.to_le_bytes()));
        }
        bytes.extend([0, 0]);
    }
    bytes
}
