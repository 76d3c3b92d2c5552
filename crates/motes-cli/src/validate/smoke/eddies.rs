//! Enstrophy of a plume: how much its gas turns, from places and velocities alone, so that any engine can be asked.

use std::collections::HashMap;

use glam::{IVec3, Vec3, Vec4Swizzles};
use motes_core::World;

use super::super::EngineMaker;
use super::plume::Plumes;

/// Enstrophy of plumes with a baroclinity over that without, the least of three steps.
pub(super) fn gained(engine: EngineMaker, baroclinity: f32) -> f64 {
    let plain = Plumes {
        baroclinity: 0.0,
        temperature: 60.0,
        seconds: 4.0,
        ..Plumes::rising()
    };
    let rolling = Plumes { baroclinity, ..plain };
    let gains = [[2, 4], [4, 4], [8, 8]].map(|numbers| {
        let [with, without] = [rolling, plain].map(|plumes| enstrophy(&plumes.run(engine, numbers).world));
        with / without
    });
    gains.into_iter().fold(f64::MAX, f64::min)
}

/// Mean square of the vorticity at the particles, by sums over neighbours; only ratios of it mean anything.
fn enstrophy(world: &World) -> f64 {
    let reach = world.settings().smoothing_distance();
    let particles = world.particles();
    let places: Vec<Vec3> = particles.positions.iter().map(|place| place.xyz()).collect();
    let velocities: Vec<Vec3> = particles.velocities.iter().map(|velocity| velocity.xyz()).collect();
    let cell = |place: Vec3| (place / reach).floor().as_ivec3();
    let mut cells: HashMap<IVec3, Vec<usize>> = HashMap::new();
    for (index, place) in places.iter().enumerate() {
        cells.entry(cell(*place)).or_default().push(index);
    }
    let turning = |at: usize| {
        let around = (0..27).map(|k| cell(places[at]) + IVec3::new(k % 3, k / 3 % 3, k / 9) - 1);
        let near = around.filter_map(|cell| cells.get(&cell)).flatten();
        let turns = near.map(|&other| {
            let apart = places[at] - places[other];
            let q = apart.length() / reach;
            let slope = if q < 1.0 {
                -6.0 * (1.0 - q * q).powi(2) / reach
            } else {
                0.0
            };
            (velocities[other] - velocities[at]).cross(slope * apart / reach)
        });
        f64::from(turns.sum::<Vec3>().length_squared())
    };
    (0..places.len()).map(turning).sum::<f64>() / places.len() as f64
}
