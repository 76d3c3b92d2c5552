//! Effective inverse masses of the particles of bodies, as contacts see them.
//!
//! A particle of a rigid body moves only as far as the body does: an impulse on it meets the mass and inertia of the whole.
//! As with free particles (`sort.rs`), these are shared among all contacts of the body so that together they do not
//! overshoot. Shape matching then turns what the contacts did to single particles into the motion of the body, exactly as
//! if the impulses had acted on it.

use glam::{Mat3A, Vec3, Vec3A, Vec4};
use rayon::prelude::*;

use super::feet::Feet;
use super::shapes::NONE;
use super::{CHUNK, State};
use crate::constraints::contact::ACROSS;
use crate::constraints::inscribed::OVERSHOOT;
use crate::constraints::rigid::{Mobility, turned};

/// `Σ n nᵀ` over the contacts of a particle: its diagonal and how many there are (w), and its elements xy, yz, zx.
pub(super) type Busy = [Vec4; 2];

/// What the contacts of a body have in common.
struct Load {
    /// Effective inverse mass of any of them, 1/kg.
    mobility: f32,
    /// How far the body moves as one, between 0 and 1.
    unity: f32,
    /// Where it touches colliders with inscribed balls, effective inverse masses along and across contacts with these.
    apart: Option<[f32; 2]>,
}

impl State {
    /// Sets the effective inverse masses of the particles of bodies, once all contacts are known.
    pub(super) fn share_bodies(&mut self) {
        if self.bodies.is_empty() {
            self.feet = Feet::default();
            return;
        }
        let mut busy = std::mem::take(&mut self.shapes.busy);
        self.count_contacts(&mut busy);
        self.find_feet();
        self.choose_faces(|slot| {
            let [diagonal, mixed] = busy[slot];
            (diagonal.w > 0.0).then(|| symmetric(diagonal, mixed).into())
        });
        let levers = self.mean_arms(&busy);
        let (shapes, bodies, predicted) = (&self.shapes, &self.bodies, &self.predicted);
        let loads: Vec<Load> = bodies
            .list
            .par_iter()
            .zip(&shapes.flights)
            .map(|(body, motion)| {
                let unity = if body.is_rigid() { 1.0 } else { 0.0 };
                let center = Vec3A::from(motion.to.position);
                let (mut along, mut around) = (Mobility::ZERO, Mobility::ZERO);
                let mut has_inscribed = false;
                for &slot in shapes.slots[body.members()].iter().filter(|&&slot| slot != NONE) {
                    let [diagonal, mixed] = busy[slot as usize];
                    if diagonal.w > 0.0 && unity > 0.0 {
                        let lever = levers.get(slot as usize).copied().unwrap_or_default();
                        has_inscribed |= shapes.inscribed_in(slot as usize).is_some();
                        let arm = Vec3A::from_vec4(predicted[slot as usize]) - center + Vec3A::from(lever);
                        along.add(arm, &symmetric(diagonal, mixed));
                        around.add(arm, &Mat3A::from_diagonal(Vec3::splat(diagonal.w)));
                    }
                }
                let inverse_inertia = Mat3A::from(turned(&body.inverse_inertia, motion.to.rotation));
                // A tall body yields to friction at its foot much more than to what carries it.
                let largest = |mobility: &Mobility| mobility.largest(1.0 / body.mass, &inverse_inertia);
                let (normal, any) = (largest(&along), largest(&around));
                let apart = (has_inscribed && normal > 0.0).then(|| {
                    let both = along.mixed(1.0 / normal - 1.0 / any, &around, 1.0 / any);
                    let slower = (largest(&both) / OVERSHOOT).max(1.0);
                    [slower * normal, slower * any]
                });
                Load {
                    mobility: normal.max(ACROSS * any),
                    unity,
                    apart,
                }
            })
            .collect();
        for (motion, load) in self.shapes.flights.iter_mut().zip(&loads) {
            motion.yields = load.apart.map_or(load.mobility, |[along, _]| along);
        }
        let shapes = &self.shapes;
        (
            self.anchors.par_chunks_mut(CHUNK),
            shapes.held.par_chunks(CHUNK),
            &mut self.contacts,
        )
            .into_par_iter()
            .enumerate()
            .for_each(|(chunk, (anchors, held, contacts))| {
                let first = chunk * CHUNK;
                let mut reaches = [[1.0; 2]; CHUNK];
                for (offset, (anchor, held)) in anchors.iter_mut().zip(held).enumerate() {
                    let here = predicted[first + offset];
                    if let Some(load) = loads.get(held.body as usize)
                        && load.mobility > 0.0
                        && here.w != 0.0
                    {
                        anchor.w += load.unity * (load.mobility - anchor.w);
                        let reach = here.w / (here.w + load.unity * (load.mobility - here.w));
                        let across = if reach == 1.0 { 1.0 } else { ACROSS * reach };
                        reaches[offset] = match load.apart {
                            Some(apart) if shapes.inscribed_in(first + offset).is_some() => {
                                apart.map(|mobility| here.w / mobility)
                            }
                            _ => [reach, across],
                        };
                    }
                }
                for contact in &mut contacts.contacts {
                    [contact.reach, contact.across] = reaches[contact.offset as usize];
                }
            });
        self.shapes.busy = busy;
    }

    /// How many contacts every particle has in which directions.
    fn count_contacts(&self, busy: &mut Vec<Busy>) {
        busy.resize(self.particles.len(), [Vec4::ZERO; 2]);
        let pairs = &self.pairs;
        busy.par_chunks_mut(CHUNK)
            .zip(&self.contacts)
            .enumerate()
            .for_each(|(chunk, (busy, contacts))| {
                let slots = chunk * CHUNK..chunk * CHUNK + busy.len();
                for which in [0, 1] {
                    let totals = pairs.totals(which, slots.clone());
                    totals.for_each(|place, total| busy[place][which] = total);
                }
                for contact in &contacts.contacts {
                    let n = contact.normal;
                    let [diagonal, mixed] = &mut busy[contact.offset as usize];
                    *diagonal += (n * n).extend(1.0);
                    *mixed += Vec4::new(n.x * n.y, n.y * n.z, n.z * n.x, 0.0);
                }
            });
    }
}

impl State {
    /// Where contacts act on a particle, on average over all of them; empty where no body has inscribed balls.
    fn mean_arms(&self, busy: &[Busy]) -> Vec<Vec3> {
        let shapes = &self.shapes;
        let mut arms = vec![Vec3::ZERO; shapes.inscribed.len()];
        arms.par_chunks_mut(CHUNK)
            .zip(&self.contacts)
            .enumerate()
            .for_each(|(chunk, (arms, contacts))| {
                let feet = self.feet.arms.get(chunk * CHUNK..).unwrap_or_default();
                for (arm, foot) in arms.iter_mut().zip(feet) {
                    *arm = *foot;
                }
                for contact in contacts.contacts.iter().filter(|_| !contacts.twists.is_empty()) {
                    let (offset, slot) = (contact.offset as usize, chunk * CHUNK + contact.offset as usize);
                    let foot = self.feet.arms.get(slot).copied().unwrap_or_default();
                    arms[offset] += (contact.arm(shapes.inscribed[slot]) - foot) / busy[slot][0].w;
                }
            });
        arms
    }
}

fn symmetric(diagonal: Vec4, mixed: Vec4) -> Mat3A {
    Mat3A::from_cols(
        Vec3A::new(diagonal.x, mixed.x, mixed.z),
        Vec3A::new(mixed.x, diagonal.y, mixed.y),
        Vec3A::new(mixed.z, mixed.y, diagonal.z),
    )
}
