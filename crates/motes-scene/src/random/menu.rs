//! What random scenes may have, so that some of it can be left out.

/// Something that a random scene can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Ingredient {
    /// Loose particles.
    Grains,
    /// Bodies that keep their shape.
    Rigid,
    /// Elastic bodies.
    Soft,
    /// Bodies that keep dents.
    Plastic,
    /// Bodies that melt and freeze.
    Melting,
    /// Joints to the world, to colliders and between bodies.
    Joints,
    /// Colliders besides the walls of the room.
    Obstacles,
    /// Colliders and bodies that move by themselves, the room included.
    Motion,
    /// Sources of particles.
    Emitters,
    /// Force fields.
    Fields,
    /// Particles of several sizes.
    Sizes,
    /// Restitution above 0.
    Rebounds,
    /// Grains that keep their distance from each other and from bodies.
    Rows,
    /// Sheets, and the wind.
    Cloth,
    /// Cords.
    Ropes,
    /// Colliders whose surface runs.
    Belts,
    /// Regions that count, remove or switch.
    Triggers,
    /// Blocks and jets of liquids.
    Liquids,
    /// Closed cloth that is filled.
    Balloons,
    /// Cloth that tears or is cut.
    Tears,
    /// Cloth and ropes that are attached to something.
    Ties,
    /// Gas and plumes, with smoke.
    Smoke,
}

impl Ingredient {
    /// All of them, by their names.
    pub const ALL: [(&'static str, Self); 22] = [
        ("grains", Self::Grains),
        ("rigid", Self::Rigid),
        ("soft", Self::Soft),
        ("plastic", Self::Plastic),
        ("melting", Self::Melting),
        ("joints", Self::Joints),
        ("obstacles", Self::Obstacles),
        ("motion", Self::Motion),
        ("emitters", Self::Emitters),
        ("fields", Self::Fields),
        ("sizes", Self::Sizes),
        ("rebounds", Self::Rebounds),
        ("rows", Self::Rows),
        ("cloth", Self::Cloth),
        ("ropes", Self::Ropes),
        ("belts", Self::Belts),
        ("triggers", Self::Triggers),
        ("liquids", Self::Liquids),
        ("balloons", Self::Balloons),
        ("tears", Self::Tears),
        ("ties", Self::Ties),
        ("smoke", Self::Smoke),
    ];

    /// The one of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(other, _)| *other == name)
            .map(|(_, found)| *found)
    }
}

/// A choice of ingredients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Menu(u32);

impl Menu {
    /// Everything.
    pub const FULL: Self = Self(u32::MAX);

    /// The same without some.
    pub fn without(self, left_out: &[Ingredient]) -> Self {
        Self(left_out.iter().fold(self.0, |bits, out| bits & !(1 << *out as u32)))
    }

    /// Whether something is on it.
    pub fn has(self, wanted: Ingredient) -> bool {
        self.0 >> wanted as u32 & 1 == 1
    }
}
