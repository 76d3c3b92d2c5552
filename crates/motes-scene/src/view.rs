//! Where a picture of a frame is taken from.

use glam::{Quat, Vec3};

use crate::compile::extent;
use crate::scene::Scene;

/// A camera at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Where it stands, metres.
    pub position: Vec3,
    /// What it looks at, metres.
    pub target: Vec3,
    /// Which way is up in the picture.
    pub up: Vec3,
    /// Vertical field of view, radians.
    pub field_of_view: f32,
}

impl Scene {
    /// The camera of a frame; it circles its target evenly over the run if the scene says so.
    pub fn camera_at(&self, frame: u32) -> View {
        let up = self.up.vector();
        let Some(camera) = &self.camera else {
            return self.overview();
        };
        let progress = frame as f32 / self.frames.max(1) as f32;
        let turn = Quat::from_axis_angle(up, (camera.orbit * progress).to_radians());
        View {
            position: camera.target + turn * (camera.position - camera.target),
            target: camera.target,
            up,
            field_of_view: camera.field_of_view.to_radians(),
        }
    }

    /// A view of all grains, bodies and emitters from the front, a little above.
    pub(crate) fn find_overview(&self) -> View {
        let up = self.up.vector();
        let bounds = extent(self, &mut self.issues());
        let size = bounds.size();
        let usable = size.is_finite() && size.min_element() >= 0.0;
        let (target, reach) = if usable {
            (bounds.center(), size.length().max(1e-3))
        } else {
            (Vec3::ZERO, 2.0)
        };
        let front = if up == Vec3::Y { Vec3::Z } else { Vec3::NEG_Y };
        View {
            position: target + 1.8 * reach * (front + 0.45 * up).normalize(),
            target,
            up,
            field_of_view: 40f32.to_radians(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_camera_circles_its_target_over_the_run() {
        let text = "frames = 100\nup = \"z\"\n[camera]\nposition = [3, 0, 1]\norbit = 180\n";
        let scene = Scene::from_toml(text, "x").unwrap();
        assert_eq!(scene.camera_at(0).position, Vec3::new(3.0, 0.0, 1.0));
        let end = scene.camera_at(100);
        assert!((end.position - Vec3::new(-3.0, 0.0, 1.0)).length() < 1e-5);
        assert_eq!(end.up, Vec3::Z);
    }

    #[test]
    fn without_a_camera_everything_is_in_view() {
        let text = "[[grains]]\nshape = { sphere = { radius = 1, center = [5, 0, 0] } }\n";
        let view = Scene::from_toml(text, "x").unwrap().camera_at(0);
        assert_eq!(view.target, Vec3::new(5.0, 0.0, 0.0));
        assert!(view.position.distance(view.target) > 3.0);
        assert!(Scene::from_toml("", "x").unwrap().camera_at(0).position.is_finite());
    }
}
