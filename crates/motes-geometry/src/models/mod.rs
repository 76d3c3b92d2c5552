//! Models that come with motes: animals and things as smooth unions and cuts of signed distance functions, meshed at any
//! resolution.
//!
//! All are about a metre large, stand on y = 0 with y up, and those with a face look along +x.

mod banana;
mod beast;
mod brush;
mod cord;
mod doll;
mod fish;
mod gear;
mod octopus;
mod rabbit;
mod teapot;
mod truck;
mod weed;

use glam::Vec3;
use motes_core::Bounds;

use crate::castle::castle;
use crate::dual_contour::dual_contour;
use crate::error::GeometryError;
use crate::mesh::Mesh;
use crate::primitives;

/// A signed distance function, metres, negative inside.
pub(crate) type Sculpture = Box<dyn Fn(Vec3) -> f32 + Send + Sync>;

/// Names of all models, in alphabetical order.
pub const NAMES: [&str; 13] = [
    "banana", "beast", "castle", "cord", "doll", "fish", "gear", "octopus", "rabbit", "teapot", "torus", "truck",
    "weed",
];

/// A model: a solid given by its signed distance.
pub struct Model {
    name: &'static str,
    color: [u8; 3],
    bounds: Bounds,
    sculpture: Sculpture,
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Cells along the longest side of a model when nothing else is asked for: fine enough for every eye, fin and claw.
pub const DEFAULT_RESOLUTION: u32 = 128;

/// The model of a name, one of [`NAMES`].
pub fn by_name(name: &str) -> Option<Model> {
    let (name, color, sculpture): (_, _, Sculpture) = match name {
        "banana" => ("banana", [238, 200, 62], banana::sculpture()),
        "beast" => ("beast", [150, 142, 104], beast::sculpture()),
        "castle" => {
            let solid = castle(1.0);
            ("castle", [226, 190, 134], Box::new(move |point| solid.distance(point)))
        }
        "cord" => ("cord", [196, 164, 112], cord::sculpture()),
        "doll" => ("doll", [206, 150, 96], doll::sculpture()),
        "fish" => ("fish", [232, 128, 66], fish::sculpture()),
        "gear" => ("gear", [142, 152, 164], gear::sculpture()),
        "octopus" => ("octopus", [190, 78, 88], octopus::sculpture()),
        "rabbit" => ("rabbit", [206, 184, 160], rabbit::sculpture()),
        "teapot" => ("teapot", [96, 142, 160], teapot::sculpture()),
        "torus" => (
            "torus",
            [214, 120, 140],
            Box::new(|point: Vec3| primitives::torus(point - Vec3::Y * 0.15, 0.35, 0.15)),
        ),
        "truck" => ("truck", [196, 64, 52], truck::sculpture()),
        "weed" => ("weed", [92, 140, 74], weed::sculpture()),
        _ => return None,
    };
    let bounds = find_bounds(&sculpture);
    Some(Model {
        name,
        color,
        bounds,
        sculpture,
    })
}

impl Model {
    /// Its name, as in [`NAMES`].
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// An sRGB colour that suits it.
    pub fn color(&self) -> [u8; 3] {
        self.color
    }

    /// A box around it, metres, with a little room.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Signed distance to its surface, metres, negative inside. The sign is right everywhere, the size within a factor
    /// of two near the surface.
    pub fn distance(&self, point: Vec3) -> f32 {
        (self.sculpture)(point)
    }

    /// Its surface as one closed mesh, with `resolution` cells along the longest side. Parts that come loose because
    /// they are thinner than a cell are left out.
    pub fn mesh(&self, resolution: u32) -> Result<Mesh, GeometryError> {
        let cell_size = self.bounds.size().max_element() / resolution.max(1) as f32;
        let bounds = self.bounds.expanded(1.5 * cell_size);
        let mesh = dual_contour(&*self.sculpture, &bounds, cell_size)?;
        Ok(mesh.largest_part())
    }
}

/// Cells along the box in which a model is looked for, and its half width, metres.
const SEARCH: (u32, f32) = (72, 0.9);

/// The box around the cells of a coarse grid that can hold a part of the solid.
fn find_bounds(sculpture: &Sculpture) -> Bounds {
    let (cells, half) = SEARCH;
    let cell_size = 2.0 * half / cells as f32;
    let reach = 0.87 * cell_size;
    let mut bounds = Bounds::EMPTY;
    let corner = Vec3::new(-half, -0.2, -half) + 0.5 * cell_size;
    for row in 0..cells * cells {
        let start = corner + cell_size * Vec3::new(0.0, (row % cells) as f32, (row / cells) as f32);
        let mut step = 0;
        while step < cells {
            let center = start + Vec3::X * (step as f32 * cell_size);
            let known = bounds.contains(center - reach) && bounds.contains(center + reach);
            let distance = if known { 0.0 } else { sculpture(center) };
            if distance <= reach {
                bounds = bounds.with(center - reach).with(center + reach);
            }
            step += (0.5 * distance.abs() / cell_size).max(1.0) as u32;
        }
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_is_one_closed_solid_on_the_ground_at_every_resolution() {
        for name in NAMES {
            let model = by_name(name).unwrap();
            assert_eq!(model.name(), name);
            let fine = model.mesh(64).unwrap();
            let cell = model.bounds().size().max_element() / 64.0;
            assert!(fine.bounds().min.y.abs() < cell, "{name}: {}", fine.bounds().min.y);
            let size = fine.bounds().size().max_element();
            assert!((0.6..1.4).contains(&size), "{name}: {size}");
            for mesh in [&fine, &model.mesh(40).unwrap(), &model.mesh(24).unwrap()] {
                assert!(mesh.is_watertight(), "{name}");
                assert_eq!(mesh.parts().len(), 1, "{name}");
                let share = mesh.volume() / fine.volume();
                assert!(share > 0.6 && share < 1.2, "{name}: {share}");
            }
        }
    }

    #[test]
    fn no_part_of_a_model_is_loose() {
        for name in NAMES {
            let model = by_name(name).unwrap();
            let cell_size = model.bounds().size().max_element() / 84.0;
            let mesh = dual_contour(&*model.sculpture, &model.bounds().expanded(cell_size), cell_size).unwrap();
            let largest = mesh.parts().iter().map(Vec::len).max().unwrap();
            assert!(
                largest as f32 > 0.998 * mesh.triangles.len() as f32,
                "{name}: {largest}"
            );
        }
    }

    #[test]
    fn unknown_names_are_nobody() {
        assert!(by_name("dragon").is_none());
    }
}
