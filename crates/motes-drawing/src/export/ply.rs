//! Particles as Stanford PLY, binary little endian.

use std::io::{self, Write};

use super::{ExportedParticle, any_turns, write_floats};

/// Writes particles with position, velocity, id, group, radius, mass and colour and, where any turns, angular velocity.
pub fn write_ply(mut out: impl Write, particles: &[ExportedParticle]) -> io::Result<()> {
    let turns = any_turns(particles);
    let spins = match turns {
        true => "property float wx\nproperty float wy\nproperty float wz\n",
        false => "",
    };
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\ncomment motes, metres and seconds\nelement vertex {}\n\
         property float x\nproperty float y\nproperty float z\n\
         property float vx\nproperty float vy\nproperty float vz\n\
         property uint id\nproperty uint group\nproperty float radius\nproperty float mass\n\
         property uchar red\nproperty uchar green\nproperty uchar blue\n{spins}end_header\n",
        particles.len()
    )?;
    for particle in particles {
        write_floats(&mut out, &particle.position.to_array())?;
        write_floats(&mut out, &particle.velocity.to_array())?;
        out.write_all(&particle.id.to_le_bytes())?;
        out.write_all(&particle.group.to_le_bytes())?;
        write_floats(&mut out, &[particle.radius, particle.mass])?;
        out.write_all(&particle.color)?;
        if turns {
            write_floats(&mut out, &particle.angular_velocity.unwrap_or_default().to_array())?;
        }
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
            angular_velocity: None,
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

    #[test]
    fn where_one_turns_all_have_an_angular_velocity() {
        let still = ExportedParticle {
            position: Vec3::ZERO,
            velocity: Vec3::X,
            id: 7,
            group: 1,
            radius: 0.5,
            mass: 0.25,
            color: [1, 2, 3],
            angular_velocity: None,
        };
        let turns = ExportedParticle {
            angular_velocity: Some(Vec3::new(1.0, 2.0, 3.0)),
            ..still
        };
        let mut bytes = Vec::new();
        write_ply(&mut bytes, &[still, turns]).expect("written");
        let marker = b"property float wz\nend_header\n";
        let body = bytes.windows(marker.len()).position(|w| w == marker).expect("header") + marker.len();
        assert_eq!(bytes.len() - body, 2 * 55);
        assert_eq!(bytes[body + 43..body + 55], [0; 12]);
        assert_eq!(bytes[body + 106..body + 110], 3.0f32.to_le_bytes());
    }
}
