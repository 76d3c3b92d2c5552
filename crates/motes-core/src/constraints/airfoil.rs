//! What air does to a triangle: a thin airfoil with drag against its motion through the air and lift across it (Keckeisen, Kimmerle,
//! Thomaszewski & Wacker 2004).

use glam::Vec3;

/// What air does to a triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pressed {
    /// Force on all of it, newtons.
    pub force: Vec3,
    /// By how much the force grows with its speed, N·s/m.
    pub steepness: f32,
}

/// The force on a triangle with these corners that moves through air of a density, kg/m³, at a velocity relative to it, m/s, given its
/// coefficients of drag and lift.
#[inline(always)]
pub fn press([a, b, c]: [Vec3; 3], velocity: Vec3, density: f32, [drag, lift]: [f32; 2]) -> Pressed {
    let doubled = (b - a).cross(c - a);
    let (area, speed) = (0.5 * doubled.length(), velocity.length());
    let way = velocity / speed;
    let toward = doubled / (2.0 * area);
    // The normal of the side that meets the air.
    let cosine = toward.dot(way);
    let normal = if cosine < 0.0 { -toward } else { toward };
    let cosine = cosine.abs();
    // Half the density times the speed squared, on what the air sees of the triangle.
    let pressure = 0.5 * density * speed * speed * area * cosine;
    let force = -pressure * (drag * way + lift * (normal - cosine * way));
    // Chosen in the end, so that several are worked out side by side.
    let presses = (area > 0.0) & (speed > 0.0);
    let steepness = 2.0 * force.length() / speed;
    Pressed {
        force: if presses { force } else { Vec3::ZERO },
        steepness: if presses { steepness } else { 0.0 },
    }
}

/// The change of velocity, m/s, of a particle of an inverse mass in `h` seconds. Where air is much heavier than what it acts on, it
/// does not do more than carry it along.
#[inline(always)]
pub fn kick(pressed: Pressed, inverse_mass: f32, h: f32) -> Vec3 {
    let times = h * inverse_mass;
    let part = 0.5 * times * pressed.steepness;
    times / (0.5 + part).max(1.0) * pressed.force
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACE: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::Y];

    #[test]
    fn a_plate_across_the_wind_has_drag_and_one_along_it_has_nothing() {
        let across = press(FACE, Vec3::new(0.0, 0.0, -3.0), 1.2, [1.1, 1.0]);
        // ½ ρ c A v².
        let expected = 0.5 * 1.2 * 1.1 * 0.5 * 9.0;
        assert!(
            (across.force - Vec3::new(0.0, 0.0, expected)).length() < 1e-5,
            "{across:?}"
        );
        assert_eq!(press(FACE, Vec3::new(3.0, 0.0, 0.0), 1.2, [1.1, 1.0]).force, Vec3::ZERO);
    }

    #[test]
    fn a_slanted_plate_is_lifted_across_its_way_whichever_side_is_up() {
        let way = Vec3::new(1.0, 0.0, -1.0);
        let force = press(FACE, way, 1.2, [0.0, 1.0]).force;
        assert!(force.dot(way).abs() < 1e-6 && force.z > 0.0 && force.x > 0.0, "{force}");
        let [a, b, c] = FACE;
        assert!((press([a, c, b], way, 1.2, [0.0, 1.0]).force - force).length() < 1e-6);
    }

    #[test]
    fn air_never_throws_what_is_light_against_itself() {
        let velocity = Vec3::new(0.0, 0.0, -20.0);
        for inverse_mass in [1.0, 1e2, 1e4, 1e8] {
            let pressed = press(FACE, velocity, 1.2, [1.2, 0.0]);
            let change = kick(pressed, inverse_mass, 0.01).z;
            assert!(change > 0.0 && change <= 20.0, "{change}");
        }
        // What is heavy feels all of it.
        let pressed = press(FACE, velocity, 1.2, [1.2, 0.0]);
        assert_eq!(kick(pressed, 0.01, 0.01), 1e-4 * pressed.force);
    }
}
