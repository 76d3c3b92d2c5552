//! Smoke on a grid as VTK ImageData (XML with appended raw arrays), for ParaView.

use std::io::{self, Write};

use super::grid::SmokeGrid;

/// Writes a grid with `density`, 1/m, `temperature`, °C, and `velocity`, m/s, at the middles of its voxels.
pub fn write_vti(mut out: impl Write, grid: &SmokeGrid) -> io::Result<()> {
    let count = grid.len();
    let origin = grid.first.as_dvec3() * f64::from(grid.voxel);
    // Without voxels the last number is before the first.
    let last = grid.size.as_ivec3() - 1;
    let extent = format!("0 {} 0 {} 0 {}", last.x, last.y, last.z);
    let mut offset = 0;
    let arrays = [("density", 1), ("temperature", 1), ("velocity", 3)].map(|(name, components)| {
        let header = format!(
            "<DataArray type=\"Float32\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" offset=\"{offset}\"/>\n"
        );
        offset += 8 + 4 * components * count;
        header
    });
    write!(
        out,
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
         <ImageData WholeExtent=\"{extent}\" Origin=\"{} {} {}\" Spacing=\"{voxel} {voxel} {voxel}\">\n\
         <Piece Extent=\"{extent}\">\n<PointData Scalars=\"density\" Vectors=\"velocity\">\n{}</PointData>\n</Piece>\n\
         </ImageData>\n<AppendedData encoding=\"raw\">\n_",
        origin.x,
        origin.y,
        origin.z,
        arrays.concat(),
        voxel = grid.voxel,
    )?;
    let vectors = grid.velocity.iter().flat_map(|velocity| velocity.to_array());
    write_array(&mut out, count, grid.density.iter().copied())?;
    write_array(&mut out, count, grid.temperature.iter().copied())?;
    write_array(&mut out, 3 * count, vectors)?;
    out.write_all(b"\n</AppendedData>\n</VTKFile>\n")
}

/// Writes numbers behind the length of their bytes.
fn write_array(out: &mut impl Write, count: usize, values: impl Iterator<Item = f32>) -> io::Result<()> {
    out.write_all(&(4 * count as u64).to_le_bytes())?;
    let bytes: Vec<u8> = values.flat_map(f32::to_le_bytes).collect();
    out.write_all(&bytes)
}
