//! Surfaces of liquids as one mesh, Stanford PLY, binary little endian.

use std::io::{self, Write};

use glam::Vec3;

use super::write_floats;
use crate::liquid::LiquidMesh;

/// Writes the liquids of a frame with normals, velocities, colours and the number of the liquid at every vertex.
pub fn write_surface_ply(mut out: impl Write, liquids: &[LiquidMesh]) -> io::Result<()> {
    let vertices: usize = liquids.iter().map(|liquid| liquid.surface.positions.len()).sum();
    let triangles: usize = liquids.iter().map(|liquid| liquid.surface.triangles.len()).sum();
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\ncomment motes, metres and seconds\nelement vertex {vertices}\n\
         property float x\nproperty float y\nproperty float z\n\
         property float nx\nproperty float ny\nproperty float nz\n\
         property float vx\nproperty float vy\nproperty float vz\n\
         property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uint object\n\
         element face {triangles}\nproperty list uchar uint vertex_indices\nend_header\n",
    )?;
    for (number, liquid) in (0_u32..).zip(liquids) {
        for (vertex, place) in liquid.surface.positions.iter().enumerate() {
            let velocity = liquid.velocities.get(vertex).copied().unwrap_or(Vec3::ZERO);
            write_floats(&mut out, &place.to_array())?;
            write_floats(&mut out, &liquid.surface.normals[vertex].to_array())?;
            write_floats(&mut out, &velocity.to_array())?;
            out.write_all(&liquid.look.color)?;
            out.write_all(&number.to_le_bytes())?;
        }
    }
    let mut first = 0;
    for liquid in liquids {
        for corners in &liquid.surface.triangles {
            out.write_all(&[3])?;
            for corner in corners {
                out.write_all(&(first + corner).to_le_bytes())?;
            }
        }
        first += liquid.surface.positions.len() as u32;
    }
    Ok(())
}
