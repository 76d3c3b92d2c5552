//! Poses and motions of colliders and kinematic bodies.

use glam::{Quat, Vec3};
use motes_core::{Keyframe, Motion, Pose};

use crate::issues::Issues;
use crate::model::{KeyTable, MotionTable};

/// Where a shape ends up that stands at `inner` in the frame of `outer`.
pub(super) fn compose(outer: &Pose, inner: &Pose) -> Pose {
    Pose {
        position: outer.point(inner.position),
        rotation: (outer.rotation * inner.rotation).normalize(),
    }
}

/// The motion of what is made at `local` in a frame that starts at `outer`; `path` leads to its table.
pub(super) fn motion(
    table: Option<&MotionTable>,
    outer: &Pose,
    local: &Pose,
    path: &str,
    issues: &mut Issues<'_>,
) -> Option<Motion> {
    let about_origin = |motion: Motion| match local.position == Vec3::ZERO {
        true => motion,
        false => Motion::About {
            pivot: local.local_point(Vec3::ZERO),
            motion: Box::new(motion),
        },
    };
    Some(match table {
        None => Motion::Fixed,
        Some(MotionTable::Steady(steady)) => about_origin(Motion::Steady {
            velocity: steady.velocity,
            angular_velocity: steady.angular_velocity * RADIANS,
        }),
        Some(MotionTable::Swing(swing)) => about_origin(Motion::Swing {
            offset: swing.offset,
            rotation: swing.rotation * RADIANS,
            period: swing.period,
        }),
        Some(MotionTable::Path(along)) => {
            let path = format!("{path}.path.keys");
            if along.keys.is_empty() {
                issues.error(&path, "expected at least one key");
                return None;
            }
            let pairs = along.keys.windows(2).enumerate();
            let backwards: Vec<(usize, &[KeyTable])> = pairs.filter(|(_, pair)| pair[1].time <= pair[0].time).collect();
            if !backwards.is_empty() {
                for (before, pair) in backwards {
                    if issues.sound(&format!("{path}[{before}].time")) {
                        let message = format!("expected a time after {} s, found {} s", pair[0].time, pair[1].time);
                        issues.error(&format!("{path}[{}].time", before + 1), message);
                    }
                }
                return None;
            }
            let keys = along.keys.iter().map(|key| {
                let outer = Pose {
                    position: key.position.unwrap_or(outer.position),
                    rotation: key.rotation.map_or(outer.rotation, |rotation| rotation.0),
                };
                Keyframe {
                    time: key.time,
                    pose: compose(&outer, local),
                }
            });
            Motion::Path {
                keys: keys.collect(),
                repeat: along.repeat,
            }
        }
    })
}

/// Radians per degree.
pub(super) const RADIANS: f32 = std::f32::consts::PI / 180.0;

/// A pose that only turns.
pub(super) fn turned(rotation: Quat) -> Pose {
    Pose {
        rotation,
        ..Pose::IDENTITY
    }
}
