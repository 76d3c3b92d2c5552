//! Cloth and ropes of a scene, as particles and constraints of its world.

use motes_core::{
    ConstraintId, Group, NewBalloon, NewBending, NewDistance, NewFace, ParticleId, Phase, Softness, World, WorldError,
};

use super::{Built, Handles, collision_flags};
use crate::compile::{PlannedSheet, SheetForm, SheetKind};
use crate::looks::{ClothLook, SheetLook};
use crate::scene::Scene;

impl Scene {
    /// Adds a sheet; returns its particles, in order.
    pub(super) fn add_sheet(
        &self,
        built: &mut Built,
        ids: &Handles,
        planned: PlannedSheet,
    ) -> Result<Vec<ParticleId>, WorldError> {
        let world = &mut built.world;
        let (name, material) = &planned.material;
        let material = match name {
            Some(name) => ids.material(world, name, *material)?,
            None => world.add_material(*material)?,
        };
        let group = world.add_group(Group {
            flags: collision_flags(planned.self_collide) | Phase::IGNORE_REST_OVERLAPS,
            channels: planned.channels,
            radius: planned.own_radius,
            turns: false,
            ..Group::grains(planned.name.clone(), material)
        })?;
        let added = world.add_particles(group, &planned.centers, planned.velocity)?;
        let masses: Vec<(ParticleId, f32)> = added
            .iter()
            .copied()
            .zip(planned.inverse_masses.iter().copied())
            .collect();
        world.set_inverse_masses(&masses)?;
        if let Some(rests) = &planned.rests {
            let rests: Vec<_> = added
                .iter()
                .copied()
                .zip(rests.iter().map(|&rest| Some(rest)))
                .collect();
            world.set_rest_positions(&rests)?;
        }
        let faces = hold(world, &planned, &added)?;
        for (time, along) in &planned.cuts {
            world.cut_at(*time, along.iter().map(|&vertex| added[vertex as usize]).collect())?;
        }
        let (color, cloth) = match planned.kind {
            SheetKind::Cloth => {
                let table = &self.cloth[planned.index];
                let cloth = ClothLook {
                    pattern: table.pattern,
                    second_color: table.second_color,
                    back_color: table.back_color,
                    repeat: table.repeat,
                };
                (table.color, Some(cloth))
            }
            SheetKind::Rope => (self.rope[planned.index].color, None),
        };
        let color = color.unwrap_or(built.looks.next_color());
        built.looks.add_group(group, Some(color));
        built.looks.sheets.push(SheetLook {
            group,
            name: planned.name,
            particles: added.clone(),
            faces,
            form: planned.form,
            color,
            cloth,
        });
        Ok(added)
    }
}

/// Adds what holds the particles of a sheet together, the faces along which it tears, that the air acts on and that hold what is inside; returns
/// these.
fn hold(world: &mut World, planned: &PlannedSheet, added: &[ParticleId]) -> Result<Vec<ConstraintId>, WorldError> {
    let pair = |ends: &[u32; 2]| ends.map(|end| added[end as usize]);
    let bearable = |spring: usize| planned.bearable.get(spring).copied().unwrap_or(planned.breaking_force);
    let springs = planned.springs.iter().enumerate();
    let springs = springs.map(|(spring, (ends, length, compliance))| NewDistance {
        softness: Softness::Compliance(*compliance),
        breaking_force: bearable(spring),
        tears: !planned.bearable.is_empty() && bearable(spring).is_finite(),
        ..NewDistance::new(pair(ends), *length)
    });
    world.add_distances(&springs.collect::<Vec<_>>())?;
    let tethers = planned
        .tethers
        .iter()
        .map(|(ends, length)| NewDistance::new(pair(ends), *length));
    world.add_tethers(&tethers.collect::<Vec<_>>())?;
    let bends = planned.bends.iter().map(|bend| NewBending {
        particles: bend.particles.map(|particle| added[particle as usize]),
        weights: bend.weights,
        rest: bend.rest,
        softness: Softness::Compliance(bend.compliance),
    });
    world.add_bendings(&bends.collect::<Vec<_>>())?;
    let [drag, lift] = planned.air;
    let faces = planned.faces.iter().map(|corners| NewFace {
        particles: corners.map(|corner| added[corner as usize]),
        drag,
        lift,
    });
    debug_assert!(planned.faces.is_empty() || matches!(*planned.form, SheetForm::Cloth(_)));
    let is_whole = planned.bearable.is_empty() && planned.cuts.is_empty();
    if planned.air == [0.0; 2] && planned.inflation.is_none() && is_whole {
        return Ok(Vec::new());
    }
    let faces = world.add_faces(&faces.collect::<Vec<_>>())?;
    if let Some(inflation) = planned.inflation {
        let balloon = NewBalloon {
            faces: faces.clone(),
            filling: inflation.filling,
        };
        let balloons = world.add_balloons(&[balloon])?;
        if let Some(over_time) = inflation.inflation {
            world.inflate(balloons[0], over_time)?;
        }
    }
    Ok(faces)
}
