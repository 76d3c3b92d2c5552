//! Balloons: balls of triangles of nearly one size.

use glam::{Vec2, Vec3};

use super::{ClothShape, SheetOptions};
use crate::error::{GeometryError, positive};
use crate::mesh::Mesh;

/// Most triangles along an edge of the icosahedron.
const MAX_STEPS: f64 = 1000.0;

impl ClothShape {
    /// A ball around the origin with vertices about `spacing` metres apart, from 0.75 to 1.2 times: the faces of an icosahedron cut into
    /// triangles and blown up.
    pub fn ball(radius: f32, spacing: f32) -> Result<Self, GeometryError> {
        let (radius, spacing) = (positive("radius", radius)?, positive("spacing", spacing)?);
        // Two vertices of an icosahedron are 63.4° apart.
        let steps = (f64::from(radius) * 2.0f64.atan() / f64::from(spacing)).ceil();
        if steps > MAX_STEPS {
            return Err(GeometryError::TooManyPoints {
                wanted: 10.0 * steps * steps,
                limit: 10.0 * MAX_STEPS * MAX_STEPS,
            });
        }
        let steps = steps.max(1.0) as u32;
        let mut mesh = Mesh::default();
        for face in icosahedron() {
            add_face(&mut mesh, face, steps);
        }
        for place in &mut mesh.positions {
            *place = place.normalize() * radius;
        }
        let options = SheetOptions {
            weld: Some(1e-3 * radius / steps as f32),
            ..SheetOptions::default()
        };
        Self::from_closed_mesh(&mesh, &options).map(|(shape, _)| shape)
    }
}

fn add_face(mesh: &mut Mesh, [a, b, c]: [Vec3; 3], steps: u32) {
    let first = mesh.positions.len() as u32;
    // Row after row from the side a–b to the corner c.
    let start = |row: u32| first + row * (steps + 1) - row * row.saturating_sub(1) / 2;
    for row in 0..=steps {
        for column in 0..=steps - row {
            let [x, y] = [column, row].map(|number| number as f32 / steps as f32);
            mesh.positions.push(a * (1.0 - x - y) + b * x + c * y);
        }
    }
    for row in 0..steps {
        for column in 0..steps - row {
            let [here, above] = [start(row) + column, start(row + 1) + column];
            mesh.triangles.push([here, here + 1, above]);
            if column + 1 < steps - row {
                mesh.triangles.push([here + 1, above + 1, above]);
            }
        }
    }
}

/// Faces of an icosahedron, counter-clockwise seen from outside.
fn icosahedron() -> Vec<[Vec3; 3]> {
    let (low, side) = (0.2f32.sqrt(), 0.8f32.sqrt());
    let ring = |index: u32, turn: f32, height: f32| {
        let flat = Vec2::from_angle((index as f32 + turn) * 0.2 * std::f32::consts::TAU) * side;
        Vec3::new(flat.x, height, -flat.y)
    };
    let mut faces = Vec::new();
    for index in 0..5 {
        let upper = [index, index + 1].map(|index| ring(index, 0.0, low));
        let lower = [index, index + 1].map(|index| ring(index, 0.5, -low));
        faces.push([Vec3::Y, upper[0], upper[1]]);
        faces.push([upper[0], lower[0], upper[1]]);
        faces.push([upper[1], lower[0], lower[1]]);
        faces.push([Vec3::NEG_Y, lower[1], lower[0]]);
    }
    faces
}

#[cfg(test)]
mod tests {
    use super::super::Membrane;
    use super::*;

    #[test]
    fn a_ball_is_round_closed_and_even() {
        for (spacing, steps) in [(1.0, 2), (0.1, 12), (0.03, 37)] {
            let ball = ClothShape::ball(1.0, spacing).unwrap();
            assert_eq!(
                (ball.positions.len(), ball.triangles.len()),
                (10 * steps * steps + 2, 20 * steps * steps)
            );
            assert!(ball.is_closed());
            assert!(ball.positions.iter().all(|place| (place.length() - 1.0).abs() < 1e-6));
            let full = 4.0 / 3.0 * std::f32::consts::PI;
            let missing = 1.0 - ball.volume() / full;
            assert!(missing > 0.0 && missing < 1.5 / (steps * steps) as f32, "{missing}");
        }
        let ball = ClothShape::ball(0.5, 0.05).unwrap();
        let lengths = ball
            .edges()
            .map(|[a, b]| ball.positions[a as usize].distance(ball.positions[b as usize]));
        let [least, most] = lengths.fold([f32::INFINITY, 0.0], |[least, most], length| {
            [least.min(length), most.max(length)]
        });
        assert!(least > 0.0375 && most < 0.06, "{least} to {most}");
        assert!(ClothShape::ball(1.0, 1e-6).is_err() && ClothShape::ball(-1.0, 0.1).is_err());
    }

    /// A shell that is bent to a radius everywhere: |v| = l θ with the fold θ between two triangles, and folds times edges add up to
    /// the mean curvature, Σ l θ = 2 ∫ H = 8 π R.
    #[test]
    fn the_folds_of_a_ball_add_up_to_its_curvature() {
        let ball = ClothShape::ball(0.5, 0.04).unwrap();
        let sum: f32 = ball.hinges.iter().map(|hinge| hinge.rest).sum();
        assert!((sum / (8.0 * std::f32::consts::PI * 0.5) - 1.0).abs() < 0.01, "{sum}");
    }

    /// Blown up by a strain ε, a sheet with Poisson's ratio ν has an energy of E/(1 − ν) ε² per area: 1.5 E with the 1/3 that springs have, where
    /// rubber with 1/2 has 2 E.
    #[test]
    fn a_balloon_resists_being_blown_up_as_its_skin_does() {
        let ball = ClothShape::ball(0.5, 0.05).unwrap();
        for crossed in [false, true] {
            let springs = ball.springs(&Membrane::uniform(700.0), crossed);
            let energy: f32 = springs
                .iter()
                .map(|spring| 0.5 * spring.stiffness * spring.length.powi(2))
                .sum();
            let share = energy / (1.5 * 700.0 * ball.area());
            println!("a balloon, crossed {crossed}: {share:.3} of what it takes to blow it up");
            assert!((share - 1.0).abs() < 0.02, "{share}");
        }
    }

    #[test]
    fn a_ball_is_drawn_with_one_seam_at_its_back() {
        let ball = ClothShape::ball(0.5, 0.05).unwrap();
        let drawn = ball.drawn();
        // From pole to pole past the back; a pole has a copy for each of its triangles.
        let twice = drawn.vertices.len() - ball.positions.len();
        assert!((20..60).contains(&twice), "{twice}");
        for (&vertex, uv) in drawn.vertices.iter().zip(&drawn.uvs) {
            let place = ball.positions[vertex as usize];
            assert!(
                (uv.y - 0.5 * (place.y / 0.5).asin()).abs() < 0.01,
                "v is the way to the north"
            );
            if place.z > 0.3 {
                assert!((uv.x - 0.5 * place.x.atan2(place.z)).abs() < 0.01);
            }
        }
        let warps = super::super::surface::frames(&ball.positions, &ball.triangles, &ball.uvs);
        for ([_, warp], corners) in warps.iter().zip(&ball.triangles) {
            let place = ball.positions[corners[0] as usize].as_dvec3();
            if place.y.abs() < 0.4 {
                let east = glam::DVec3::new(place.z, 0.0, -place.x).normalize();
                assert!(warp.dot(east) > 0.95, "{warp} at {place}");
            }
        }
    }
}
