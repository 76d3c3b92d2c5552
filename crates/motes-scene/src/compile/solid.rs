//! Solids of a scene as signed distance functions, in the generators' coordinates.

use glam::{Affine3A, Vec3};
use motes_geometry::{Solid, castle, models};

use super::Upright;
use super::bodies::modelled;
use crate::decode::advice;
use crate::issues::Issues;
use crate::model::SolidShape;

/// The solid of a shape; notes what cannot be made.
pub(crate) fn solid(shape: &SolidShape, upright: Upright, path: &str, issues: &mut Issues<'_>) -> Option<Solid> {
    let place = |solid: Solid, at: Vec3| {
        if at == Vec3::ZERO {
            solid
        } else {
            solid.translated(upright.to_generator(at))
        }
    };
    Some(match shape {
        SolidShape::Box(shape) => {
            let (min, max) = issues.accept(&format!("{path}.box"), shape.corners())?;
            Solid::cuboid_between(upright.to_generator(min), upright.to_generator(max))
        }
        SolidShape::Sphere(ball) => place(Solid::Sphere { radius: ball.radius }, ball.center),
        SolidShape::Cylinder(shape) => {
            let half_height = 0.5 * shape.height;
            let cylinder = Solid::Cylinder {
                radius: shape.radius,
                half_height,
            };
            place(cylinder.translated(Vec3::Y * half_height), shape.base)
        }
        SolidShape::Cone(shape) => {
            if shape.radius.max(shape.top_radius) <= 0.0 {
                issues.error(&format!("{path}.cone"), "expected `radius` or `top_radius` above 0");
                return None;
            }
            place(
                Solid::frustum_on(Vec3::ZERO, shape.radius, shape.top_radius, shape.height),
                shape.base,
            )
        }
        SolidShape::Capsule(shape) => {
            let capsule = Solid::Capsule {
                radius: shape.radius,
                half_height: 0.5 * shape.length,
            };
            place(capsule, shape.center)
        }
        SolidShape::Torus(shape) => {
            let ring = Solid::Torus {
                ring_radius: shape.radius,
                tube_radius: shape.tube_radius,
            };
            place(ring, shape.center)
        }
        SolidShape::Castle(shape) => castle(shape.width),
        SolidShape::Model(shape) => {
            let Some(&known) = models::NAMES.iter().find(|known| **known == shape.name) else {
                let (help, _) = advice(&shape.name, &models::NAMES);
                let message = format!("unknown model `{}`", shape.name.escape_debug());
                issues.error_with_help(&format!("{path}.model.name"), message, help);
                return None;
            };
            let made = modelled(known, models::DEFAULT_RESOLUTION);
            let (mesh, _) = issues.accept(&format!("{path}.model"), made)?;
            Solid::of_mesh(&mesh.transformed(&Affine3A::from_scale(Vec3::splat(shape.scale))))
        }
        SolidShape::Union(parts) => Solid::Union(solids(parts, upright, &format!("{path}.union"), issues)?),
        SolidShape::Intersection(parts) => {
            Solid::Intersection(solids(parts, upright, &format!("{path}.intersection"), issues)?)
        }
        SolidShape::Difference(shape) => {
            let kept = solid(&shape.from, upright, &format!("{path}.difference.from"), issues);
            let removed = solids(&shape.remove, upright, &format!("{path}.difference.remove"), issues);
            kept?.minus(Solid::Union(removed?))
        }
        SolidShape::Placed(shape) => {
            let inner = solid(&shape.shape, upright, &format!("{path}.placed.shape"), issues)?;
            place(
                inner.rotated(upright.turn_to_generator(shape.rotation.0)),
                shape.position,
            )
        }
    })
}

fn solids(parts: &[SolidShape], upright: Upright, path: &str, issues: &mut Issues<'_>) -> Option<Vec<Solid>> {
    if parts.is_empty() {
        issues.error(path, "expected at least one solid");
        return None;
    }
    let made: Vec<Option<Solid>> = parts
        .iter()
        .enumerate()
        .map(|(index, part)| solid(part, upright, &format!("{path}[{index}]"), issues))
        .collect();
    made.into_iter().collect()
}
