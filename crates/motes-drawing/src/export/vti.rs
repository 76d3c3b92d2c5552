//! Smoke on a grid as VTK ImageData (XML with arrays in base 64), for ParaView.

use std::io::{self, Write};

use super::grid::SmokeGrid;

/// Writes a grid with `density`, 1/m, `temperature`, °C, and `velocity`, m/s, at the middles of its voxels.
pub fn write_vti(mut out: impl Write, grid: &SmokeGrid) -> io::Result<()> {
    let origin = grid.first.as_dvec3() * f64::from(grid.voxel);
    // Without voxels the last number is before the first.
    let last = grid.size.as_ivec3() - 1;
    let extent = format!("0 {} 0 {} 0 {}", last.x, last.y, last.z);
    write!(
        out,
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
         <ImageData WholeExtent=\"{extent}\" Origin=\"{} {} {}\" Spacing=\"{voxel} {voxel} {voxel}\">\n\
         <Piece Extent=\"{extent}\">\n<PointData Scalars=\"density\" Vectors=\"velocity\">\n",
        origin.x,
        origin.y,
        origin.z,
        voxel = grid.voxel,
    )?;
    let velocities: Vec<f32> = grid.velocity.iter().flat_map(|velocity| velocity.to_array()).collect();
    for (name, components, values) in [
        ("density", 1, &grid.density),
        ("temperature", 1, &grid.temperature),
        ("velocity", 3, &velocities),
    ] {
        writeln!(
            out,
            "<DataArray type=\"Float32\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"binary\">"
        )?;
        let length = 4 * values.len() as u64;
        let bytes = length.to_le_bytes().into_iter();
        write_base64(
            &mut out,
            bytes.chain(values.iter().flat_map(|value| value.to_le_bytes())),
        )?;
        out.write_all(b"\n</DataArray>\n")?;
    }
    out.write_all(b"</PointData>\n</Piece>\n</ImageData>\n</VTKFile>\n")
}

/// Writes bytes as text, three as four digits (RFC 4648).
fn write_base64(out: &mut impl Write, mut bytes: impl Iterator<Item = u8>) -> io::Result<()> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    while let Some(first) = bytes.next() {
        let (second, third) = (bytes.next(), bytes.next());
        let word = u32::from(first) << 16 | u32::from(second.unwrap_or(0)) << 8 | u32::from(third.unwrap_or(0));
        let digit = |place: u32| DIGITS[(word >> (18 - 6 * place) & 63) as usize];
        let last = [second.map_or(b'=', |_| digit(2)), third.map_or(b'=', |_| digit(3))];
        out.write_all(&[digit(0), digit(1), last[0], last[1]])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{IVec3, UVec3, Vec3};

    #[test]
    fn bytes_are_written_as_the_standard_has_them() {
        let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
        let coded = texts.map(|text| {
            let mut out = Vec::new();
            write_base64(&mut out, text.bytes()).expect("written");
            String::from_utf8(out).expect("text")
        });
        assert_eq!(coded, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }

    #[test]
    fn a_grid_says_where_it_is() {
        let grid = SmokeGrid {
            voxel: 0.5,
            first: IVec3::new(-2, 0, 3),
            size: UVec3::new(2, 1, 1),
            density: vec![1.0, 0.0],
            temperature: vec![20.0; 2],
            velocity: vec![Vec3::ZERO; 2],
        };
        let mut out = Vec::new();
        write_vti(&mut out, &grid).expect("written");
        let text = String::from_utf8(out).expect("text");
        assert!(text.contains("WholeExtent=\"0 1 0 0 0 0\" Origin=\"-1 0 1.5\" Spacing=\"0.5 0.5 0.5\""));
        // Eight bytes of length, and 1 and 0 as numbers: 8, 0, …, 0, 0x80, 0x3f, 0, 0, 0, 0.
        assert!(text.contains("\nCAAAAAAAAAAAAIA/AAAAAA==\n</DataArray>"), "{text}");
    }
}
