//! Spray, foam and bubbles as they are drawn: specks, which shrink before they go.

use glam::Vec4;
use motes_core::{PassiveKind, PassiveParticles};

/// Radii of spray, foam and bubbles, in radii of the particles of the world.
const SIZES: [f32; 3] = [0.16, 0.16, 0.1];

/// Their colours: white, and through water a little of its own.
const COLORS: [[u8; 3]; 3] = [[255, 255, 255], [252, 254, 255], [214, 232, 240]];

/// Shares of their lifetime from which on they are smaller, and how much.
const SHRINKING: [(f32, f32); 3] = [(0.85, 0.5), (0.6, 0.75), (0.0, 1.0)];

/// What is drawn of passive particles: where each is, its radius and colour. Those that the user added are not drawn.
pub(crate) fn specks(passive: &PassiveParticles, radius: f32) -> impl Iterator<Item = (Vec4, f32, [u8; 3])> {
    let parts = passive
        .positions()
        .iter()
        .zip(passive.velocities())
        .zip(passive.kinds());
    parts.filter_map(move |((position, velocity), kind)| {
        let look = match kind {
            PassiveKind::Marker | PassiveKind::Smoke => return None,
            PassiveKind::Spray => 0,
            PassiveKind::Foam => 1,
            PassiveKind::Bubble => 2,
        };
        let lived = position.w / velocity.w.max(f32::MIN_POSITIVE);
        let (_, share) = SHRINKING.iter().find(|(from, _)| lived >= *from)?;
        Some((*position, radius * SIZES[look] * share, COLORS[look]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specks_shrink_as_they_age_and_markers_are_left_out() {
        let aged = |age: f32| Vec4::new(1.0, 2.0, 3.0, age);
        let passive = PassiveParticles::from_parts(
            vec![aged(0.0), aged(0.0), aged(0.9), aged(0.7)],
            vec![Vec4::new(0.0, 0.0, 0.0, 1.0); 4],
            vec![
                PassiveKind::Marker,
                PassiveKind::Foam,
                PassiveKind::Foam,
                PassiveKind::Bubble,
            ],
        );
        let radii: Vec<f32> = specks(&passive, 1.0).map(|(_, radius, _)| radius).collect();
        assert_eq!(radii, [SIZES[1], SIZES[1] * 0.5, SIZES[2] * 0.75]);
    }
}
