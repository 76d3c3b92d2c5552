//! The camera of a run. It goes along with what the scene has it follow; where a scene has no camera, it eases out to what it
//! would miss.

use glam::{Vec3, Vec4Swizzles};
use motes_core::{Bounds, Centers, World};
use motes_render::Camera;
use motes_scene::{Built, Scene, Stage, View};

/// Share of the particles on either side of each axis that may be out of the picture.
const STRAY: f32 = 0.04;

/// Particles that are looked at to find out where most of them are.
const SAMPLE: usize = 20_000;

/// How long a camera takes to ease out, seconds.
const EASE: f32 = 0.6;

/// How much larger than the scenery at the start what it sees may become: what falls for ever is left behind.
const MOST: f32 = 1.2;

/// The camera of a run, frame by frame.
#[derive(Clone, Debug)]
pub struct CameraTrack {
    stage: Stage,
    /// How far what it follows has moved, after a while.
    moved: Vec3,
    /// What is in the picture of a scene without a camera.
    seen: Bounds,
    /// When it was last told where things are, seconds.
    time: Option<f64>,
}

impl CameraTrack {
    /// Of a world that is about to run.
    pub fn new(built: &Built) -> Self {
        Self {
            seen: built.stage.scenery,
            stage: built.stage.clone(),
            moved: Vec3::ZERO,
            time: None,
        }
    }

    /// Takes over where things are.
    pub fn follow(&mut self, scene: &Scene, world: &World) {
        let passed = self.time.map(|time| (world.time() - time).max(0.0) as f32);
        self.time = Some(world.time());
        let share = |seconds: f32| match passed {
            Some(passed) if seconds > 0.0 => 1.0 - (-passed / seconds).exp(),
            _ => 1.0,
        };
        match (&scene.camera, &self.stage.follow) {
            (Some(camera), Some(followed)) => {
                let centers = world.query(Centers(followed.groups.clone()));
                // What is gone was last seen where the camera is.
                if !centers.is_empty() {
                    let middle = centers.iter().map(|(_, center)| *center).sum::<Vec3>() / centers.len() as f32;
                    let moved = middle - followed.start;
                    self.moved += share(camera.follow_time) * (moved - self.moved);
                }
            }
            (None, _) => {
                let most = self
                    .stage
                    .scenery
                    .expanded(0.5 * MOST * self.stage.scenery.size().max_element());
                let bulk = bulk(world);
                let wanted = Bounds {
                    min: bulk.min.max(most.min).min(self.seen.min),
                    max: bulk.max.min(most.max).max(self.seen.max),
                };
                let share = share(EASE);
                self.seen = Bounds {
                    min: self.seen.min + share * (wanted.min - self.seen.min),
                    max: self.seen.max + share * (wanted.max - self.seen.max),
                };
            }
            _ => {}
        }
    }

    /// The camera of a frame.
    pub fn camera(&self, scene: &Scene, frame: u32) -> Camera {
        let view = match (&scene.camera, &self.stage.follow) {
            (None, _) => scene.view_of(&self.seen),
            (Some(_), Some(followed)) => scene.camera_following(frame, followed.start, self.moved),
            (Some(_), None) => scene.camera_at(frame),
        };
        of_view(&view)
    }
}

/// The camera of a scene at a frame, as if nothing had moved that it follows.
pub fn camera_at(scene: &Scene, frame: u32) -> Camera {
    of_view(&scene.camera_at(frame))
}

fn of_view(view: &View) -> Camera {
    Camera {
        position: view.position,
        target: view.target,
        up: view.up,
        field_of_view: view.field_of_view.to_degrees(),
    }
}

/// A box around most particles; around nothing if there are none.
fn bulk(world: &World) -> Bounds {
    let particles = world.particles();
    let every = particles.len().div_ceil(SAMPLE).max(1);
    let sample: Vec<Vec3> = particles
        .positions
        .iter()
        .step_by(every)
        .map(|place| place.xyz())
        .collect();
    if sample.is_empty() {
        return Bounds::EMPTY;
    }
    let stray = (STRAY * sample.len() as f32) as usize;
    let radius = world.settings().particle_radius;
    let ends = [0, 1, 2].map(|axis| {
        let mut places: Vec<f32> = sample.iter().map(|place| place[axis]).collect();
        places.sort_unstable_by(f32::total_cmp);
        [places[stray], places[places.len() - 1 - stray]]
    });
    Bounds {
        min: Vec3::from_array(ends.map(|[low, _]| low)) - radius,
        max: Vec3::from_array(ends.map(|[_, high]| high)) + radius,
    }
}

#[cfg(test)]
mod tests {
    use motes_core::CpuEngine;

    use super::*;

    fn build(text: &str) -> (Scene, Built) {
        let scene = Scene::from_toml(text, "track.toml").expect("a scene");
        let built = scene.build(Box::new(CpuEngine::new())).expect("a world");
        (scene, built)
    }

    #[test]
    fn a_camera_circles_as_in_its_scene() {
        let text = "frames = 10\n[camera]\nposition = [3, 1, 0]\nfield_of_view = 30\norbit = 180\n";
        let scene = Scene::from_toml(text, "orbit.toml").expect("a scene");
        let camera = camera_at(&scene, 10);
        assert!(camera.position.distance(Vec3::new(-3.0, 1.0, 0.0)) < 1e-5);
        assert!((camera.field_of_view - 30.0).abs() < 1e-4);
    }

    #[test]
    fn a_camera_goes_along_with_what_it_follows() {
        let text = "gravity = 0\n[camera]\nposition = [0, 1, 5]\nfollow = \"ball\"\nfollow_time = 0.1\n\
                    [[grains]]\nname = \"ball\"\nshape = { sphere = { radius = 0.2 } }\nvelocity = [2, 0, 0]\n";
        let (scene, mut built) = build(text);
        let mut track = CameraTrack::new(&built);
        track.follow(&scene, &built.world);
        let start = track.camera(&scene, 0);
        assert!(start.target.length() < 0.05, "{}", start.target);
        for _ in 0..60 {
            built.world.step(scene.dt());
            track.follow(&scene, &built.world);
        }
        let end = track.camera(&scene, 60);
        let went = end.target - start.target;
        // It is the time to catch up behind.
        assert!((went.x - (2.0 - 0.2)).abs() < 0.03, "{went}");
        assert!((end.position - start.position - went).length() < 1e-5);
        let mut late = CameraTrack::new(&built);
        late.follow(&scene, &built.world);
        let at_once = late.camera(&scene, 60).target - start.target;
        assert!((at_once.x - 2.0).abs() < 0.01, "{at_once}");
    }

    #[test]
    fn a_camera_of_its_own_eases_out_but_not_for_ever() {
        let text = "gravity = 0\n[[grains]]\nshape = { sphere = { radius = 0.3 } }\nvelocity = [0, 2, 0]\n";
        let (scene, mut built) = build(text);
        let mut track = CameraTrack::new(&built);
        let distance = |track: &CameraTrack| {
            let camera = track.camera(&scene, 0);
            camera.position.distance(camera.target)
        };
        let before = distance(&track);
        let mut last = before;
        for frame in 0..600 {
            built.world.step(scene.dt());
            track.follow(&scene, &built.world);
            let now = distance(&track);
            assert!(
                now >= last - 1e-4 && now - last < 0.1 * before,
                "frame {frame}: {last} {now}"
            );
            last = now;
        }
        assert!(last > 1.2 * before && last < 4.0 * before, "{before} {last}");
    }
}
