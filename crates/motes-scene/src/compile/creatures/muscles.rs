//! Muscles: waves that run through the edges of a creature.

use std::f32::consts::FRAC_1_SQRT_2;

use glam::Vec3;
use motes_core::Muscle;

use super::parts::Picker;
use crate::compile::Surroundings;
use crate::issues::Issues;
use crate::model::{CreatureTable, MuscleTable};
use crate::rig_file::RigModel;

/// Nearer to the middle than this share of the half width, an edge bends nothing.
const MIDDLE: f32 = 0.05;

/// The muscle of each edge, if it is one; where several tables speak of one, the last counts. Lengths are scaled by a factor.
pub(super) fn muscles(
    table: &CreatureTable,
    model: &RigModel,
    picker: &Picker<'_>,
    around: &Surroundings<'_>,
    factor: f32,
    path: &str,
    issues: &mut Issues<'_>,
) -> Option<Vec<Option<Muscle>>> {
    let mut all = vec![None; model.edges.len()];
    let mut fine = true;
    for (index, muscle) in table.muscle.iter().enumerate() {
        let path = format!("{path}.muscle[{index}]");
        let Some(along) = direction(muscle.along, &format!("{path}.along"), issues) else {
            fine = false;
            continue;
        };
        let bends = muscle
            .bends
            .map(|bends| direction(bends, &format!("{path}.bends"), issues));
        let members = muscle
            .of
            .as_ref()
            .map(|of| picker.pick(of, &format!("{path}.of"), issues));
        if bends == Some(None) || members == Some(None) {
            fine = false;
            continue;
        }
        let members = members.flatten();
        let takes = |end: u32| {
            members
                .as_ref()
                .is_none_or(|members| members.binary_search(&end).is_ok())
        };
        let place = |end: u32| around.upright.to_scene(model.particles[end as usize].position);
        let wave = Wave {
            muscle,
            along,
            bends: bends.flatten(),
            factor,
        };
        let chosen: Vec<(usize, [Vec3; 2])> = (0..)
            .zip(&model.edges)
            .filter(|(_, edge)| edge.iter().all(|&end| takes(end)))
            .map(|(number, edge)| (number, edge.map(place)))
            .filter(|(_, ends)| wave.leads_along(ends))
            .collect();
        if chosen.is_empty() {
            issues.error(&path, "no edge of the creature leads that way there");
            fine = false;
            continue;
        }
        let sides = chosen.iter().map(|(_, ends)| wave.side(ends));
        let (low, high) = sides.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), side| {
            (low.min(side), high.max(side))
        });
        for (number, ends) in &chosen {
            all[*number] = wave.at(ends, 0.5 * (low + high), 0.5 * (high - low)).or(all[*number]);
        }
    }
    fine.then_some(all)
}

fn direction(vector: Vec3, path: &str, issues: &mut Issues<'_>) -> Option<Vec3> {
    let found = vector.try_normalize();
    if found.is_none() {
        issues.error(path, "a direction must have a length");
    }
    found
}

struct Wave<'a> {
    muscle: &'a MuscleTable,
    along: Vec3,
    bends: Option<Vec3>,
    factor: f32,
}

impl Wave<'_> {
    fn leads_along(&self, [a, b]: &[Vec3; 2]) -> bool {
        (*b - *a).normalize_or_zero().dot(self.along).abs() > FRAC_1_SQRT_2
    }

    /// How far aside an edge lies.
    fn side(&self, [a, b]: &[Vec3; 2]) -> f32 {
        self.bends.map_or(0.0, |bends| a.midpoint(*b).dot(bends))
    }

    /// The muscle at an edge, when edges lie up to `half` to either side of `middle`.
    fn at(&self, ends: &[Vec3; 2], middle: f32, half: f32) -> Option<Muscle> {
        let muscle = self.muscle;
        let place = self.factor * ends[0].midpoint(ends[1]).dot(self.along);
        let mut phase = muscle.phase + place / muscle.wavelength;
        let mut amplitude = muscle.amplitude;
        if self.bends.is_some() {
            let aside = (self.side(ends) - middle) / half.max(f32::MIN_POSITIVE);
            if aside.abs() < MIDDLE {
                return None;
            }
            amplitude *= aside.abs().min(1.0);
            phase += if aside < 0.0 { 0.5 } else { 0.0 };
        }
        Some(Muscle {
            amplitude,
            frequency: muscle.period.recip(),
            phase: phase.rem_euclid(1.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(bends: Option<Vec3>) -> MuscleTable {
        MuscleTable {
            of: None,
            along: Vec3::X,
            wavelength: 2.0,
            period: 0.5,
            amplitude: 0.4,
            phase: 0.1,
            bends,
        }
    }

    #[test]
    fn a_wave_is_later_where_it_comes_later_and_sides_take_turns() {
        let muscle = table(Some(Vec3::Z));
        let wave = Wave {
            muscle: &muscle,
            along: Vec3::X,
            bends: muscle.bends,
            factor: 1.0,
        };
        let edge = |x: f32, z: f32| [Vec3::new(x - 0.1, 0.0, z), Vec3::new(x + 0.1, 0.0, z)];
        let at = |x: f32, z: f32| wave.at(&edge(x, z), 0.0, 0.5).unwrap();
        assert!((at(0.5, 0.5).phase - 0.35).abs() < 1e-6);
        assert!((at(0.5, -0.5).phase - 0.85).abs() < 1e-6);
        assert_eq!((at(0.0, 0.25).amplitude, at(0.0, 0.5).frequency), (0.2, 2.0));
        assert_eq!(wave.at(&edge(0.0, 0.0), 0.0, 0.5), None);
        assert!(wave.leads_along(&edge(0.0, 0.0)) && !wave.leads_along(&[Vec3::ZERO, Vec3::new(0.1, 0.3, 0.0)]));
    }
}
