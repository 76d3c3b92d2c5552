//! How a collider or a kinematic body moves by itself: steadily, to and fro, or along a path of keyframes.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::space::pose::Pose;

/// A prescribed motion, relative to where it begins: of a collider, its pose at time zero of the world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Motion {
    /// Stays where it is, or where the caller puts it.
    #[default]
    Fixed,
    /// Moves and turns at a constant rate.
    Steady {
        /// Velocity, m/s.
        velocity: Vec3,
        /// Turning about its own origin, radians per second along the world axis.
        angular_velocity: Vec3,
    },
    /// Swings to and fro about the initial pose, starting from its middle.
    Swing {
        /// Furthest displacement, metres.
        offset: Vec3,
        /// Furthest rotation, radians along the world axis.
        rotation: Vec3,
        /// Seconds for a full cycle.
        period: f32,
    },
    /// Follows keyframes in world space, in order of time; waits at both ends unless it repeats.
    Path {
        /// The keyframes.
        keys: Vec<Keyframe>,
        /// Start again after the last.
        repeat: bool,
    },
    /// Moves as something does that has its origin elsewhere.
    About {
        /// That origin, in the frame of what moves, metres.
        pivot: Vec3,
        /// How it moves.
        motion: Box<Motion>,
    },
}

/// A pose at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Keyframe {
    /// Seconds since the start.
    pub time: f32,
    /// Pose at that time.
    pub pose: Pose,
}

impl Motion {
    /// What is wrong with it, as what was expected.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        let fine = match self {
            Self::Fixed => true,
            Self::Steady {
                velocity,
                angular_velocity,
            } => velocity.is_finite() && angular_velocity.is_finite(),
            Self::Swing {
                offset,
                rotation,
                period,
            } => offset.is_finite() && rotation.is_finite() && *period > 0.0 && period.is_finite(),
            Self::Path { keys, .. } => {
                let sound = |key: &Keyframe| key.time.is_finite() && key.pose.is_sound();
                keys.iter().all(sound) && keys.is_sorted_by(|before, after| before.time < after.time)
            }
            Self::About { pivot, motion } => pivot.is_finite() && motion.problem().is_none(),
        };
        (!fine).then_some("finite numbers, a positive period, keys in order of time with unit rotations")
    }

    /// Whether nothing ever moves by it.
    pub fn is_fixed(&self) -> bool {
        matches!(self, Self::Fixed)
    }

    /// The pose at a time, given the pose at time zero.
    pub fn pose(&self, initial: &Pose, time: f64) -> Pose {
        match self {
            Self::Fixed => *initial,
            Self::Steady {
                velocity,
                angular_velocity,
            } => Pose {
                position: initial.position + (velocity.as_dvec3() * time).as_vec3(),
                rotation: turn(*angular_velocity, time) * initial.rotation,
            },
            Self::Swing {
                offset,
                rotation,
                period,
            } => {
                let phase = (std::f64::consts::TAU * time / f64::from(period.max(1e-6))).sin();
                Pose {
                    position: initial.position + phase as f32 * *offset,
                    rotation: turn(*rotation, phase) * initial.rotation,
                }
            }
            Self::Path { keys, repeat } => along(keys, *repeat, time as f32).unwrap_or(*initial),
            Self::About { pivot, motion } => {
                let origin = Pose {
                    position: initial.point(*pivot),
                    ..*initial
                };
                let moved = motion.pose(&origin, time);
                Pose {
                    position: moved.point(-*pivot),
                    ..moved
                }
            }
        }
    }
}

fn turn(rate: Vec3, time: f64) -> Quat {
    let angle = (f64::from(rate.length()) * time) % std::f64::consts::TAU;
    match rate.try_normalize() {
        Some(axis) => Quat::from_axis_angle(axis, angle as f32),
        None => Quat::IDENTITY,
    }
}

fn along(keys: &[Keyframe], repeat: bool, time: f32) -> Option<Pose> {
    let (first, last) = (keys.first()?, keys.last()?);
    let span = last.time - first.time;
    let time = if repeat && span > 0.0 && time > last.time {
        first.time + (time - first.time) % span
    } else {
        time
    };
    let next = keys.partition_point(|key| key.time <= time);
    if next == 0 {
        return Some(first.pose);
    }
    let Some(after) = keys.get(next) else {
        return Some(last.pose);
    };
    let before = &keys[next - 1];
    let fraction = (time - before.time) / (after.time - before.time);
    Some(before.pose.lerp(&after.pose, fraction))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_goes_through_its_keys_and_waits_at_the_end() {
        let key = |time, x| Keyframe {
            time,
            pose: Pose::at(Vec3::new(x, 0.0, 0.0)),
        };
        let path = Motion::Path {
            keys: vec![key(1.0, 0.0), key(3.0, 4.0)],
            repeat: false,
        };
        let x = |time| path.pose(&Pose::IDENTITY, time).position.x;
        assert_eq!([x(0.0), x(1.0), x(2.0), x(3.0), x(9.0)], [0.0, 0.0, 2.0, 4.0, 4.0]);
    }

    #[test]
    fn a_steady_turn_comes_full_circle() {
        let spin = Motion::Steady {
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::Y * std::f32::consts::TAU,
        };
        let pose = spin.pose(&Pose::IDENTITY, 100.0);
        assert!(pose.rotation.angle_between(Quat::IDENTITY) < 1e-3);
    }

    #[test]
    fn a_door_turns_about_its_post_and_not_about_its_middle() {
        let door = Motion::About {
            pivot: Vec3::NEG_X,
            motion: Box::new(Motion::Steady {
                velocity: Vec3::Z,
                angular_velocity: Vec3::Y * std::f32::consts::FRAC_PI_2,
            }),
        };
        let start = Pose::at(Vec3::new(3.0, 0.0, 0.0));
        assert!(door.pose(&start, 0.0).position.distance(start.position) < 1e-6);
        // The post was at x = 2 and has gone a metre; the middle is behind it.
        let pose = door.pose(&start, 1.0);
        assert!(
            pose.position.distance(Vec3::new(2.0, 0.0, 0.0)) < 1e-5,
            "{}",
            pose.position
        );
        assert!(pose.point(Vec3::NEG_X).distance(Vec3::new(2.0, 0.0, 1.0)) < 1e-5);
    }

    #[test]
    fn an_empty_path_stays_put() {
        let path = Motion::Path {
            keys: Vec::new(),
            repeat: true,
        };
        assert_eq!(path.pose(&Pose::IDENTITY, 5.0), Pose::IDENTITY);
    }
}
