//! One frame: Algorithm 1 of *Unified Particle Physics for Real-Time Applications* (Macklin et al. 2014).

use crate::engine::{ConstraintGroup, Solver};
use crate::settings::Settings;

/// Advances all particles by `dt` seconds. The numbers are the algorithm's lines.
pub fn step<S: Solver + ?Sized>(engine: &mut S, settings: &Settings, dt: f32) {
    let h = dt / settings.substeps as f32;
    for substep in 0..settings.substeps {
        engine.begin_substep(substep, settings.substeps);
        engine.predict(h); //                           1–5: forces, prediction; mass scaling is part of each contact
        engine.find_neighbors(); //                     6–7
        engine.find_contacts(h); //                     8–9
        for _ in 0..settings.stabilization_iterations {
            engine.stabilize(); //                      10–15
        }
        for iteration in 0..settings.iterations {
            for group in ConstraintGroup::ORDER {
                engine.solve(group, h, iteration); //   16–22
            }
        }
        engine.update_velocities(h); //                 24, and rebounds
        engine.advect_diffuse(h); //                    25
        engine.apply_internal_forces(h); //             26
        engine.finish(h); //                            27
    }
}
