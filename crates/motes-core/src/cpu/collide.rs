//! Line 8: contacts between particles and colliders, found along the path of each particle.

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::{CHUNK, State};
use crate::colliders::collider::{ColliderFrame, SurfaceRun};
use crate::colliders::{Shape, SurfacePlane, Sweep};
use crate::constraints::contact::SLOP;
use crate::constraints::ellipsoid::Ellipsoid;
use crate::constraints::inscribed::{self, InscribedBall, is_inscribed};
use crate::constraints::revolution::Place;
use crate::particles::sizes::Sizes;
use crate::settings::Settings;
use crate::space::bounds::Bounds;
use crate::space::pose::Pose;

/// A collider over one sub-step.
pub(crate) struct MovingCollider {
    /// Its place among the frame's colliders.
    pub(super) index: usize,
    pub(super) from: Pose,
    pub(super) to: Pose,
    /// How far it turns, and its surface runs about it, axis times angle.
    turn: Vec3,
    /// How far its surface runs along itself.
    surface: Option<SurfaceRun>,
    /// Bounds over the whole sub-step.
    pub(super) bounds: Bounds,
    /// Of a plane that does not turn: its normal, and the height along it that it reaches up to in the sub-step.
    level: Option<(Vec3, f32)>,
}

impl MovingCollider {
    /// Whether a particle that goes from `start` to `end` might come within `reach`; cheap, and right in doubt.
    #[inline]
    pub(super) fn may_touch(&self, start: Vec3, end: Vec3, reach: f32) -> bool {
        match self.level {
            Some((normal, height)) => normal.dot(start).min(normal.dot(end)) < height + reach,
            None => self
                .bounds
                .overlaps(&Bounds::EMPTY.with(start).with(end).expanded(reach)),
        }
    }

    /// How far a point of the collider's surface with its normal, given at the end of the sub-step, moved during it.
    pub(super) fn travel(&self, point: Vec3, plane: &SurfacePlane) -> Vec3 {
        let moved = point - self.from.point(self.to.local_point(point));
        match &self.surface {
            Some(run) => moved + self.to.direction(run.along(plane.point, plane.normal)),
            None => moved,
        }
    }
}

/// A plane that one particle has to stay above, and what that took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColliderContact {
    /// Offset of the particle in its chunk.
    pub(super) offset: u32,
    /// Place of the collider among the frame's colliders.
    pub(super) collider: u32,
    /// Radius of the particle.
    pub(super) radius: f32,
    /// Inverse mass of the particle.
    pub(super) inverse_mass: f32,
    /// How far a correction goes: whole for a particle on its own, further for one that has to move a body along.
    pub(super) reach: f32,
    /// The same of friction.
    pub(super) across: f32,
    /// Surface point at the end of the sub-step.
    pub(super) point: Vec3,
    pub(super) normal: Vec3,
    /// Displacement of the surface during the sub-step.
    pub(super) travel: Vec3,
    /// Distance that adhesion can close in the sub-step.
    pub(super) pull: f32,
    /// Corrections applied so far in this sub-step, metres.
    pub(super) normal_sum: f32,
    pub(super) friction_sum: Vec3,
    /// How far the collider turns, axis times angle.
    pub(super) turn: Vec3,
}

/// What contacts just did to the body of the particle in a slot besides pushing it there.
#[inline]
pub(super) fn twist_in(contacts: &[ChunkContacts], slot: usize) -> Vec3 {
    let twists = contacts.get(slot / CHUNK).map(|chunk| &chunk.twists);
    twists
        .and_then(|twists| twists.get(slot % CHUNK))
        .copied()
        .unwrap_or(Vec3::ZERO)
}

impl ColliderContact {
    /// Whether a particle that goes from one place to the other comes near enough for a body to deal with it.
    fn is_near(&self, start: Vec3, end: Vec3) -> bool {
        let gap = self.gap_at_end(end).min(self.gap_at_start(start));
        gap <= inscribed::NEAR * self.radius
    }

    /// The way from a particle to where the contact acts on it; zero unless it has an inscribed ball.
    #[inline]
    pub(super) fn arm(&self, ball: InscribedBall) -> Vec3 {
        if !is_inscribed(ball) {
            return Vec3::ZERO;
        }
        inscribed::arm(inscribed::seen(ball, self.normal, self.radius), self.normal)
    }

    /// The same of an inscribed ball in place of the particle's own, in a body that is about to turn; the ball may roll along a circle of it.
    fn shifted(&self, ball: InscribedBall, turn: Vec3, rolls_at: Option<&Place>) -> Self {
        let plane = inscribed::Plane {
            point: self.point,
            normal: self.normal,
            travel: self.travel,
        };
        let seen = inscribed::seen(ball, self.normal, self.radius);
        let rolls_at = rolls_at.filter(|_| seen == ball);
        let inscribed::Plane { point, travel, .. } = plane.shifted(seen, self.radius, turn, rolls_at);
        Self { point, travel, ..*self }
    }
}

/// Collider contacts of one chunk of particles, by particle.
#[derive(Default)]
pub(crate) struct ChunkContacts {
    pub(super) contacts: Vec<ColliderContact>,
    /// What contacts just did to the body of each particle besides pushing it there, kg·m², or kg·m²/s in rebounds, where they
    /// act on inscribed balls; else empty.
    pub(super) twists: Vec<Vec3>,
    /// Of bodies of revolution, balls that were taken to where they touch colliders, by the offset of their particle.
    faced: Vec<(u32, InscribedBall)>,
    planes: Vec<SurfacePlane>,
}

impl ChunkContacts {
    /// Where a particle on its own starts, by its offset, once it is out of the colliders that it overlaps there.
    pub(super) fn out_of_colliders(&self, offset: usize, start: Vec4) -> Vec4 {
        let first = self
            .contacts
            .partition_point(|contact| (contact.offset as usize) < offset);
        let own = self.contacts[first..]
            .iter()
            .take_while(|contact| contact.offset as usize == offset);
        own.fold(start, |start, contact| {
            let depth = -contact.gap_at_start(start.truncate()) - SLOP * 2.0 * contact.radius;
            start + (depth.max(0.0) * contact.normal).extend(0.0)
        })
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<ColliderContact>() * self.contacts.capacity() + 12 * self.twists.capacity()
    }

    /// Forgets what contacts did to bodies before they do it again.
    pub(super) fn begin_twists(&mut self) {
        self.twists.fill(Vec3::ZERO);
    }
}

impl State {
    /// Places the colliders at the beginning and the end of a sub-step.
    pub(super) fn place_colliders(&mut self, index: u32, count: u32) {
        let (begin, end) = (index as f32 / count as f32, (index + 1) as f32 / count as f32);
        self.part = [begin, end];
        self.colliders.clear();
        let h = self.frame.dt / count as f32;
        for (place, frame) in self.frame.colliders.iter().enumerate() {
            if frame.collider.trigger {
                continue;
            }
            let from = frame.from.lerp(&frame.to, begin);
            let to = frame.from.lerp(&frame.to, end);
            let local = frame.collider.shape.bounds();
            let surface = &frame.collider.surface;
            let surface = (!surface.is_still()).then(|| surface.during(h));
            let turned = (to.rotation * from.rotation.inverse()).to_scaled_axis();
            self.colliders.push(MovingCollider {
                index: place,
                bounds: local.transformed(&from).union(local.transformed(&to)),
                turn: surface.map_or(turned, |run| turned + to.direction(run.turn)),
                surface,
                level: level(&frame.collider.shape, &from, &to),
                from,
                to,
            });
        }
    }

    pub(super) fn find_contacts(&mut self, h: f32) {
        let mut chunks = std::mem::take(&mut self.contacts);
        chunks.resize_with(self.particles.len().div_ceil(CHUNK), ChunkContacts::default);
        chunks.par_iter_mut().enumerate().for_each(|(chunk, out)| {
            out.contacts.clear();
            out.twists.clear();
            self.find_chunk_contacts(chunk, h, out);
        });
        for (chunk, contacts) in chunks.iter_mut().enumerate() {
            for (offset, ball) in contacts.faced.drain(..) {
                self.shapes.inscribed[chunk * CHUNK + offset as usize] = ball;
            }
        }
        self.contacts = chunks;
    }

    fn find_chunk_contacts(&self, chunk: usize, h: f32, out: &mut ChunkContacts) {
        let first = chunk * CHUNK;
        let last = (first + CHUNK).min(self.particles.len());
        let starts = &self.particles.positions[first..last];
        let ends = &self.predicted[first..last];
        let settings = &self.frame.settings;
        // One radius of reach: what other particles can push a particle by in a sub-step, unless all is lost.
        let sizes = self.frame.sizes.as_ref();
        let reach = sizes.map_or(settings.particle_radius, Sizes::largest) * 2.0;
        let bounds = Bounds::of(starts.iter().chain(ends).map(|position| position.xyz())).expanded(reach);
        let nearby: Vec<&MovingCollider> = self
            .colliders
            .iter()
            .filter(|collider| {
                collider.bounds.overlaps(&bounds) && self.frame.colliders[collider.index].reaches(&bounds)
            })
            .collect();
        if nearby.is_empty() {
            return;
        }
        for (offset, (start, end)) in starts.iter().zip(ends).enumerate() {
            if start.w == 0.0 {
                continue;
            }
            let channels = self.particles.phases[first + offset].channels();
            let radius = self.radius(first + offset);
            let reach = radius * 2.0;
            let found = out.contacts.len();
            for &moving in &nearby {
                let frame = &self.frame.colliders[moving.index];
                if frame.collider.channels & channels != 0 && moving.may_touch(start.xyz(), end.xyz(), reach) {
                    let surface = self
                        .frame
                        .materials
                        .surface(self.particles.materials[first + offset], frame.collider.material);
                    let contact = ColliderContact {
                        offset: offset as u32,
                        radius,
                        inverse_mass: start.w,
                        reach: 1.0,
                        across: 1.0,
                        collider: moving.index as u32,
                        pull: Settings::grip(surface.cohesion, radius, h) * start.w,
                        point: Vec3::ZERO,
                        normal: Vec3::ZERO,
                        travel: Vec3::ZERO,
                        normal_sum: 0.0,
                        friction_sum: Vec3::ZERO,
                        turn: moving.turn,
                    };
                    touch(moving, frame, start.xyz(), end.xyz(), contact, out);
                }
            }
            if let Some((rotation, radii)) = self.particles.orientation(first + offset) {
                let shape = Ellipsoid::new(rotation, radii);
                for contact in &mut out.contacts[found..] {
                    contact.radius = shape.reach(contact.normal);
                }
            }
            if found < out.contacts.len() {
                self.shift_contacts(first + offset, [start.xyz(), end.xyz()], found, out);
            }
        }
    }

    /// Has the inscribed ball of the particle in a slot, if it has one, touch in place of the particle, whose contacts begin at a number.
    fn shift_contacts(&self, slot: usize, [start, end]: [Vec3; 2], found: usize, out: &mut ChunkContacts) {
        let Some((mut ball, motion)) = self.shapes.inscribed_in(slot) else {
            return;
        };
        out.twists.resize(CHUNK, Vec3::ZERO);
        let place = self.shapes.revolving_in(slot, motion);
        let mut rolls_at = None;
        if let Some(place) = &place {
            let pointing = self.pairs.pointing(slot..slot + 1).one(0).xyz().normalize_or_zero();
            let gap = |contact: &ColliderContact| contact.gap_at_end(end);
            let nearest = { out.contacts[found..].iter() }.reduce(|a, b| if gap(b) < gap(a) { b } else { a });
            let normal = match pointing == Vec3::ZERO {
                true => nearest.map_or(Vec3::ZERO, |contact| contact.normal),
                false => pointing,
            };
            let faced = place.face(ball, normal, self.radius(slot));
            ball = faced.ball;
            rolls_at = faced.rolls.then_some(place);
            // Those that touch other bodies too are taken there with their feet.
            if pointing == Vec3::ZERO {
                out.faced.push(((slot % CHUNK) as u32, ball));
            }
        }
        let mut kept = found;
        for number in found..out.contacts.len() {
            let shifted = out.contacts[number].shifted(ball, motion.spin.turn, rolls_at);
            if shifted.is_near(start, end) {
                out.contacts[kept] = shifted;
                kept += 1;
            }
        }
        out.contacts.truncate(kept);
    }
}

/// Normal and greatest height of a plane that does not turn from one pose to the other.
fn level(shape: &Shape, from: &Pose, to: &Pose) -> Option<(Vec3, f32)> {
    match shape {
        Shape::Plane(plane) if from.rotation == to.rotation => {
            let normal = to.direction(plane.normal());
            let above = plane.offset() + normal.dot(from.position).max(normal.dot(to.position));
            Some((normal, above))
        }
        _ => None,
    }
}

/// Adds the contacts of one particle with one collider, as copies of `contact` with their planes filled in.
fn touch(
    moving: &MovingCollider,
    frame: &ColliderFrame,
    start: Vec3,
    end: Vec3,
    contact: ColliderContact,
    out: &mut ChunkContacts,
) {
    out.planes.clear();
    let sweep = Sweep {
        start: moving.from.local_point(start),
        end: moving.to.local_point(end),
        radius: contact.radius,
        margin: contact.radius,
    };
    frame.collider.shape.contacts(&sweep, &mut out.planes);
    for plane in &out.planes {
        let point = moving.to.point(plane.point);
        out.contacts.push(ColliderContact {
            point,
            normal: moving.to.direction(plane.normal),
            travel: moving.travel(point, plane),
            ..contact
        });
    }
}
