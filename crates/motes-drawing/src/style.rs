//! How a drawing looks apart from what is in it: colours, ground and light.

use glam::Vec3;
use motes_render::{Ground, Lighting};
use motes_scene::Scene;
use motes_scene::model::{ColliderShape, ColorBy, GasWord, LiquidWord, SmokeTable};

/// A slab of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    /// A point half-way through it, metres.
    pub point: Vec3,
    /// Unit vector across it.
    pub normal: Vec3,
    /// How thick it is, metres.
    pub thickness: f32,
}

impl Slice {
    /// Whether a point is in it.
    pub fn contains(&self, point: Vec3) -> bool {
        (point - self.point).dot(self.normal).abs() <= 0.5 * self.thickness
    }
}

/// Colours, ground and light of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// What colours particles and bodies.
    pub color_by: ColorBy,
    /// Speed of the hottest colour, m/s; for [`ColorBy::Speed`].
    pub speed_max: f32,
    /// The ground. A plane collider that lies in it is not drawn as well.
    pub ground: Ground,
    /// Whether the ground is drawn.
    pub shows_ground: bool,
    /// Light and backdrop.
    pub lighting: Lighting,
    /// What is drawn of liquids. What is coloured by speed or id is drawn as particles in any case.
    pub liquid: LiquidWord,
    /// What is drawn of gases besides their smoke.
    pub gas: GasWord,
    /// sRGB colour of smoke.
    pub smoke_color: [u8; 3],
    /// The slab of which alone particles and smoke are drawn, if any.
    pub slice: Option<Slice>,
    /// Edge of the cubes that surfaces of liquids are made with, in diameters of particles, from 0.1 to 2.
    pub liquid_resolution: f32,
}

impl Style {
    /// The style that a scene asks for.
    pub fn of_scene(scene: &Scene) -> Self {
        let (up, render) = (scene.up.vector(), &scene.render);
        let mut lighting = Lighting::with_up(up);
        lighting.horizon_color = render.background.0;
        if let Some(light) = render.light {
            lighting.key_direction = -light;
        }
        let mut style = Self {
            color_by: render.color_by,
            speed_max: render.speed_max,
            ground: Ground {
                point: render.ground_height * up,
                normal: up,
                color: render.ground_color.0,
            },
            shows_ground: render.ground,
            lighting,
            liquid: render.liquid,
            gas: render.gas,
            smoke_color: scene
                .smoke
                .as_ref()
                .map_or(SmokeTable::default().color, |smoke| smoke.color)
                .0,
            slice: render.slice.as_ref().and_then(|slice| {
                Some(Slice {
                    point: slice.point,
                    normal: slice.normal.try_normalize()?,
                    thickness: slice.thickness,
                })
            }),
            liquid_resolution: render.liquid_resolution,
        };
        // A plane that is drawn as the ground keeps its own colour.
        let mut planes = scene.collider.iter().filter_map(|table| {
            let ColliderShape::Plane(plane) = &table.shape else {
                return None;
            };
            let normal = table.rotation.0 * plane.normal.unwrap_or(up).try_normalize()?;
            let point = table.position + normal * plane.offset;
            let is_ground = table.visible && style.is_ground(point, normal, scene.particle_radius);
            table.color.filter(|_| is_ground)
        });
        if let Some(color) = planes.next() {
            style.ground.color = color.0;
        }
        style
    }

    /// Whether what is at a point is drawn as far as it is particles or smoke.
    pub(crate) fn shows(&self, point: Vec3) -> bool {
        self.slice.is_none_or(|slice| slice.contains(point))
    }

    /// Whether liquids are drawn as surfaces.
    pub(crate) fn shows_surfaces(&self) -> bool {
        self.liquid == LiquidWord::Surface && self.color_by == ColorBy::Material
    }

    /// Whether a plane through `point` with this unit normal lies in the ground, to within `tolerance`, metres.
    pub(crate) fn is_ground(&self, point: Vec3, normal: Vec3, tolerance: f32) -> bool {
        let up = self.ground.normal;
        normal.dot(up) > 0.9999 && (point.dot(up) - self.ground.point.dot(up)).abs() < tolerance
    }
}

impl Default for Style {
    /// The style of a scene that says nothing about it: colours by material on a light ground at height 0, y up.
    fn default() -> Self {
        Self {
            color_by: ColorBy::Material,
            speed_max: 5.0,
            ground: Ground {
                point: Vec3::ZERO,
                normal: Vec3::Y,
                color: [0xd8, 0xd4, 0xcc],
            },
            shows_ground: true,
            lighting: Lighting {
                horizon_color: [0xee, 0xf1, 0xf5],
                ..Lighting::default()
            },
            liquid: LiquidWord::Surface,
            gas: GasWord::Hidden,
            smoke_color: SmokeTable::default().color.0,
            slice: None,
            liquid_resolution: 0.5,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_the_style_of_an_empty_scene() {
        let scene = Scene::from_toml("", "empty.toml").expect("a scene");
        assert_eq!(Style::of_scene(&scene), Style::default());
    }

    #[test]
    fn light_shines_where_the_scene_says() {
        let text = "up = \"z\"\n[render]\nlight = [0, 0, -1]\nground_height = 2\n";
        let style = Style::of_scene(&Scene::from_toml(text, "light.toml").expect("a scene"));
        assert_eq!(style.lighting.key_direction, Vec3::Z);
        assert_eq!(style.ground.point, Vec3::Z * 2.0);
    }

    #[test]
    fn a_slice_shows_what_is_between_its_sides() {
        let style = |text: &str| Style::of_scene(&Scene::from_toml(text, "slice.toml").expect("a scene"));
        let slice = style("[render]\nslice = { point = [0, 1, 0], normal = [0, 2, 0], thickness = 0.4 }\n");
        let shown = [0.75, 0.85, 1.15, 1.25].map(|height| slice.shows(Vec3::new(9.0, height, -9.0)));
        assert_eq!(shown, [false, true, true, false]);
        assert!(style("").shows(Vec3::splat(1e6)));
        assert!(
            style("[render]\nslice = { normal = [0, 0, 0] }\n").shows(Vec3::ONE),
            "no slab"
        );
    }

    #[test]
    fn a_plane_in_the_ground_gives_it_its_color() {
        let color = |collider: &str| {
            let text = format!("[[collider]]\n{collider}\n");
            Style::of_scene(&Scene::from_toml(&text, "plane.toml").expect("a scene"))
                .ground
                .color
        };
        assert_eq!(color("shape = { plane = {} }\ncolor = \"teal\""), [0, 128, 128]);
        let usual = Style::default().ground.color;
        assert_eq!(color("shape = { plane = {} }"), usual);
        assert_eq!(color("shape = { plane = { offset = 1 } }\ncolor = \"teal\""), usual);
        assert_eq!(
            color("shape = { plane = {} }\nrotation = [0, 0, 30]\ncolor = \"teal\""),
            usual
        );
    }

    #[test]
    fn only_a_level_plane_at_its_height_is_the_ground() {
        let mut style = Style::default();
        style.ground.point = Vec3::Y * 0.5;
        let is_ground = |point, normal: Vec3| style.is_ground(point, normal.normalize(), 0.05);
        assert!(is_ground(Vec3::new(7.0, 0.5, 1.0), Vec3::Y));
        assert!(!is_ground(Vec3::ZERO, Vec3::Y));
        assert!(!is_ground(Vec3::Y * 0.5, Vec3::new(0.2, 1.0, 0.0)));
        assert!(!is_ground(Vec3::Y * 0.5, Vec3::NEG_Y));
    }
}
