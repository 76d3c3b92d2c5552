//! A procedural sand castle: four corner towers, a crenellated curtain wall with a gate, and a keep on a mound.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Quat, Vec3};

use crate::solid::Solid;

/// Dimensions of a sand castle, metres. It stands on y = 0, centred on the y axis, with the gate towards +z.
///
/// The defaults are drawn for grains of 1/130 to 1/160 of the width: walls are six grains thick or more, merlons
/// three grains wide, and the towers lean inward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Castle {
    /// Edge of the square plate that everything stands on.
    pub width: f32,
    /// Height of the plate.
    pub plate_height: f32,
    /// Distance between the middles of opposite curtain walls, and of neighbouring corner towers.
    pub span: f32,
    /// Height of the wall-walk above the plate.
    pub wall_height: f32,
    /// Thickness of the curtain walls.
    pub wall_thickness: f32,
    /// Radius of a corner tower at its foot; the top is narrower by a tenth.
    pub tower_radius: f32,
    /// Height of the corner towers above the plate, with merlons.
    pub tower_height: f32,
    /// Radius of the keep at its foot.
    pub keep_radius: f32,
    /// Height of the keep above the plate, with mound and merlons.
    pub keep_height: f32,
    /// Width of the gate.
    pub gate_width: f32,
    /// Height of the merlons.
    pub merlon_height: f32,
    /// Distance between the middles of neighbouring merlons on the walls; towers come as close as a whole number allows.
    pub merlon_pitch: f32,
    /// Gap between neighbouring merlons.
    pub crenel: f32,
    /// Thickness of the parapet that the merlons are cut from.
    pub parapet: f32,
}

/// The default castle of a width in metres.
pub fn castle(width: f32) -> Solid {
    Castle::of_width(width).solid()
}

impl Castle {
    /// The default proportions at a width in metres.
    pub fn of_width(width: f32) -> Self {
        Self {
            width,
            plate_height: 0.030 * width,
            span: 0.72 * width,
            wall_height: 0.165 * width,
            wall_thickness: 0.092 * width,
            tower_radius: 0.118 * width,
            tower_height: 0.36 * width,
            keep_radius: 0.155 * width,
            keep_height: 0.62 * width,
            gate_width: 0.105 * width,
            merlon_height: 0.056 * width,
            merlon_pitch: 0.102 * width,
            crenel: 0.031 * width,
            parapet: 0.057 * width,
        }
    }

    /// The castle as one solid. All parts reach down into the plate, so that no seam is left between them.
    pub fn solid(&self) -> Solid {
        let mut parts = vec![self.plate()];
        for quarter in 0..4 {
            let turn = Quat::from_rotation_y(quarter as f32 * FRAC_PI_2);
            let outward = turn * Vec3::new(0.0, 0.0, 0.5 * self.span);
            let wall = self.wall();
            let wall = if quarter == 0 {
                wall.minus(self.gate_passage())
            } else {
                wall
            };
            parts.push(wall.rotated(turn).translated(outward));
        }
        for (x, z) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            parts.push(self.corner_tower().translated(0.5 * self.span * Vec3::new(x, 0.0, z)));
        }
        parts.push(self.gatehouse().translated(Vec3::new(0.0, 0.0, 0.5 * self.span)));
        parts.push(self.keep());
        Solid::Union(parts)
    }

    fn plate(&self) -> Solid {
        let half = 0.5 * self.width;
        let bevel = 0.5 * self.plate_height;
        let lower = Solid::cuboid_between(
            Vec3::new(-half, 0.0, -half),
            Vec3::new(half, 0.5 * self.plate_height, half),
        );
        let inset = half - bevel;
        let upper = Solid::cuboid_between(
            Vec3::new(-inset, 0.0, -inset),
            Vec3::new(inset, self.plate_height, inset),
        );
        Solid::Union(vec![lower, upper])
    }

    /// One curtain wall along x, its outer face towards +z.
    fn wall(&self) -> Solid {
        let (half, depth) = (0.5 * self.span, 0.5 * self.wall_thickness);
        let walk = self.plate_height + self.wall_height;
        let top = walk + self.merlon_height;
        let body = Solid::cuboid_between(Vec3::new(-half, 0.0, -depth), Vec3::new(half, top, depth));
        let mut cuts = vec![Solid::cuboid_between(
            Vec3::new(-self.span, walk, -2.0 * depth),
            Vec3::new(self.span, 2.0 * top, depth - self.parapet),
        )];
        let crenels = (self.span / self.merlon_pitch).min(MAX_CRENELS) as u32;
        let reach = 0.5 * self.crenel;
        for index in 0..crenels {
            let middle = (index as f32 - 0.5 * (crenels - 1) as f32) * self.merlon_pitch;
            cuts.push(Solid::cuboid_between(
                Vec3::new(middle - reach, walk, -2.0 * depth),
                Vec3::new(middle + reach, 2.0 * top, 2.0 * depth),
            ));
        }
        body.minus(Solid::Union(cuts))
    }

    fn corner_tower(&self) -> Solid {
        self.turret(Turret {
            top: self.plate_height + self.tower_height,
            bottom_radius: self.tower_radius,
            top_radius: 0.9 * self.tower_radius,
        })
    }

    /// The block over the gate and the two towers beside it, around the middle of the front wall.
    fn gatehouse(&self) -> Solid {
        let radius = 0.6 * self.tower_radius;
        let side = 0.5 * self.gate_width + 0.8 * radius;
        let depth = 0.75 * self.wall_thickness;
        let lintel = self.plate_height + self.wall_height + self.merlon_height;
        let block = Solid::cuboid_between(Vec3::new(-side, 0.0, -depth), Vec3::new(side, lintel, depth));
        let tower = self.turret(Turret {
            top: self.plate_height + self.wall_height + 2.1 * self.merlon_height,
            bottom_radius: radius,
            top_radius: 0.92 * radius,
        });
        Solid::Union(vec![
            block,
            tower.clone().translated(Vec3::new(-side, 0.0, 0.5 * depth)),
            tower.translated(Vec3::new(side, 0.0, 0.5 * depth)),
        ])
        .minus(self.gate_passage())
    }

    fn gate_passage(&self) -> Solid {
        archway(
            self.gate_width,
            self.plate_height,
            0.72 * self.wall_height,
            4.0 * self.wall_thickness,
        )
    }

    /// Two storeys on a mound, with a door and stairs facing the gate.
    fn keep(&self) -> Solid {
        let mound_top = self.plate_height + 0.14 * self.keep_height;
        let (lower_top, upper_top) = (0.64 * self.keep_height, self.keep_height);
        let radius = self.keep_radius;
        let lower = self.turret(Turret {
            top: self.plate_height + lower_top,
            bottom_radius: radius,
            top_radius: 0.9 * radius,
        });
        let upper = self.turret(Turret {
            top: self.plate_height + upper_top,
            bottom_radius: 0.68 * radius,
            top_radius: 0.62 * radius,
        });
        let door =
            archway(0.3 * radius, mound_top, 0.45 * radius, 0.5 * radius).translated(Vec3::new(0.0, 0.0, radius));
        let mound = Solid::frustum_on(Vec3::ZERO, 1.55 * radius, 1.2 * radius, mound_top);
        let mut parts = vec![lower.minus(door), upper, mound];
        parts.extend(self.stairs(1.1 * radius, 1.75 * radius, mound_top));
        Solid::Union(parts)
    }

    /// Steps from the mound down to the court, each reaching to the ground.
    fn stairs(&self, near: f32, far: f32, height: f32) -> Vec<Solid> {
        let half_width = 0.25 * self.keep_radius;
        (1..=STEPS)
            .map(|step| {
                let fraction = step as f32 / STEPS as f32;
                let top = self.plate_height + (height - self.plate_height) * (1.0 - fraction + 1.0 / STEPS as f32);
                let end = near + (far - near) * fraction;
                Solid::cuboid_between(Vec3::new(-half_width, 0.0, 0.0), Vec3::new(half_width, top, end))
            })
            .collect()
    }

    /// A round tower whose top is hollowed into a parapet and cut into merlons by crossing slots.
    fn turret(&self, turret: Turret) -> Solid {
        let Turret {
            top,
            bottom_radius,
            top_radius,
        } = turret;
        let walk = top - self.merlon_height;
        let body = Solid::frustum_on(Vec3::ZERO, bottom_radius, top_radius, top);
        let hollow = top_radius - self.parapet;
        let mut cuts = vec![Solid::frustum_on(Vec3::Y * walk, hollow, hollow, top)];
        let slots = (PI * top_radius / self.merlon_pitch).round().clamp(2.0, MAX_CRENELS) as u32;
        let slot = Vec3::new(2.0 * bottom_radius, self.merlon_height, 0.5 * self.crenel);
        for index in 0..slots {
            let angle = (index as f32 + 0.5) * PI / slots as f32;
            cuts.push(
                Solid::Cuboid { half_extents: slot }
                    .rotated(Quat::from_rotation_y(angle))
                    .translated(Vec3::Y * (walk + self.merlon_height)),
            );
        }
        body.minus(Solid::Union(cuts))
    }
}

/// A round tower from the ground to `top`, metres.
struct Turret {
    top: f32,
    bottom_radius: f32,
    top_radius: f32,
}

const STEPS: u32 = 5;

/// Keeps a castle with a vanishing merlon pitch buildable.
const MAX_CRENELS: f32 = 100.0;

/// The hole of an arched passage along z, from `floor` up to `floor + height` at its crown.
fn archway(width: f32, floor: f32, height: f32, depth: f32) -> Solid {
    let (half, spring) = (0.5 * width, floor + height - 0.5 * width);
    Solid::Union(vec![
        Solid::cuboid_between(
            Vec3::new(-half, floor, -0.5 * depth),
            Vec3::new(half, spring, 0.5 * depth),
        ),
        Solid::Cylinder {
            radius: half,
            half_height: 0.5 * depth,
        }
        .rotated(Quat::from_rotation_x(FRAC_PI_2))
        .translated(Vec3::Y * spring),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fill::{Filling, fill_count};

    #[test]
    fn castle_is_its_own_mirror_image_left_to_right() {
        let solid = castle(2.0);
        for index in 0..4000u32 {
            let place = Vec3::new(
                (index % 20) as f32 * 0.05,
                (index / 20 % 10) as f32 * 0.13,
                (index / 200) as f32 * 0.1 - 1.0,
            );
            let mirrored = place * Vec3::new(-1.0, 1.0, 1.0);
            assert!((solid.distance(place) - solid.distance(mirrored)).abs() < 1e-5);
        }
    }

    #[test]
    fn castle_stands_on_the_ground_within_its_width() {
        let bounds = castle(3.0).bounds();
        assert!(bounds.min.y.abs() < 1e-6);
        assert!((bounds.size().x - 3.0).abs() < 1e-5 && (bounds.size().z - 3.0).abs() < 1e-5);
    }

    #[test]
    fn towers_keep_and_walls_are_solid_where_they_should_be() {
        let plan = Castle::of_width(1.0);
        let solid = plan.solid();
        let inside = |x: f32, y: f32, z: f32| solid.distance(Vec3::new(x, y, z)) < 0.0;
        let reach = 0.5 * plan.span;
        let below_the_crenels = plan.plate_height + plan.tower_height - 1.2 * plan.merlon_height;
        for (x, z) in [(reach, reach), (-reach, reach), (reach, -reach), (-reach, -reach)] {
            assert!(inside(x, below_the_crenels, z));
        }
        assert!(inside(0.0, 0.85 * plan.keep_height, 0.0));
        assert!(inside(-reach, 0.5 * plan.wall_height, 0.1) && inside(0.15, 0.5 * plan.wall_height, -reach));
        assert!(
            !inside(0.5 * reach + 0.1, 0.5 * plan.wall_height, 0.0),
            "the court is open"
        );
        assert!(!inside(0.0, 0.4 * plan.wall_height, reach), "the gate is open");
    }

    #[test]
    fn walls_are_six_grains_thick_at_the_published_count() {
        let grains = fill_count(&castle(1.0), 73_000, &Filling::hexagonal(0.0)).unwrap();
        assert!(grains.centers.len().abs_diff(73_000) < 730);
        assert!(
            (1.0 / 160.0..1.0 / 130.0).contains(&grains.radius),
            "{}",
            1.0 / grains.radius
        );
        assert!(Castle::of_width(1.0).wall_thickness > 12.0 * grains.radius);
    }

    #[test]
    fn castle_grows_with_its_width() {
        let place = Vec3::new(0.2, 0.1, 0.3);
        let (small, large) = (castle(1.0).distance(place), castle(4.0).distance(4.0 * place));
        assert!((4.0 * small - large).abs() < 1e-4);
    }
}
