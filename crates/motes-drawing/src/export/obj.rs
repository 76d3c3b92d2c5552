//! Meshes of a frame as Wavefront OBJ, and the colours of a run as MTL.

use std::io::{self, Write};

use super::snapshot::{Paint, Snapshot};

/// Writes all objects of a frame with normals and, where they have them, texture coordinates, in the world's coordinates.
/// `materials` is the name of the file of [`write_mtl`].
pub fn write_obj(mut out: impl Write, snapshot: &Snapshot, materials: &str) -> io::Result<()> {
    writeln!(out, "# motes, metres, frame {}\nmtllib {materials}", snapshot.frame)?;
    // Numbers count from 1 and go on from object to object.
    let (mut first, mut first_uv) = (1_u64, 1_u64);
    for object in snapshot.objects.iter().filter(|object| object.geometry.is_sound()) {
        let mesh = object.geometry.placed();
        writeln!(out, "o {}\nusemtl {}", word(&object.name), object.paint.name())?;
        for place in &mesh.positions {
            writeln!(out, "v {} {} {}", place.x, place.y, place.z)?;
        }
        for uv in &mesh.uvs {
            writeln!(out, "vt {} {}", uv.x, uv.y)?;
        }
        for normal in &mesh.normals {
            writeln!(out, "vn {} {} {}", normal.x, normal.y, normal.z)?;
        }
        let has_uvs = !mesh.uvs.is_empty();
        for corners in &mesh.triangles {
            write!(out, "f")?;
            for corner in corners.map(u64::from) {
                let vertex = first + corner;
                match has_uvs {
                    true => write!(out, " {vertex}/{}/{vertex}", first_uv + corner)?,
                    false => write!(out, " {vertex}//{vertex}")?,
                }
            }
            writeln!(out)?;
        }
        first += mesh.positions.len() as u64;
        first_uv += mesh.uvs.len() as u64;
    }
    Ok(())
}

/// Writes the colours of objects for [`write_obj`].
pub fn write_mtl(mut out: impl Write, paints: &[Paint]) -> io::Result<()> {
    writeln!(out, "# motes")?;
    for paint in paints {
        // Programs that read these files take the numbers for sRGB or for linear light; most of them for the former.
        let [red, green, blue] = paint.color.map(|part| f32::from(part) / 255.0);
        writeln!(
            out,
            "\nnewmtl {}\nKd {red:.4} {green:.4} {blue:.4}\nKs 0.05 0.05 0.05\nNs 20\nd {}\nillum 2",
            paint.name(),
            paint.opacity.clamp(0.0, 1.0)
        )?;
    }
    Ok(())
}

/// A name without white space.
fn word(name: &str) -> String {
    let of = |c: char| if c.is_whitespace() || c.is_control() { '_' } else { c };
    name.chars().map(of).collect()
}
