//! Passive particles, what liquids give off among them, as PLY and VTP.

use std::io::{self, Write};

use motes_core::PassiveParticles;

use super::vtp::{Array, write_points};
use super::write_floats;

/// Writes passive particles as Stanford PLY, binary little endian: position, velocity, age, lifetime, and what each is (`kind`: 0 marker, 1 spray, 2 foam, 3
/// bubble, 4 smoke).
pub fn write_passive_ply(mut out: impl Write, passive: &PassiveParticles) -> io::Result<()> {
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\ncomment motes, metres and seconds; kind: 0 marker, 1 spray, 2 foam, 3 bubble, 4 smoke\n\
         element vertex {}\nproperty float x\nproperty float y\nproperty float z\n\
         property float vx\nproperty float vy\nproperty float vz\n\
         property float age\nproperty float lifetime\nproperty uchar kind\nend_header\n",
        passive.len()
    )?;
    let parts = passive
        .positions()
        .iter()
        .zip(passive.velocities())
        .zip(passive.kinds());
    for ((position, velocity), kind) in parts {
        write_floats(&mut out, &position.truncate().to_array())?;
        write_floats(&mut out, &velocity.truncate().to_array())?;
        write_floats(&mut out, &[position.w, velocity.w])?;
        out.write_all(&[*kind as u8])?;
    }
    Ok(())
}

/// Writes them as VTK PolyData, with `Velocity`, `Age`, `Lifetime` and `Kind`.
pub fn write_passive_vtp(out: impl Write, passive: &PassiveParticles) -> io::Result<()> {
    let (positions, velocities) = (passive.positions(), passive.velocities());
    let vectors = |values: &[glam::Vec4]| -> Vec<u8> {
        let numbers = values.iter().flat_map(|value| value.truncate().to_array());
        numbers.flat_map(f32::to_le_bytes).collect()
    };
    let numbers =
        |values: &[glam::Vec4]| -> Vec<u8> { values.iter().flat_map(|value| value.w.to_le_bytes()).collect() };
    let kinds: Vec<u8> = passive.kinds().iter().map(|&kind| kind as u8).collect();
    let properties: Vec<Array> = vec![
        ("Velocity", "Float32", 3, vectors(velocities)),
        ("Age", "Float32", 1, numbers(positions)),
        ("Lifetime", "Float32", 1, numbers(velocities)),
        ("Kind", "UInt8", 1, kinds),
    ];
    write_points(out, passive.len(), properties, vectors(positions))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec4;
    use motes_core::PassiveKind;

    fn two() -> PassiveParticles {
        PassiveParticles::from_parts(
            vec![Vec4::new(1.0, 2.0, 3.0, 0.5), Vec4::ZERO],
            vec![Vec4::new(4.0, 5.0, 6.0, 2.0); 2],
            vec![PassiveKind::Bubble, PassiveKind::Spray],
        )
    }

    #[test]
    fn rows_of_ply_have_the_announced_size_and_the_kind_last() {
        let mut bytes = Vec::new();
        write_passive_ply(&mut bytes, &two()).expect("written");
        let marker = b"end_header\n";
        let body = bytes.windows(marker.len()).position(|w| w == marker).expect("header") + marker.len();
        assert_eq!(bytes.len() - body, 2 * 33);
        assert_eq!(bytes[body + 24..body + 28], 0.5f32.to_le_bytes());
        assert_eq!(bytes[body + 28..body + 32], 2.0f32.to_le_bytes());
        assert_eq!([bytes[body + 32], bytes[body + 65]], [3, 1]);
    }

    #[test]
    fn arrays_of_vtp_lie_where_the_header_says() {
        let mut bytes = Vec::new();
        write_passive_vtp(&mut bytes, &two()).expect("written");
        let start = bytes.windows(2).position(|w| w == b"\n_").expect("data") + 2;
        // Velocity (24), Age (8) and Lifetime (8) come first, each behind its length.
        let kinds = start + (8 + 24) + 2 * (8 + 8);
        assert_eq!(bytes[kinds..kinds + 8], 2u64.to_le_bytes());
        assert_eq!(bytes[kinds + 8..kinds + 10], [3, 1]);
        assert_eq!(bytes[kinds + 18..kinds + 22], 1.0f32.to_le_bytes());
        assert!(bytes.ends_with(b"</VTKFile>\n"));
    }
}
