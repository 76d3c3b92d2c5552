//! Balloons of a world: added, filled, inflated over time, and looked at.

use std::collections::HashSet;

use glam::{DVec3, Vec3, Vec4Swizzles};
use serde::{Deserialize, Serialize};

use super::balloons::{BalloonState, Enclosures, Filling, Inside, NewBalloon, rims};
use super::batch::NewRow;
use super::handles::refused;
use super::{ConstraintId, ConstraintKind, Constraints, Softness};
use crate::error::WorldError;
use crate::particles::{ParticleId, Particles};
use crate::world::World;

/// How a filling changes over time: in proportion, from one number to another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inflation {
    /// What it begins and ends with: the number of the balloon's [`Filling`], m³ or pascals.
    pub from: f32,
    /// The same at the end.
    pub to: f32,
    /// When it begins, seconds of the world.
    pub start: f64,
    /// How long it takes, seconds; 0 for at once.
    pub over: f64,
}

impl Inflation {
    /// The number at a time, seconds.
    fn at(&self, time: f64) -> f32 {
        let part = if time >= self.start + self.over {
            1.0
        } else {
            ((time - self.start) / self.over).max(0.0)
        };
        self.from + part as f32 * (self.to - self.from)
    }
}

impl World {
    /// Fills closed surfaces of faces from the next frame on; returns handles in order. Nothing is added if one is refused: a surface that is not
    /// closed or looks inwards, faces of another balloon, particles of bodies or of another balloon.
    pub fn add_balloons(&mut self, new: &[NewBalloon]) -> Result<Vec<ConstraintId>, WorldError> {
        let members: HashSet<ParticleId> = self.engine.body_paths().particles.iter().copied().collect();
        let mut own: HashSet<ParticleId> = HashSet::new();
        let mut surfaces = Vec::with_capacity(new.len());
        for (number, balloon) in new.iter().enumerate() {
            if let Some((field, found, expected)) = balloon.filling.problem() {
                return Err(refused(number, field, found, expected));
            }
            let faces = balloon.faces.iter().map(|&face| {
                let batch = self.engine.constraints_mut().batch(ConstraintKind::Face);
                let place = batch.place(face).filter(|_| face.kind == ConstraintKind::Face)?;
                let ids = batch.particles_of(place);
                Some([ids[0], ids[1], ids[2]])
            });
            let faces: Vec<[ParticleId; 3]> = faces
                .collect::<Option<_>>()
                .ok_or(WorldError::Gone("face of a balloon"))?;
            let corners: HashSet<ParticleId> = faces.iter().flatten().copied().collect();
            if corners.iter().any(|id| members.contains(id)) {
                return Err(refused(
                    number,
                    "particles",
                    "of a body",
                    "particles that belong to no body",
                ));
            }
            if self.are_in_balloons(&corners) || corners.iter().any(|id| !own.insert(*id)) {
                return Err(refused(
                    number,
                    "particles",
                    "of another balloon",
                    "particles of no balloon",
                ));
            }
            surfaces.push(faces);
        }
        for (number, faces) in surfaces.iter().enumerate() {
            check_surface(number, faces, self.engine.particles())?;
        }
        let constraints = self.engine.constraints_mut();
        Ok(new.iter().map(|balloon| constraints.add_balloon(balloon)).collect())
    }

    /// Whether any of these particles belongs to a balloon.
    fn are_in_balloons(&mut self, ids: &HashSet<ParticleId>) -> bool {
        let mut marked = vec![false; ids.iter().map(|id| id.index as usize + 1).max().unwrap_or(0)];
        ids.iter().for_each(|id| marked[id.index as usize] = true);
        let constraints = self.engine.constraints_mut();
        let (balloons, faces) = (
            constraints.batch(ConstraintKind::Balloon),
            constraints.batch(ConstraintKind::Face),
        );
        let listed = balloons
            .ids()
            .flat_map(|id| &constraints.insides[id.index as usize].faces);
        let places = listed.filter_map(|&face| faces.place(face));
        let is_marked = |id: &ParticleId| marked.get(id.index as usize).is_some_and(|&marked| marked);
        places
            .into_iter()
            .any(|place| faces.particles_of(place).iter().any(is_marked))
    }

    /// Fills a balloon anew, in place of what it had and of what has left of it.
    pub fn set_filling(&mut self, id: ConstraintId, filling: Filling) -> Result<(), WorldError> {
        if let Some((field, found, expected)) = filling.problem() {
            return Err(refused(id.index as usize, field, found, expected));
        }
        let constraints = self.engine.constraints_mut();
        let row = constraints.balloon_place(id).ok_or(WorldError::Gone("balloon"))?;
        let inside = &mut constraints.insides[row];
        (inside.filling, inside.lost) = (filling, 0.0);
        inside.fills = inside.fills.wrapping_add(1);
        constraints.batch_mut(ConstraintKind::Balloon).refill(row);
        Ok(())
    }

    /// Has the filling of a balloon change over time, in place of what was asked for before. What has left through holes is not replaced by it.
    pub fn inflate(&mut self, id: ConstraintId, inflation: Inflation) -> Result<(), WorldError> {
        let constraints = self.engine.constraints_mut();
        let row = constraints.balloon_place(id).ok_or(WorldError::Gone("balloon"))?;
        let filling = constraints.insides[row].filling;
        for amount in [inflation.from, inflation.to] {
            if let Some((field, found, expected)) = filling.with_amount(amount).problem() {
                return Err(refused(row, field, found, expected));
            }
        }
        if !(inflation.start.is_finite() && inflation.over >= 0.0 && inflation.over.is_finite()) {
            let found = format!("from {} s over {} s", inflation.start, inflation.over);
            return Err(refused(row, "inflation", found, "finite times, and no less than 0 s"));
        }
        self.model.inflations.retain(|(other, _)| *other != id);
        self.model.inflations.push((id, inflation));
        self.pour(id, inflation.at(self.model.time));
        Ok(())
    }

    /// Fills balloons as much as they are to be at the end of a frame.
    pub(crate) fn inflate_until(&mut self, time: f64) {
        if self.model.inflations.is_empty() {
            return;
        }
        let mut inflations = std::mem::take(&mut self.model.inflations);
        inflations.retain(|&(id, inflation)| {
            let is_there = self.pour(id, inflation.at(time));
            is_there && time < inflation.start + inflation.over
        });
        self.model.inflations = inflations;
    }

    /// Says whether there is such a balloon.
    fn pour(&mut self, id: ConstraintId, amount: f32) -> bool {
        let constraints = self.engine.constraints_mut();
        let Some(row) = constraints.balloon_place(id) else {
            return false;
        };
        let inside = &mut constraints.insides[row];
        let filling = inside.filling.with_amount(amount);
        if std::mem::replace(&mut inside.filling, filling) != filling {
            constraints.batch_mut(ConstraintKind::Balloon).refill(row);
        }
        true
    }

    /// One balloon as it was at the end of the last frame; `None` if it is gone.
    pub fn balloon(&self, id: ConstraintId) -> Option<BalloonState> {
        let constraints = self.engine.constraints();
        let row = constraints.balloon_place(id)?;
        let (particles, inside) = (self.engine.particles(), &constraints.insides[row]);
        let mut enclosures = Enclosures::default();
        enclosures.add(row as u32, &constraints.faces_of(row));
        let place = |number: u32| place_of(particles, enclosures.participants[number as usize]);
        let faces_end = enclosures.list.first().map_or(0, |balloon| balloon.faces_end);
        let (volume, _) = measure(&enclosures.triangles, place);
        let (_, hole) = measure(&enclosures.triangles[faces_end..], place);
        Some(BalloonState {
            volume: volume as f32,
            pressure: constraints.batch(ConstraintKind::Balloon).impulses()[row],
            filling: inside.filling,
            lost: inside.lost,
            hole: hole as f32,
        })
    }

    /// Balloons that got a hole, or of which no face is left, since this was asked last. What is in them leaves.
    pub fn take_burst_balloons(&mut self) -> Vec<ConstraintId> {
        self.engine.constraints_mut().take_burst()
    }
}

impl Constraints {
    fn add_balloon(&mut self, new: &NewBalloon) -> ConstraintId {
        let id = self.batch_mut(ConstraintKind::Balloon).add(NewRow {
            particles: &[],
            weights: [0.0; 4],
            rest: 0.0,
            softness: Softness::STIFF,
            breaking_force: f32::INFINITY,
            state: 0,
            body: None,
        });
        let inside = Inside::new(new.faces.clone(), new.filling);
        let row = id.index as usize;
        if row < self.insides.len() {
            let fills = self.insides[row].fills.wrapping_add(1);
            self.insides[row] = Inside { fills, ..inside };
        } else {
            self.insides.push(inside);
        }
        self.insides[row].skin = self.skin(row);
        id
    }

    fn balloon_place(&self, id: ConstraintId) -> Option<usize> {
        (id.kind == ConstraintKind::Balloon).then(|| self.batch(id.kind).place(id))?
    }
}

/// Volume and area of triangles.
fn measure(triangles: &[[u32; 3]], place: impl Fn(u32) -> DVec3) -> (f64, f64) {
    let origin = triangles.first().map_or(DVec3::ZERO, |triangle| place(triangle[0]));
    let (mut volume, mut area) = (0.0, 0.0);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|corner| place(corner) - origin);
        volume += a.dot(b.cross(c)) / 6.0;
        area += 0.5 * (b - a).cross(c - a).length();
    }
    (volume, area)
}

fn place_of(particles: &Particles, id: ParticleId) -> DVec3 {
    let slot = particles.slot(id);
    slot.map_or(Vec3::ZERO, |slot| particles.positions[slot].xyz())
        .as_dvec3()
}

/// A flat bag has no volume yet, but for rounding; more than this share of a ball of its area it does not lack.
const INWARD: f64 = -1e-4;

fn check_surface(number: usize, faces: &[[ParticleId; 3]], particles: &Particles) -> Result<(), WorldError> {
    let mut enclosures = Enclosures::default();
    enclosures.add(0, faces);
    let place = |corner: u32| place_of(particles, enclosures.participants[corner as usize]);
    let own = &enclosures.triangles[..faces.len()];
    if faces.is_empty() {
        return Err(refused(number, "faces", "none", "a closed surface"));
    }
    if let Some(rim) = rims(own).first() {
        let found = format!("open at {}", place(rim[0]).as_vec3());
        return Err(refused(
            number,
            "faces",
            found,
            "a closed surface of which neighbours agree",
        ));
    }
    let (volume, area) = measure(own, place);
    if volume < INWARD * area.powf(1.5) {
        return Err(refused(number, "faces", "looking inwards", "faces that look out"));
    }
    Ok(())
}
