//! Particles as Stanford PLY, binary little endian.

use std::io::{self, Write};

use super::{ExportedParticle, write_floats};

/// Writes particles with position, velocity, id, group, radius, mass and colour.
pub fn write_ply(mut out: impl Write, particles: &[ExportedParticle]) -> io::Result<()> {
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\ncomment motes, metres and seconds\nelement vertex {}\n\
         property float x\nproperty float y\nproperty float z\n\
         property float vx\nproperty float vy\nproperty float vz\n\
         property uint id\nproperty uint group\nproperty float radius\nproperty float mass\n\
         property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n",
        particles.len()
    )?;
    for particle in particles {
        write_floats(&mut out, &particle.position.to_array())?;
        write_floats(&mut out, &particle.velocity.to_array())?;
        out.write_all(&particle.id.to_le_bytes())?;
        out.write_all(&particle.group.to_le_bytes())?;
        write_floats(&mut out, &[particle.radius, particle.mass])?;
        out.write_all(&particle.color)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn header_and_rows_have_the_announced_size() {
        let particle = ExportedParticle {
            position: Vec3::new(1.5, 2.0, -3.0),
            velocity: Vec3::X,
            id: 7,
            group: 1,
            radius: 0.5,
            mass: 0.25,
            color: [1, 2, 3],
        };
        let mut bytes = Vec::new();
        write_ply(&mut bytes, &[particle; 3]).expect("written");
        let marker = b"end_header\n";
        let body = bytes.windows(marker.len()).position(|w| w == marker).expect("header") + marker.len();
        assert_eq!(bytes.len() - body, 3 * 43);
        assert_eq!(bytes[body + 40..body + 43], [1, 2, 3]);
        assert_eq!(bytes[body + 32..body + 36], 0.5f32.to_le_bytes());
        assert_eq!(bytes[body + 36..body + 40], 0.25f32.to_le_bytes());
        assert_eq!(bytes[body..body + 4], 1.5f32.to_le_bytes());
        assert_eq!(bytes[body + 24..body + 28], 7u32.to_le_bytes());
    }
}
