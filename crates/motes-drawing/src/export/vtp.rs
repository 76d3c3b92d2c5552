//! Particles as VTK PolyData (XML with appended raw arrays), for ParaView.

use std::io::{self, Write};

use super::{ExportedParticle, any_turns};

/// Writes particles as points with velocity, id, group, radius, mass and colour and, where any turns, angular velocity.
pub fn write_vtp(out: impl Write, particles: &[ExportedParticle]) -> io::Result<()> {
    let count = particles.len();
    let vectors = |get: fn(&ExportedParticle) -> [f32; 3]| -> Vec<u8> {
        particles.iter().flat_map(get).flat_map(f32::to_le_bytes).collect()
    };
    let integers = |get: fn(&ExportedParticle) -> u32| -> Vec<u8> {
        particles
            .iter()
            .flat_map(|particle| get(particle).to_le_bytes())
            .collect()
    };
    let numbers = |get: fn(&ExportedParticle) -> f32| -> Vec<u8> {
        let values = particles.iter().map(get);
        values.flat_map(f32::to_le_bytes).collect()
    };
    let mut properties: Vec<Array> = vec![
        ("Velocity", "Float32", 3, vectors(|p| p.velocity.to_array())),
        ("Id", "UInt32", 1, integers(|p| p.id)),
        ("Group", "UInt32", 1, integers(|p| p.group)),
        ("Radius", "Float32", 1, numbers(|p| p.radius)),
        ("Mass", "Float32", 1, numbers(|p| p.mass)),
        ("Color", "UInt8", 3, particles.iter().flat_map(|p| p.color).collect()),
    ];
    if any_turns(particles) {
        let spins = vectors(|p| p.angular_velocity.unwrap_or_default().to_array());
        properties.push(("AngularVelocity", "Float32", 3, spins));
    }
    write_points(out, count, properties, vectors(|p| p.position.to_array()))
}

/// Name, type, numbers for each point, and the bytes of them all.
pub(super) type Array = (&'static str, &'static str, usize, Vec<u8>);

/// Writes points with properties.
pub(super) fn write_points(
    mut out: impl Write,
    count: usize,
    mut arrays: Vec<Array>,
    points: Vec<u8>,
) -> io::Result<()> {
    let indices = |first: u32| -> Vec<u8> { (first..first + count as u32).flat_map(u32::to_le_bytes).collect() };
    let properties = arrays.len();
    arrays.extend([
        ("Points", "Float32", 3, points),
        ("connectivity", "UInt32", 1, indices(0)),
        ("offsets", "UInt32", 1, indices(1)),
    ]);
    let mut offset = 0;
    let headers = arrays.iter().map(|(name, kind, components, data)| {
        let header = format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" offset=\"{offset}\"/>\n"
        );
        offset += 8 + data.len();
        header
    });
    let headers: Vec<String> = headers.collect();
    let (properties, rest) = headers.split_at(properties);
    let (properties, points, cells) = (properties.concat(), &rest[0], rest[1..].concat());
    write!(
        out,
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n\
         <Piece NumberOfPoints=\"{count}\" NumberOfVerts=\"{count}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n\
         <PointData>\n{properties}</PointData>\n<Points>\n{points}</Points>\n\
         <Verts>\n{cells}</Verts>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_"
    )?;
    for (_, _, _, data) in &arrays {
        out.write_all(&(data.len() as u64).to_le_bytes())?;
        out.write_all(data)?;
    }
    out.write_all(b"\n</AppendedData>\n</VTKFile>\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn every_array_lies_where_the_header_says() {
        let particle = ExportedParticle {
            position: Vec3::new(0.25, 0.0, 0.0),
            velocity: Vec3::ZERO,
            id: 3,
            group: 0,
            radius: 0.1,
            mass: 2.0,
            color: [9, 8, 7],
            angular_velocity: None,
        };
        let mut bytes = Vec::new();
        write_vtp(&mut bytes, &[particle; 2]).expect("written");
        let start = bytes.windows(2).position(|w| w == b"\n_").expect("data") + 2;
        // Velocity (24), Id (8), Group (8), Radius (8), Mass (8) and Color (6) come first, each behind its length.
        let points = start + (8 + 24) + 4 * (8 + 8) + (8 + 6);
        assert_eq!(bytes[points - 6..points], [9, 8, 7, 9, 8, 7]);
        assert_eq!(bytes[points..points + 8], 24u64.to_le_bytes());
        assert_eq!(bytes[points + 8..points + 12], 0.25f32.to_le_bytes());
        assert!(bytes.ends_with(b"</VTKFile>\n"));
    }
}
