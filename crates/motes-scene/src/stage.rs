//! What a camera has to know of a world: where its parts are at the start, where they will fall, and what it goes along with.

use glam::{Vec3, Vec4Swizzles};
use motes_core::{Bounds, Centers, Emitter, GroupId, Shape, World};

use crate::looks::Looks;

/// What a camera has to know of a world that was just built.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// A box around what there is at the start, and where it is going to fall, metres.
    pub scenery: Bounds,
    /// What the camera goes along with.
    pub follow: Option<Followed>,
}

/// What a camera goes along with.
#[derive(Clone, Debug, PartialEq)]
pub struct Followed {
    /// The groups of its particles.
    pub groups: Vec<GroupId>,
    /// The middle of its particles at the start, or of the emitter that gives them off, metres.
    pub start: Vec3,
}

/// Colliders that are so many times as large as all particles together are scenery only near those.
const HUGE: f32 = 4.0;

/// Least cosine between up and the normal of a plane that things come to lie on.
const LEVEL: f32 = 0.7;

/// How far things are taken to spread sideways when they fall, as a share of how far they fall.
const SPREAD: f32 = 0.3;

/// A ground further below than so many sizes of what falls on it is not scenery.
const DEEP: f32 = 6.0;

/// How long a jet is followed on its way to the ground, seconds.
const FLIGHT: f32 = 1.5;

impl Default for Stage {
    fn default() -> Self {
        Self {
            scenery: Bounds::of([Vec3::splat(-0.5), Vec3::splat(0.5)]),
            follow: None,
        }
    }
}

impl Stage {
    /// Of a world at its start.
    pub(crate) fn new(world: &World, looks: &Looks, up: Vec3, follow: Option<Vec<GroupId>>) -> Self {
        let content = content(world);
        let size = content.size();
        if !size.is_finite() || size.min_element() < 0.0 {
            return Self::default();
        }
        let mut scenery = content.union(obstacles(world, looks, &content));
        if let Some(ground) = ground(world, up, content.center()) {
            scenery = scenery.union(fallen(&content, up, ground));
            for emitter in world.emitters() {
                scenery = scenery.union(jet(emitter, world.settings().gravity, up, ground));
            }
        }
        Self {
            scenery,
            follow: follow.map(|groups| Followed {
                start: start(world, &groups),
                groups,
            }),
        }
    }
}

/// Where some groups are, or the emitters of those that have no particles yet.
fn start(world: &World, groups: &[GroupId]) -> Vec3 {
    let centers = world.query(Centers(groups.to_vec()));
    let places: Vec<Vec3> = match centers.is_empty() {
        false => centers.iter().map(|(_, center)| *center).collect(),
        true => { world.emitters().iter() }
            .filter(|emitter| groups.contains(&emitter.group))
            .map(|emitter| emitter.pose.position)
            .collect(),
    };
    places.iter().sum::<Vec3>() / places.len().max(1) as f32
}

/// A box around all particles, and all openings of emitters.
fn content(world: &World) -> Bounds {
    let radii = world.particle_radii();
    let particles = world.particles();
    let balls = particles.positions.iter().zip(radii);
    let bounds = balls.fold(Bounds::EMPTY, |bounds, (position, radius)| {
        bounds.with(position.xyz() - radius).with(position.xyz() + radius)
    });
    world.emitters().iter().fold(bounds, |bounds, emitter| {
        let radius = world.particle_radius(emitter.group).unwrap_or_default();
        let opening = Bounds::of([emitter.pose.position]).expanded(emitter.reach().max(radius));
        bounds.union(opening)
    })
}

/// A box around the colliders that are seen and have an end.
fn obstacles(world: &World, looks: &Looks, content: &Bounds) -> Bounds {
    let size = content.size().max_element().max(1e-3);
    let seen = looks.colliders.iter().filter(|look| look.visible);
    let placed = seen.filter_map(|look| Some((world.collider(look.collider)?, world.collider_pose(look.collider)?)));
    let solid = placed.filter(|(collider, _)| !collider.trigger);
    let boxes = solid.map(|(collider, pose)| match &collider.shape {
        Shape::Plane(_) => Bounds::EMPTY,
        shape => shape.bounds().transformed(&pose),
    });
    boxes.fold(Bounds::EMPTY, |all, bounds| {
        if bounds.size().max_element() <= HUGE * size {
            all.union(bounds)
        } else {
            let near = content.expanded(0.5 * size);
            let clipped = Bounds {
                min: bounds.min.max(near.min),
                max: bounds.max.min(near.max),
            };
            if clipped.min.cmple(clipped.max).all() {
                all.union(clipped)
            } else {
                all
            }
        }
    })
}

/// Height along `up` of the highest ground below a point.
fn ground(world: &World, up: Vec3, point: Vec3) -> Option<f32> {
    let heights = world.colliders().filter_map(|(_, collider, pose)| {
        let Shape::Plane(plane) = &collider.shape else {
            return None;
        };
        let normal = pose.direction(plane.normal());
        let lean = normal.dot(up);
        // Straight below the point.
        let drop = plane.signed_distance(pose.local_point(point)).0 / lean;
        (!collider.trigger && lean > LEVEL && drop >= 0.0).then(|| point.dot(up) - drop)
    });
    heights.reduce(f32::max)
}

/// Where what is in a box comes to lie on the ground.
fn fallen(content: &Bounds, up: Vec3, ground: f32) -> Bounds {
    let lowest = content.min.dot(up).min(content.max.dot(up));
    let drop = lowest - ground;
    if drop <= 0.0 || drop > DEEP * content.size().max_element() {
        return Bounds::EMPTY;
    }
    let aside = SPREAD * drop * (Vec3::ONE - up);
    let level = |corner: Vec3| corner + (ground - corner.dot(up)) * up;
    Bounds::of([level(content.min) - aside, level(content.max) + aside])
}

/// The way of what an emitter gives off, until it meets the ground.
fn jet(emitter: &Emitter, gravity: Vec3, up: Vec3, ground: f32) -> Bounds {
    let velocity = emitter.speed * emitter.pose.direction(Vec3::Y);
    let way = (0..=16).map(|step| {
        let time = FLIGHT * step as f32 / 16.0;
        emitter.pose.position + time * velocity + 0.5 * time * time * gravity
    });
    Bounds::of(way.take_while(|place| place.dot(up) >= ground))
}

#[cfg(test)]
mod tests {
    use motes_core::CpuEngine;

    use crate::Scene;

    fn scenery(text: &str) -> motes_core::Bounds {
        let scene = Scene::from_toml(text, "x").unwrap();
        scene.build(Box::new(CpuEngine::new())).unwrap().stage.scenery
    }

    const GRAINS: &str = "[[grains]]\nshape = { sphere = { radius = 1, center = [0, 4, 0] } }\n";

    #[test]
    fn the_ground_below_is_scenery() {
        let lowest = |more: &str| scenery(&format!("{GRAINS}{more}")).min.y;
        let alone = lowest("");
        assert!((3.0..3.2).contains(&alone), "{alone}");
        assert!(lowest("[[collider]]\nshape = { plane = {} }\n").abs() < 1e-5);
        let above = lowest("[[collider]]\nshape = { plane = { offset = 9 } }\n");
        assert_eq!(above, alone, "what is above does not count");
        let far = lowest("[[collider]]\nshape = { plane = { offset = -900 } }\n");
        assert_eq!(far, alone, "nor what is far below");
    }

    #[test]
    fn obstacles_are_scenery_and_huge_ones_only_in_part() {
        let wide = |more: &str| scenery(&format!("{GRAINS}{more}")).max.x;
        let alone = wide("");
        let near = wide("[[collider]]\nshape = { sphere = { radius = 1, center = [3, 0, 0] } }\n");
        assert!((near - 4.0).abs() < 1e-5, "{near}");
        let huge = wide("[[collider]]\nshape = { box = { size = [900, 1, 900] } }\n");
        assert!(huge < 3.0 * alone, "{huge}");
        let hidden = wide("[[collider]]\nvisible = false\nshape = { sphere = { radius = 1, center = [3, 0, 0] } }\n");
        assert_eq!(hidden, alone);
    }

    #[test]
    fn a_jet_is_scenery_until_it_meets_the_ground() {
        let jet = "[[emitter]]\nshape = { disc = { radius = 0.2 } }\nposition = [0, 1, 0]\ndirection = [1, 0, 0]\nspeed = 6\n\
                   [[collider]]\nshape = { plane = {} }\n";
        let found = scenery(jet);
        assert!((2.0..3.5).contains(&found.max.x), "{found:?}");
        assert!(found.min.y.abs() < 1e-5, "{found:?}");
    }
}
