//! What the liquids among the materials look like.

use motes_core::Material;
use motes_render::{Liquid, Mesh};

use crate::liquid::LiquidMesh;

/// How a liquid lets light through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Clarity {
    /// One can see through it.
    Clear {
        /// How far light goes until it has the liquid's colour, relative to the edge of a cube of all of the liquid: a glass of it and a lake
        /// look alike.
        depth: f32,
        /// How much of the light that is lost comes back as its own, 0 to 1.
        cloudiness: f32,
        /// Refractive index.
        refractive_index: f32,
    },
    /// A metal, which mirrors everything.
    Metal,
    /// One cannot see into it.
    Opaque,
}

/// How a liquid looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LiquidLook {
    /// sRGB colour.
    pub color: [u8; 3],
    /// How it lets light through.
    pub clarity: Clarity,
}

/// Looks of the presets; all others look like the first.
const LOOKS: [(Material, LiquidLook); 9] = [
    (Material::WATER, clear([52, 150, 178], 1.0, 0.2, 1.33)),
    (Material::OIL, clear([206, 176, 40], 0.6, 0.25, 1.47)),
    (Material::GLYCERINE, clear([206, 220, 222], 1.0, 0.2, 1.47)),
    (Material::HONEY, clear([214, 122, 14], 0.35, 0.3, 1.5)),
    (
        Material::MERCURY,
        LiquidLook {
            color: [214, 216, 220],
            clarity: Clarity::Metal,
        },
    ),
    (Material::MUD, opaque([112, 84, 58])),
    (Material::LAVA, opaque([226, 72, 20])),
    (Material::MOLTEN_WAX, clear([240, 224, 180], 0.15, 0.6, 1.43)),
    (Material::MOLTEN_CHOCOLATE, opaque([90, 52, 31])),
];

const fn clear(color: [u8; 3], depth: f32, cloudiness: f32, refractive_index: f32) -> LiquidLook {
    LiquidLook {
        color,
        clarity: Clarity::Clear {
            depth,
            cloudiness,
            refractive_index,
        },
    }
}

const fn opaque(color: [u8; 3]) -> LiquidLook {
    LiquidLook {
        color,
        clarity: Clarity::Opaque,
    }
}

impl LiquidLook {
    /// The look of a material: that of the preset it is most like, in its colour or in one that was asked for.
    pub fn of(material: &Material, color: Option<[u8; 3]>) -> Self {
        // A changed preset is still the same substance to the eye.
        let alike = |known: &Material| known.density == material.density && known.viscosity == material.viscosity;
        let known = LOOKS.iter().find(|(known, _)| alike(known));
        let look = known.map_or(LOOKS[0].1, |(_, look)| *look);
        Self {
            color: color.unwrap_or(look.color),
            ..look
        }
    }

    /// Opacity for programs that know no liquids, and for shadows: 1 hides what is behind.
    pub fn opacity(&self) -> f32 {
        match self.clarity {
            Clarity::Clear { .. } => 0.35,
            Clarity::Metal | Clarity::Opaque => 1.0,
        }
    }

    /// A mesh to draw of a liquid whose bulk has an edge, metres.
    pub(crate) fn mesh(&self, liquid: &LiquidMesh, edge: f32) -> Mesh {
        let surface = &liquid.surface;
        let (positions, triangles) = (surface.positions.clone(), surface.triangles.clone());
        let look = Liquid {
            film: 0.4 * liquid.diameter,
            ..Liquid::default()
        };
        let look = match self.clarity {
            Clarity::Opaque => return Mesh::with_normals(positions, triangles, &surface.normals),
            Clarity::Metal => Liquid { metallic: true, ..look },
            Clarity::Clear {
                depth,
                cloudiness,
                refractive_index,
            } => Liquid {
                depth: depth * edge,
                cloudiness,
                refractive_index,
                ..look
            },
        };
        Mesh::of_liquid(positions, triangles, &surface.normals, look)
    }
}

/// Radius of a drop of spray, in diameters of particles.
const DROP: f32 = 0.2;

/// White, as foam is.
pub(crate) const FOAM: [u8; 3] = [240, 245, 248];

/// A mesh of the drops of a liquid's spray.
pub(crate) fn drops(liquid: &LiquidMesh) -> Mesh {
    let ball = motes_geometry::Mesh::ball(DROP * liquid.diameter, 6);
    let count = ball.positions.len() as u32;
    let places = liquid.spray.iter();
    let positions = places.flat_map(|place| ball.positions.iter().map(move |corner| *place + *corner));
    let triangles = (0..liquid.spray.len() as u32).flat_map(|number| {
        let shift = move |corner: u32| number * count + corner;
        ball.triangles.iter().map(move |corners| corners.map(shift))
    });
    let normals: Vec<_> = ball.positions.iter().map(|corner| corner.normalize_or_zero()).collect();
    let normals = normals.repeat(liquid.spray.len());
    let foam = Liquid {
        depth: 0.02 * liquid.diameter,
        cloudiness: 1.0,
        film: 0.0,
        ..Liquid::default()
    };
    Mesh::of_liquid(positions.collect(), triangles.collect(), &normals, foam)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_look_like_themselves_even_if_they_are_changed_a_little() {
        let honey = LiquidLook::of(&Material::HONEY.with_friction(0.2), None);
        assert_eq!(honey, LOOKS[3].1);
        let dyed = LiquidLook::of(&Material::WATER, Some([255, 0, 0]));
        assert_eq!((dyed.color, dyed.clarity), ([255, 0, 0], LOOKS[0].1.clarity));
        assert_eq!(LiquidLook::of(&Material::SAND, None), LOOKS[0].1);
        assert_eq!(LiquidLook::of(&Material::MUD, None).opacity(), 1.0);
    }
}
