//! Where a picture of a frame is taken from.

use glam::{Quat, Vec3};
use motes_core::Bounds;

use crate::compile::extent;
use crate::model::{CameraKey, CameraTable};
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

/// Share of the picture that a camera fills with what it is to see.
const FILLED: f32 = 0.9;

/// How far above the horizontal the camera of a scene without one stands, rising over running.
const RISE: f32 = 0.45;

/// Vertical field of view of a scene without a camera, degrees.
const USUAL: f32 = 40.0;

impl Scene {
    /// The camera of a frame, as if nothing had moved that it follows.
    pub fn camera_at(&self, frame: u32) -> View {
        let Some(camera) = &self.camera else {
            return self.view_of(&self.scenery());
        };
        let up = self.up.vector();
        let time = frame as f32 * self.dt();
        let target = over_time(&camera.keys, time, |key| key.target).unwrap_or(camera.target.unwrap_or_default());
        let position = over_time(&camera.keys, time, |key| key.position).unwrap_or(camera.position.unwrap_or_default());
        let degrees = over_time(&camera.keys, time, |key| key.field_of_view).unwrap_or(camera.field_of_view);
        let progress = frame as f32 / self.frames.max(1) as f32;
        let turn = Quat::from_axis_angle(up, (camera.orbit * progress).to_radians());
        View {
            position: target + turn * (position - target),
            target,
            up,
            field_of_view: degrees.to_radians(),
        }
    }

    /// The same with the target of a camera that follows something and was not told what to look at: the middle of that at the
    /// start; and all of it moved by as much as that has moved since.
    pub fn camera_following(&self, frame: u32, start: Vec3, moved: Vec3) -> View {
        let view = self.camera_at(frame);
        let looks_elsewhere =
            |camera: &CameraTable| camera.target.is_some() || camera.keys.iter().any(|key| key.target.is_some());
        let turned = match &self.camera {
            Some(camera) if !looks_elsewhere(camera) => {
                let progress = frame as f32 / self.frames.max(1) as f32;
                let turn = Quat::from_axis_angle(view.up, (camera.orbit * progress).to_radians());
                // The origin is what it circled.
                let position = turn.inverse() * view.position;
                View {
                    position: start + turn * (position - start),
                    target: start,
                    ..view
                }
            }
            _ => view,
        };
        View {
            position: turned.position + moved,
            target: turned.target + moved,
            ..turned
        }
    }

    /// A view of everything in a box from the front, a little above.
    pub fn view_of(&self, bounds: &Bounds) -> View {
        let up = self.up.vector();
        let front = if up == Vec3::Y { Vec3::Z } else { Vec3::NEG_Y };
        let back = (front + RISE * up).normalize();
        let right = up.cross(back).normalize();
        let across = back.cross(right);
        let (half, target) = (0.5 * bounds.size(), bounds.center());
        let tall = FILLED * (0.5 * USUAL.to_radians()).tan();
        let wide = tall * self.output.width as f32 / self.output.height.max(1) as f32;
        let corner = |number: u32| {
            let sign = |bit: u32| if number & bit == 0 { 1.0 } else { -1.0 };
            half * Vec3::new(sign(1), sign(2), sign(4))
        };
        let distances = (0..8).map(corner).map(|corner| {
            let aside = (corner.dot(right).abs() / wide).max(corner.dot(across).abs() / tall);
            corner.dot(back) + aside
        });
        View {
            position: target + distances.fold(1e-3, f32::max) * back,
            target,
            up,
            field_of_view: USUAL.to_radians(),
        }
    }

    /// A box around all grains, bodies and emitters, metres.
    pub(crate) fn find_scenery(&self) -> Bounds {
        let bounds = extent(self, &mut self.issues());
        let size = bounds.size();
        if size.is_finite() && size.min_element() >= 0.0 {
            bounds
        } else {
            Bounds::of([Vec3::splat(-0.5), Vec3::splat(0.5)])
        }
    }
}

/// What can be gone over smoothly.
trait Blend: Copy {
    /// So much of this and of others, added up.
    fn sum(parts: [(f32, Self); 4]) -> Self;
    /// The change from this to another per unit.
    fn slope(self, other: Self, per: f32) -> Self;
}

impl Blend for f32 {
    fn sum(parts: [(f32, Self); 4]) -> Self {
        parts.iter().map(|(share, value)| share * value).sum()
    }

    fn slope(self, other: Self, per: f32) -> Self {
        (other - self) / per
    }
}

impl Blend for Vec3 {
    fn sum(parts: [(f32, Self); 4]) -> Self {
        parts.iter().map(|(share, value)| *share * *value).sum()
    }

    fn slope(self, other: Self, per: f32) -> Self {
        (other - self) / per
    }
}

/// A value between the keys that have it: cubic pieces that pass through each key at the mean pace from the one before to the one
/// after, and begin and end at rest.
fn over_time<T: Blend>(keys: &[CameraKey], time: f32, of: impl Fn(&CameraKey) -> Option<T>) -> Option<T> {
    let known: Vec<(f32, T)> = keys.iter().filter_map(|key| Some((key.time, of(key)?))).collect();
    let after = known.partition_point(|(other, _)| *other <= time);
    let (first, last) = (known.first()?, known.last()?);
    if after == 0 {
        return Some(first.1);
    }
    if after == known.len() {
        return Some(last.1);
    }
    let pace = |place: usize| match (place.checked_sub(1).map(|before| known[before]), known.get(place + 1)) {
        (Some(before), Some(next)) => before.1.slope(next.1, next.0 - before.0),
        _ => first.1.slope(first.1, 1.0),
    };
    let ((from, a), (to, b)) = (known[after - 1], known[after]);
    let (span, s) = (to - from, (time - from) / (to - from));
    let (s2, s3) = (s * s, s * s * s);
    Some(T::sum([
        (2.0 * s3 - 3.0 * s2 + 1.0, a),
        (span * (s3 - 2.0 * s2 + s), pace(after - 1)),
        (3.0 * s2 - 2.0 * s3, b),
        (span * (s3 - s2), pace(after)),
    ]))
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
    fn the_camera_goes_from_key_to_key_without_a_jerk() {
        let text = "[camera]\nkeys = [{ time = 1, position = [0, 1, 5], field_of_view = 30 }, \
                    { time = 2, position = [2, 1, 5], target = [1, 0, 0] }, { time = 4, position = [2, 4, 5], field_of_view = 60 }]\n";
        let scene = Scene::from_toml(text, "x").unwrap();
        let at = |seconds: f32| scene.camera_at((60.0 * seconds).round() as u32);
        assert_eq!(at(0.0).position, Vec3::new(0.0, 1.0, 5.0));
        assert!(at(2.0).position.distance(Vec3::new(2.0, 1.0, 5.0)) < 1e-5);
        assert_eq!(at(9.0).position, Vec3::new(2.0, 4.0, 5.0));
        assert_eq!(at(0.0).target, Vec3::X, "held before the first key that has it");
        let middle = at(2.5).field_of_view.to_degrees();
        assert!((middle - 45.0).abs() < 0.01, "{middle}");
        let step = |frame: u32| (scene.camera_at(frame + 1).position - scene.camera_at(frame).position).length();
        let jerk = (55..250)
            .map(|frame| (step(frame + 1) - step(frame)).abs())
            .fold(0.0, f32::max);
        assert!(jerk < 5e-3, "{jerk} m from one frame to the next");
    }

    #[test]
    fn without_a_camera_everything_is_in_view() {
        let text = "[[grains]]\nshape = { sphere = { radius = 1, center = [5, 0, 0] } }\n";
        let view = Scene::from_toml(text, "x").unwrap().camera_at(0);
        assert_eq!(view.target, Vec3::new(5.0, 0.0, 0.0));
        assert!(view.position.distance(view.target) > 3.0);
        assert!(Scene::from_toml("", "x").unwrap().camera_at(0).position.is_finite());
    }

    #[test]
    fn a_camera_that_follows_looks_at_what_it_follows() {
        let text = "[camera]\nposition = [0, 2, 5]\nfollow = \"cart\"\n";
        let scene = Scene::from_toml(text, "x").unwrap();
        let view = scene.camera_following(0, Vec3::X, Vec3::new(0.0, 1.0, 0.0));
        assert_eq!(view.target, Vec3::new(1.0, 1.0, 0.0));
        assert_eq!(view.position, Vec3::new(0.0, 3.0, 5.0));
        let aside = format!("{text}target = [0, 7, 0]\n");
        let view = Scene::from_toml(&aside, "x")
            .unwrap()
            .camera_following(0, Vec3::X, Vec3::ZERO);
        assert_eq!(view.target, Vec3::new(0.0, 7.0, 0.0));
    }
}
