//! Particles as Stanford PLY, binary little endian.

use std::path::Path;

use anyhow::Result;
use motes_render::write_file;

use super::ExportedParticle;

/// Writes particles with position, velocity, id, group and radius.
pub fn write_ply(path: &Path, particles: &[ExportedParticle]) -> Result<()> {
    let mut bytes = format!(
        "ply\nformat binary_little_endian 1.0\ncomment motes, metres and seconds\nelement vertex {}\n\
         property float x\nproperty float y\nproperty float z\n\
         property float vx\nproperty float vy\nproperty float vz\n\
         property uint id\nproperty uint group\nproperty float radius\nend_header\n",
        particles.len()
    )
    .into_bytes();
    for particle in particles {
        for value in particle
            .position
            .to_array()
            .into_iter()
            .chain(particle.velocity.to_array())
        {
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend(particle.id.to_le_bytes());
        bytes.extend(particle.group.to_le_bytes());
        bytes.extend(particle.radius.to_le_bytes());
    }
    Ok(write_file(path, &bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn header_and_rows_have_the_announced_size() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.ply");
        let particle = ExportedParticle {
            position: Vec3::new(1.5, 2.0, -3.0),
            velocity: Vec3::X,
            id: 7,
            group: 1,
            radius: 0.5,
        };
        write_ply(&path, &[particle; 3]).expect("written");
        let bytes = std::fs::read(&path).expect("file");
        let marker = b"end_header\n";
        let body = bytes.windows(marker.len()).position(|w| w == marker).expect("header") + marker.len();
        assert_eq!(bytes.len() - body, 3 * 36);
        assert_eq!(bytes[body + 32..body + 36], 0.5f32.to_le_bytes());
        assert_eq!(bytes[body..body + 4], 1.5f32.to_le_bytes());
        assert_eq!(bytes[body + 24..body + 28], 7u32.to_le_bytes());
    }
}
