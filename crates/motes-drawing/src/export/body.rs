//! The particles of a mesh as Stanford PLY, binary little endian.

use std::io::{self, Write};

use motes_geometry::Body;

use super::write_floats;

/// Writes rest position, mass, signed distance, gradient and whether each particle is of the boundary.
pub fn write_body_ply(mut out: impl Write, body: &Body) -> io::Result<()> {
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\ncomment motes, metres and kilograms, particles of radius {}\n\
         element vertex {}\nproperty float x\nproperty float y\nproperty float z\nproperty float mass\n\
         property float distance\nproperty float nx\nproperty float ny\nproperty float nz\n\
         property uchar boundary\nend_header\n",
        body.radius,
        body.len()
    )?;
    for index in 0..body.len() {
        write_floats(&mut out, &body.positions[index].to_array())?;
        write_floats(&mut out, &[body.masses[index], body.distances[index]])?;
        write_floats(&mut out, &body.gradients[index].to_array())?;
        out.write_all(&[u8::from(body.is_boundary[index])])?;
    }
    Ok(())
}
