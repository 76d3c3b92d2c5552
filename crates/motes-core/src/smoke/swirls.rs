//! Baroclinic turbulence (Unified, §7.2.3, eq. 30–32): gas that rises rolls up at its rim, however coarse its particles are.
//!
//! Where density and pressure do not fall the same way, the vorticity of a fluid grows by `∇ρ × ∇p / ρ²`. With the pressure of the air at rest, `∇p = ρ₀ g`, and a gas that is lighter than it by a
//! share β, the fall of the density at its rim is that of the part `c` of space that it fills, `∇ρ = −β ρ₀ ∇c`: vorticity grows by `−β ∇c × g`. So **β is a share of density**,
//! positive for what is lighter than air, and no more depends on particles than `∇c` does (eq. 30), whose sum across the rim is 1 whatever the size of the particles: what grows is the *strength of the
//! sheet* that the rim is, by `β g` times the sine of its slope, a velocity in a time.
//!
//! Two things the paper leaves open. Particles only see the inner half of the fall of `c`, which is why [`growth`] takes it twice. And eq. 32 turns a vorticity into a force, for which it takes
//! a rate: here vortex strength passes into the motion of the gas at the rate [`PASSES`], and is then gone, so that a sheet of strength `β g t` leaves the velocities on both of its sides
//! `β g t` apart in the end, and nothing grows without bounds. The force of two particles on each other uses the mean of both strengths, and no momentum is made.

use glam::Vec3;

/// Rate at which vortex strength passes into the motion of the gas, 1/s.
pub const PASSES: f32 = 4.0;

/// Most vortex strength, compared to that at which as much passes on as grows at a flat rim: what is stretched grows faster than it passes on.
pub const MOST: f32 = 4.0;

/// Most of a change of velocity in a sub-step, in diameters of a particle: what goes further loses its neighbours.
pub const FARTHEST: f32 = 0.1;

/// Part of the vortex strength that passes on in a sub-step of `h` seconds.
pub fn passed(h: f32) -> f32 {
    1.0 - (-PASSES * h).exp()
}

/// How fast vortex strength grows at a rim, 1/s²: `outwards` is how fast the part of space that is full falls, 1/m, along the way in which it does, `−∇c`.
#[inline(always)]
pub fn growth(baroclinity: f32, outwards: Vec3, gravity: Vec3) -> Vec3 {
    2.0 * baroclinity * outwards.cross(gravity)
}

/// Vortex strength after a sub-step of `h` seconds, 1/s, in which it was stretched and grew by so much in a second, 1/s², and the part [`passed`] went into motion: exactly, for a steady growth. Bounded by
/// `most`, and stretching by what it was before.
#[inline(always)]
pub fn strength(before: Vec3, stretched: Vec3, grown: Vec3, passed: f32, most: f32, h: f32) -> Vec3 {
    let stretched = (h * stretched).clamp_length_max(0.5 * before.length());
    let after = (before + stretched) * (1.0 - passed) + grown * (passed / PASSES);
    after.clamp_length_max(most)
}

/// Bound of vortex strength, 1/s, for a diameter, metres, and gravity, m/s².
pub fn most(baroclinity: f32, diameter: f32, gravity: f32) -> f32 {
    MOST * baroclinity.abs() * gravity / (PASSES * diameter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rim_of_what_is_lighter_turns_so_that_its_middle_rises() {
        let gravity = Vec3::new(0.0, -10.0, 0.0);
        // At the right of a column, air to the right: the rim goes down there, that is, clockwise.
        assert_eq!(growth(0.5, 2.0 * Vec3::X, gravity), Vec3::new(0.0, 0.0, -20.0));
        assert_eq!(growth(1.0, Vec3::Y, gravity), Vec3::ZERO, "a level rim stays");
    }

    #[test]
    fn strength_comes_to_the_same_however_time_is_cut_and_stays_bounded() {
        let run = |h: f32| {
            let steps = (0.5 / h).round() as usize;
            (0..steps).fold(Vec3::ZERO, |w, _| strength(w, Vec3::ZERO, Vec3::X, passed(h), 1e9, h))
        };
        let exact = (1.0 - (-2.0_f32).exp()) / PASSES;
        for h in [0.5, 0.01, 0.001] {
            assert!((run(h).x - exact).abs() < 1e-4, "{h}");
        }
        let mut wild = Vec3::X;
        for _ in 0..10_000 {
            wild = strength(wild, 1e9 * wild, 1e9 * Vec3::Y, passed(0.01), 7.0, 0.01);
        }
        assert!(wild.is_finite() && wild.length() <= 7.0001);
    }
}
