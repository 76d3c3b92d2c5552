//! Rays against shapes by sphere tracing (Hart 1996): from any point, a ray goes on freely as far as the surface is away.

use glam::Vec3;

use super::Shape;

/// Steps after which a ray that only grazes the shape has missed it.
const MAX_STEPS: usize = 512;

/// Distance from the surface that counts as a hit, for each metre from where the ray began, and the least.
const CLOSE: f32 = 1e-5;

impl Shape {
    /// How far a ray from `origin` along the unit vector `direction` goes before it meets the surface, metres, and the unit
    /// normal there, against the ray; all in the shape's own frame. A ray that begins inside meets it at once. `None` beyond `reach`
    /// metres.
    pub fn cast(&self, origin: Vec3, direction: Vec3, reach: f32) -> Option<(f32, Vec3)> {
        let steepness = match self {
            Self::SdfGrid(grid) => grid.steepest(),
            _ => 1.0,
        };
        let mut along = 0.0;
        for _ in 0..MAX_STEPS {
            let (distance, normal) = self.signed_distance(origin + along * direction);
            if distance <= CLOSE * along.max(1.0) {
                return Some((along, normal));
            }
            along += distance / steepness;
            // Also ends the ray that is nowhere, of numbers that are none.
            if !(along <= reach) {
                return None;
            }
        }
        None
    }
}
