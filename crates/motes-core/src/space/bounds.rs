//! Axis-aligned boxes.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::space::pose::Pose;

/// An axis-aligned box, metres. Empty when `min > max` on any axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// Lower corner.
    pub min: Vec3,
    /// Upper corner.
    pub max: Vec3,
}

impl Bounds {
    /// Contains nothing; the start of a union.
    pub const EMPTY: Self = Self {
        min: Vec3::INFINITY,
        max: Vec3::NEG_INFINITY,
    };

    /// Contains everything.
    pub const INFINITE: Self = Self {
        min: Vec3::NEG_INFINITY,
        max: Vec3::INFINITY,
    };

    /// The smallest box around the points.
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |bounds, point| bounds.with(point))
    }

    /// The box grown to hold a point.
    pub fn with(self, point: Vec3) -> Self {
        Self {
            min: self.min.min(point),
            max: self.max.max(point),
        }
    }

    /// The smallest box around both.
    pub fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// The box grown on every side.
    pub fn expanded(self, distance: f32) -> Self {
        Self {
            min: self.min - distance,
            max: self.max + distance,
        }
    }

    /// Whether the boxes share a point.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && self.max.cmpge(other.min).all()
    }

    /// Whether the point lies inside or on the box.
    pub fn contains(&self, point: Vec3) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }

    /// Middle of the box.
    pub fn center(&self) -> Vec3 {
        0.5 * (self.min + self.max)
    }

    /// Edge lengths.
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// The box around this box after a pose is applied to it.
    pub fn transformed(&self, pose: &Pose) -> Self {
        if !(self.min.is_finite() && self.max.is_finite()) {
            return Self::INFINITE;
        }
        let half = 0.5 * self.size();
        let rotation = glam::Mat3::from_quat(pose.rotation);
        let extent = rotation.x_axis.abs() * half.x + rotation.y_axis.abs() * half.y + rotation.z_axis.abs() * half.z;
        let center = pose.point(self.center());
        Self {
            min: center - extent,
            max: center + extent,
        }
    }
}
