//! How the parts of a world look in pictures.

use std::sync::Arc;

use motes_core::{BodyId, ColliderId, ConstraintId, CreatureId, GroupId, ParticleId, World};

use crate::compile::{BodyForm, CreatureForm, SheetForm};
use crate::model::{Color, PatternWord};

/// How the parts of a world look.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Looks {
    /// One for every group.
    pub groups: Vec<GroupLook>,
    /// One for every collider.
    pub colliders: Vec<ColliderLook>,
    /// One for every body.
    pub bodies: Vec<BodyLook>,
    /// One for every cloth and rope.
    pub sheets: Vec<SheetLook>,
    /// One for every creature.
    pub creatures: Vec<CreatureLook>,
}

/// How a creature looks.
#[derive(Clone, Debug, PartialEq)]
pub struct CreatureLook {
    /// The creature.
    pub creature: CreatureId,
    /// The group of its particles.
    pub group: GroupId,
    /// Its name.
    pub name: String,
    /// Its surface; copies share it.
    pub form: Arc<CreatureForm>,
    /// Its colour.
    pub color: Color,
    /// Whether it is drawn as a mesh; otherwise its particles are, as ellipsoids.
    pub is_mesh: bool,
}

/// How a cloth or a rope looks.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetLook {
    /// The group of its particles.
    pub group: GroupId,
    /// Its name.
    pub name: String,
    /// Its particles, by which its form names them.
    pub particles: Vec<ParticleId>,
    /// Its faces, in the order of its triangles, which say who their corners are; none where it cannot tear.
    pub faces: Vec<ConstraintId>,
    /// What is drawn of it.
    pub form: Arc<SheetForm>,
    /// Its colour.
    pub color: Color,
    /// What else there is to see of a cloth.
    pub cloth: Option<ClothLook>,
}

/// Patterns of a cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClothLook {
    /// The pattern.
    pub pattern: PatternWord,
    /// Its other colour.
    pub second_color: Color,
    /// Colour of the back, if it differs.
    pub back_color: Option<Color>,
    /// Length of one repeat, metres.
    pub repeat: f32,
}

/// How a body looks.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyLook {
    /// The body.
    pub body: BodyId,
    /// The group of its particles.
    pub group: GroupId,
    /// Its surface; copies share it.
    pub form: Arc<BodyForm>,
    /// Its colour.
    pub color: Color,
    /// Whether it is drawn as a mesh; otherwise its particles are.
    pub is_mesh: bool,
}

/// How the particles of a group look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupLook {
    /// The group.
    pub group: GroupId,
    /// Its colour.
    pub color: Color,
    /// Whether the colour was asked for; otherwise it is the next of a palette.
    pub is_chosen: bool,
}

/// How a collider looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColliderLook {
    /// The collider.
    pub collider: ColliderId,
    /// Its colour.
    pub color: Color,
    /// 1 hides what is behind.
    pub opacity: f32,
    /// Whether it is drawn.
    pub visible: bool,
}

/// Colliders without a colour of their own.
pub(crate) const COLLIDER_COLOR: Color = Color([0xa9, 0xb0, 0xb8]);

/// Objects without a colour of their own, in order.
const PALETTE: [Color; 8] = [
    Color([0xd8, 0xb0, 0x70]),
    Color([0x4e, 0x9f, 0xc9]),
    Color([0xd9, 0x6c, 0x4f]),
    Color([0x6f, 0xb0, 0x6a]),
    Color([0xa0, 0x7f, 0xc4]),
    Color([0xe0, 0xc0, 0x4a]),
    Color([0x5c, 0xb8, 0xa8]),
    Color([0xc4, 0x7f, 0x9f]),
];

/// Liquids and gases without a colour of their own.
pub(crate) fn liquid_color(preset: &str) -> Option<Color> {
    Some(Color(match preset {
        "water" => [0x3c, 0x8f, 0xd6],
        "oil" => [0xd2, 0xb4, 0x2e],
        "glycerine" => [0xc9, 0xdf, 0xe2],
        "honey" => [0xdc, 0x8a, 0x14],
        "mercury" => [0xb4, 0xb9, 0xc0],
        "mud" => [0x6b, 0x4a, 0x31],
        "lava" => [0xe2, 0x48, 0x1a],
        "molten_wax" => [0xf0, 0xe0, 0xb4],
        "molten_chocolate" => [0x5a, 0x34, 0x1f],
        "air" => [0x8f, 0xb8, 0xd8],
        "smoke" => [0x8a, 0x8f, 0x96],
        "steam" => [0xd6, 0xdf, 0xe6],
        _ => return None,
    }))
}

impl Looks {
    /// Looks of a world that was not made of a scene: a colour for every group, grey colliders, bodies as particles.
    pub fn plain(world: &World) -> Self {
        let mut looks = Self::default();
        for (group, _) in world.groups() {
            looks.add_group(group, None);
        }
        looks.colliders = world
            .colliders()
            .map(|(collider, _, _)| ColliderLook {
                collider,
                color: COLLIDER_COLOR,
                opacity: 1.0,
                visible: true,
            })
            .collect();
        looks
    }

    pub(crate) fn next_color(&self) -> Color {
        PALETTE[self.groups.len() % PALETTE.len()]
    }

    pub(crate) fn add_group(&mut self, group: GroupId, color: Option<Color>) {
        self.groups.push(GroupLook {
            group,
            color: color.unwrap_or(self.next_color()),
            is_chosen: color.is_some(),
        });
    }
}
