//! Markers of smoke as PLY and VTP, as they look at their age.

use std::io::{self, Write};

use super::vtp::{Array, write_points};
use super::write_floats;
use crate::smoke::SmokeMarker;

/// Writes markers of smoke as Stanford PLY, binary little endian: position, velocity, age, lifetime, and radius, opacity and temperature at that age.
pub fn write_smoke_ply(mut out: impl Write, markers: &[SmokeMarker]) -> io::Result<()> {
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\ncomment motes, metres, seconds and degrees Celsius\n\
         element vertex {}\nproperty float x\nproperty float y\nproperty float z\n\
         property float vx\nproperty float vy\nproperty float vz\n\
         property float age\nproperty float lifetime\n\
         property float radius\nproperty float opacity\nproperty float temperature\nend_header\n",
        markers.len()
    )?;
    for marker in markers {
        write_floats(&mut out, &marker.position.to_array())?;
        write_floats(&mut out, &marker.velocity.to_array())?;
        write_floats(&mut out, &[marker.age, marker.lifetime])?;
        write_floats(&mut out, &[marker.radius, marker.opacity, marker.temperature])?;
    }
    Ok(())
}

/// Writes them as VTK PolyData, with `Velocity`, `Age`, `Lifetime`, `Radius`, `Opacity` and `Temperature`.
pub fn write_smoke_vtp(out: impl Write, markers: &[SmokeMarker]) -> io::Result<()> {
    let vectors = |get: fn(&SmokeMarker) -> [f32; 3]| -> Vec<u8> {
        markers.iter().flat_map(get).flat_map(f32::to_le_bytes).collect()
    };
    let numbers = |get: fn(&SmokeMarker) -> f32| -> Vec<u8> {
        let values = markers.iter().map(get);
        values.flat_map(f32::to_le_bytes).collect()
    };
    let properties: Vec<Array> = vec![
        ("Velocity", "Float32", 3, vectors(|marker| marker.velocity.to_array())),
        ("Age", "Float32", 1, numbers(|marker| marker.age)),
        ("Lifetime", "Float32", 1, numbers(|marker| marker.lifetime)),
        ("Radius", "Float32", 1, numbers(|marker| marker.radius)),
        ("Opacity", "Float32", 1, numbers(|marker| marker.opacity)),
        ("Temperature", "Float32", 1, numbers(|marker| marker.temperature)),
    ];
    write_points(
        out,
        markers.len(),
        properties,
        vectors(|marker| marker.position.to_array()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn marker() -> SmokeMarker {
        SmokeMarker {
            position: Vec3::new(1.0, 2.0, 3.0),
            velocity: Vec3::new(4.0, 5.0, 6.0),
            age: 0.5,
            lifetime: 2.0,
            radius: 0.25,
            opacity: 0.125,
            temperature: 640.0,
        }
    }

    #[test]
    fn rows_of_ply_have_all_that_a_marker_is() {
        let mut bytes = Vec::new();
        write_smoke_ply(&mut bytes, &[marker(); 3]).expect("written");
        let end = b"end_header\n";
        let body = bytes.windows(end.len()).position(|w| w == end).expect("header") + end.len();
        assert_eq!(bytes.len() - body, 3 * 44);
        let row: Vec<f32> = { bytes[body + 44..body + 88].chunks_exact(4) }
            .map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect();
        assert_eq!(row, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.5, 2.0, 0.25, 0.125, 640.0]);
    }

    #[test]
    fn arrays_of_vtp_lie_where_the_header_says() {
        let mut bytes = Vec::new();
        write_smoke_vtp(&mut bytes, &[marker(); 2]).expect("written");
        let start = bytes.windows(2).position(|w| w == b"\n_").expect("data") + 2;
        // Velocity (24) and four arrays of 8 come before temperatures, each behind its length.
        let temperatures = start + (8 + 24) + 4 * (8 + 8);
        assert_eq!(bytes[temperatures..temperatures + 8], 8u64.to_le_bytes());
        assert_eq!(bytes[temperatures + 12..temperatures + 16], 640.0f32.to_le_bytes());
        assert!(bytes.ends_with(b"</VTKFile>\n"));
    }
}
