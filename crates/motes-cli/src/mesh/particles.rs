//! The particles of a body as Stanford PLY, binary little endian.

use motes_geometry::Body;

/// Rest position, mass, signed distance, gradient and whether each particle is of the boundary.
pub(super) fn ply(body: &Body) -> Vec<u8> {
    let mut bytes = format!(
        "ply\nformat binary_little_endian 1.0\ncomment motes, metres and kilograms, particles of radius {}\n\
         element vertex {}\nproperty float x\nproperty float y\nproperty float z\nproperty float mass\n\
         property float distance\nproperty float nx\nproperty float ny\nproperty float nz\n\
         property uchar boundary\nend_header\n",
        body.radius,
        body.len()
    )
    .into_bytes();
    for index in 0..body.len() {
        let (place, gradient) = (body.positions[index], body.gradients[index]);
        let [x, y, z] = place.to_array();
        let [nx, ny, nz] = gradient.to_array();
        for value in [x, y, z, body.masses[index], body.distances[index], nx, ny, nz] {
            bytes.extend(value.to_le_bytes());
        }
        bytes.push(u8::from(body.is_boundary[index]));
    }
    bytes
}
