//! What a picture shows: the camera, the things before it and the light on them.

use crate::{Mesh, Puff};
use glam::{Affine3A, Quat, Vec3, Vec4};

/// A perspective camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where the camera stands, metres.
    pub position: Vec3,
    /// The point in the middle of the picture, metres. Its distance also sets how far the ground reaches before it fades.
    pub target: Vec3,
    /// A direction that points upwards in the picture.
    pub up: Vec3,
    /// Vertical field of view, degrees.
    pub field_of_view: f32,
}

/// Spheres of one radius.
#[derive(Clone, Copy, Debug)]
pub struct Spheres<'a> {
    /// Centres, metres; the fourth component is not read. A centre that is not finite is not drawn.
    pub positions: &'a [Vec4],
    /// Radius of every sphere, metres.
    pub radius: f32,
    /// sRGB colours, one per sphere; spheres past the end of the list are light grey.
    pub colors: &'a [[u8; 3]],
    /// Whether light goes about in them before it comes out, as in foam and drops: they look bright from all sides and cast no shadow.
    pub scatters: bool,
}

/// A mesh placed in the world.
#[derive(Clone, Copy, Debug)]
pub struct MeshInstance<'a> {
    /// The mesh, in its own coordinates.
    pub mesh: &'a Mesh,
    /// From mesh coordinates to the world.
    pub pose: Affine3A,
    /// sRGB colour.
    pub color: [u8; 3],
    /// 1 is opaque; less is glass, through which the things behind show and which casts a fainter shadow.
    pub opacity: f32,
    /// Whether it keeps light from other things. Boards that stand for endless planes do not: they would darken all.
    pub casts_shadow: bool,
}

/// An endless plane that catches shadows and fades into the background.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Any point of the plane, metres.
    pub point: Vec3,
    /// The direction away from the ground.
    pub normal: Vec3,
    /// sRGB colour.
    pub color: [u8; 3],
}

/// One key light, the sky around it and the backdrop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lighting {
    /// The direction in which the sky lies.
    pub up: Vec3,
    /// The direction towards the key light.
    pub key_direction: Vec3,
    /// sRGB colour of the key light.
    pub key_color: [u8; 3],
    /// Strength of the key light: 1 lights a white surface that faces it to a radiance of 1.
    pub key_strength: f32,
    /// Half the angle under which the key light is seen, degrees; larger makes softer shadows.
    pub key_angle: f32,
    /// sRGB colour of the light from the sky.
    pub sky_color: [u8; 3],
    /// Strength of the light from the sky.
    pub sky_strength: f32,
    /// sRGB colour of the light thrown back by whatever lies below.
    pub bounce_color: [u8; 3],
    /// sRGB colour of the backdrop at the horizon, as it appears in the picture.
    pub horizon_color: [u8; 3],
    /// sRGB colour of the backdrop high up, as it appears in the picture.
    pub zenith_color: [u8; 3],
}

impl Lighting {
    /// The default studio for a world whose sky lies along `up`.
    pub fn with_up(up: Vec3) -> Self {
        let up = up.try_normalize().unwrap_or(Vec3::Y);
        let turn = Quat::from_rotation_arc(Vec3::Y, up);
        Self {
            up,
            key_direction: turn * Vec3::new(-0.62, 0.78, 0.32),
            key_color: [255, 232, 204],
            key_strength: 1.15,
            key_angle: 3.0,
            sky_color: [206, 224, 255],
            sky_strength: 0.55,
            bounce_color: [214, 190, 164],
            horizon_color: [226, 224, 220],
            zenith_color: [126, 146, 168],
        }
    }
}

impl Default for Lighting {
    /// A warm key from the upper left and a cool, weaker sky, y up: shadows stay blue and readable.
    fn default() -> Self {
        Self::with_up(Vec3::Y)
    }
}

/// Everything one picture shows.
#[derive(Clone, Debug)]
pub struct Drawing<'a> {
    /// The camera.
    pub camera: Camera,
    /// Groups of spheres.
    pub spheres: Vec<Spheres<'a>>,
    /// Meshes, opaque and glass in any order.
    pub meshes: Vec<MeshInstance<'a>>,
    /// Smoke, in any order.
    pub puffs: &'a [Puff],
    /// The ground, if there is one.
    pub ground: Option<Ground>,
    /// The light and the backdrop.
    pub lighting: Lighting,
}
