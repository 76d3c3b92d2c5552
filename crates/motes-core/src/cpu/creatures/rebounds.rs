//! Rebounds: of ellipsoids, and of rigid parts as a whole.

use glam::{Vec3, Vec3A, Vec4, Vec4Swizzles};

use super::touching::{BALL, IN_PART};
use super::{CreatureWork, NONE, answer};
use crate::constraints::ellipsoid::touch;
use crate::constraints::levers::Lever;
use crate::cpu::State;
use crate::particles::Particles;

impl CreatureWork {
    /// Whether the particle in a slot belongs to a rigid part.
    pub(in crate::cpu) fn is_in_part(&self, slot: usize) -> bool {
        self.diagonals.get(slot).is_some_and(|diagonal| diagonal.w == IN_PART)
    }

    /// Normal of the contact of two particles of which one is an ellipsoid, `offset` from the second to the first, and how many times their effective
    /// inverse mass along it is that of their centres; `None` if both are balls.
    pub(in crate::cpu) fn rebound(
        &self,
        slots: [usize; 2],
        offset: Vec3,
        inverse_masses: [f32; 2],
    ) -> Option<(Vec3, f32)> {
        let kinds = slots.map(|slot| self.diagonals.get(slot).map_or(BALL, |diagonal| diagonal.w));
        if kinds == [BALL; 2] {
            return None;
        }
        let [first, second] = slots.map(|slot| answer([self.diagonals[slot], self.mixed[slot]]));
        let (normal, _) = touch(offset, &first, &second);
        let arms = [-first.point(normal), second.point(normal)];
        let mut yields = 0.0;
        for side in 0..2 {
            let lever = Lever {
                arm: arms[side] / self.radii[slots[side]],
                yields: answer(self.yields[slots[side]]),
                ..Lever::default()
            };
            yields += inverse_masses[side] * lever.along(normal);
        }
        let straight = inverse_masses[0] + inverse_masses[1];
        Some((normal, 1.0 + yields / straight.max(f32::MIN_POSITIVE)))
    }
}

impl State {
    /// Has rigid parts of which a particle has rebounded do so as a whole, with what that gave to them; says whether any do.
    pub(in crate::cpu) fn rebound_parts(&mut self, velocities: &mut [Vec4]) -> bool {
        let work = &self.creature_work;
        let bounces = |velocity: &Vec4| velocity.w == Particles::HALF_KICK;
        let count = self.particles.len();
        let spins = self.particles.spins.values_mut(count);
        // Of each part, velocity and angular velocity, if it rebounds.
        let all: Vec<Option<[Vec3A; 2]>> = { work.lists.parts.iter().zip(&work.motions) }
            .map(|(part, motion)| {
                let own = || {
                    let members = work.lists.part_entries[part.entries()]
                        .iter()
                        .map(|&member| member as usize);
                    members.filter(|&member| work.slots[member] != NONE)
                };
                if !own().any(|member| work.here[member].moves && bounces(&velocities[work.slots[member] as usize])) {
                    return None;
                }
                let (mut push, mut turn) = (Vec3A::ZERO, Vec3A::ZERO);
                for member in own() {
                    let (known, here, slot) = (
                        &work.lists.members[member],
                        &work.here[member],
                        work.slots[member] as usize,
                    );
                    let (mass, is_oriented) = CreatureWork::counts(known, here);
                    let impulse = mass * Vec3A::from_vec4(velocities[slot]);
                    push += impulse;
                    turn += motion.arm(known).cross(impulse);
                    if let Some(spin) = spins.get(slot).filter(|_| is_oriented && here.turns) {
                        turn += here.inertia * Vec3A::from_vec4(spin.velocity);
                    }
                }
                Some([push / motion.mass(), motion.turned_by(turn)])
            })
            .collect();
        for (member, known) in work.lists.members.iter().enumerate() {
            let (here, slot) = (&work.here[member], work.slots[member] as usize);
            if !known.is_rigid() || !here.moves || work.slots[member] == NONE {
                continue;
            }
            let entries = work.lists.parts_of.of_member(member).iter();
            let parts = entries.map(|&entry| work.lists.part_numbers[entry as usize] as usize);
            let (mut velocity, mut changed) = (Vec3::ZERO, false);
            for part in parts {
                velocity += known.part_share
                    * match all[part] {
                        Some([push, spin]) => {
                            changed = true;
                            if let Some(own) = spins.get_mut(slot).filter(|_| here.turns && known.part_share == 1.0) {
                                own.velocity = Vec3::from(spin).extend(own.velocity.w);
                            }
                            Vec3::from(push + spin.cross(work.motions[part].arm(known)))
                        }
                        None => velocities[slot].xyz(),
                    };
            }
            if changed {
                velocities[slot] = velocity.extend(Particles::HALF_KICK);
            }
        }
        all.iter().any(Option::is_some)
    }
}
