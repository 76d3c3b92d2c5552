//! How large the particles of a batch are and how they touch, each a type, so that worlds pay only for what is in them.

use glam::Vec3;

use super::batch::{EMPTY, LANES, Lanes, Quad, Source, get, put, set};
use super::pairs::Slots;
use crate::constraints::contact::Terms;
use crate::constraints::solids;
use crate::constraints::surface;
use crate::particles::sizes::contact_radius;

/// How large particles are.
pub(super) trait Sizing {
    fn new(terms: &Terms) -> Self;
    fn fill(&mut self, slots: Slots, source: &Source);
    /// Distance at which the pair in a lane touches, metres.
    fn contact(&self, lane: usize) -> f32;
    /// What the source's grip is to be multiplied with.
    fn area(&self, lane: usize) -> f32;
    /// How far turning the first and the second has them roll: the part of the other's radius in the sum of both.
    fn parts(&self, lane: usize) -> [f32; 2];
    /// Radii of the pair in a lane.
    fn radii(&self, lane: usize) -> [f32; 2];
}

/// All of one size.
pub(super) struct OneSize {
    contact: f32,
}

impl Sizing for OneSize {
    #[inline(always)]
    fn new(terms: &Terms) -> Self {
        Self {
            contact: terms.distance,
        }
    }

    #[inline(always)]
    fn fill(&mut self, _: Slots, _: &Source) {}

    #[inline(always)]
    fn contact(&self, _: usize) -> f32 {
        self.contact
    }

    #[inline(always)]
    fn area(&self, _: usize) -> f32 {
        1.0
    }

    #[inline(always)]
    fn parts(&self, _: usize) -> [f32; 2] {
        [0.5; 2]
    }

    #[inline(always)]
    fn radii(&self, _: usize) -> [f32; 2] {
        [0.5 * self.contact; 2]
    }
}

/// Of several sizes.
pub(super) struct ManySizes {
    /// Radii of the first and the second particles.
    radii: [Lanes; 2],
}

impl Sizing for ManySizes {
    #[inline(always)]
    fn new(_: &Terms) -> Self {
        Self {
            radii: [[0.0; LANES]; 2],
        }
    }

    #[inline(always)]
    fn fill(&mut self, slots: Slots, source: &Source) {
        for lane in 0..LANES {
            [self.radii[0][lane], self.radii[1][lane]] = slots.lane(lane).map(|slot| source.radii[slot as usize]);
        }
    }

    #[inline(always)]
    fn contact(&self, lane: usize) -> f32 {
        self.radii[0][lane] + self.radii[1][lane]
    }

    #[inline(always)]
    fn area(&self, lane: usize) -> f32 {
        let radius = contact_radius(self.radii[0][lane], self.radii[1][lane]);
        radius * radius
    }

    #[inline(always)]
    fn parts(&self, lane: usize) -> [f32; 2] {
        let [a, b] = [self.radii[0][lane], self.radii[1][lane]];
        [b / (a + b), a / (a + b)]
    }

    #[inline(always)]
    fn radii(&self, lane: usize) -> [f32; 2] {
        [self.radii[0][lane], self.radii[1][lane]]
    }
}

/// How particles touch.
pub(super) trait Touching: Default {
    /// Fetches what the particles know of their bodies; `offset` is from the second of a pair to the first.
    fn fill(&mut self, slots: Slots, source: &Source, offset: &Quad, sizing: &impl Sizing);
    /// Normal and gap of the pair in a lane.
    fn touch(&self, lane: usize, offset: Vec3, contact: f32) -> (Vec3, f32);
    /// Whether a body is involved.
    fn has_body(&self, lane: usize) -> bool;
    /// Whether both are of bodies that touch with inscribed balls.
    #[inline(always)]
    fn is_solid(&self, _: usize) -> bool {
        false
    }
}

/// As balls.
#[derive(Default)]
pub(super) struct Balls;

impl Touching for Balls {
    #[inline(always)]
    fn fill(&mut self, _: Slots, _: &Source, _: &Quad, _: &impl Sizing) {}

    #[inline(always)]
    fn touch(&self, _: usize, offset: Vec3, contact: f32) -> (Vec3, f32) {
        surface::balls(offset, contact)
    }

    #[inline(always)]
    fn has_body(&self, _: usize) -> bool {
        false
    }
}

/// By the surfaces of their bodies. All is worked out in a loop of its own, which the compiler can make vector code of.
pub(super) struct Surfaces {
    fields: [Quad; 2],
    /// Normals (xyz) and gaps (w).
    normals: Quad,
    /// 1 where a body is involved.
    has_body: Lanes,
}

impl Default for Surfaces {
    fn default() -> Self {
        Self {
            fields: [EMPTY; 2],
            normals: EMPTY,
            has_body: [0.0; LANES],
        }
    }
}

impl Surfaces {
    /// Fetches what the particles know of their surfaces.
    #[inline(always)]
    fn fetch(&mut self, slots: Slots, source: &Source) {
        let fields = slots.read(source.fields);
        for lane in (0..LANES).step_by(4) {
            let rows = [0, 1, 2, 3].map(|k| fields(lane + k));
            put(&mut self.fields[0], lane, rows.map(|row| row.0));
            put(&mut self.fields[1], lane, rows.map(|row| row.1));
        }
    }

    /// Works out how they touch.
    #[inline(always)]
    fn work_out(&mut self, offset: &Quad, sizing: &impl Sizing) {
        for lane in 0..LANES {
            let [first, second] = self.fields.each_ref().map(|of| get(of, lane).extend(of[3][lane]));
            let (normal, gap) = surface::shapes(get(offset, lane), first, second, sizing.contact(lane));
            set(&mut self.normals, lane, normal);
            self.normals[3][lane] = gap;
            let grains = (first.w == f32::INFINITY) & (second.w == f32::INFINITY);
            self.has_body[lane] = if grains { 0.0 } else { 1.0 };
        }
    }
}

impl Touching for Surfaces {
    #[inline(always)]
    fn fill(&mut self, slots: Slots, source: &Source, offset: &Quad, sizing: &impl Sizing) {
        self.fetch(slots, source);
        self.work_out(offset, sizing);
    }

    #[inline(always)]
    fn touch(&self, lane: usize, _: Vec3, _: f32) -> (Vec3, f32) {
        (get(&self.normals, lane), self.normals[3][lane])
    }

    #[inline(always)]
    fn has_body(&self, lane: usize) -> bool {
        self.has_body[lane] > 0.0
    }
}

/// By the inscribed balls of their bodies where both have some, else by their surfaces.
pub(super) struct Solids {
    surfaces: Surfaces,
    balls: [Quad; 2],
    /// 1 where both have inscribed balls.
    are_solid: Lanes,
}

impl Default for Solids {
    fn default() -> Self {
        Self {
            surfaces: Surfaces::default(),
            balls: [EMPTY; 2],
            are_solid: [0.0; LANES],
        }
    }
}

impl Touching for Solids {
    #[inline(always)]
    fn fill(&mut self, slots: Slots, source: &Source, offset: &Quad, sizing: &impl Sizing) {
        self.surfaces.fetch(slots, source);
        let balls = slots.read(source.balls);
        for lane in (0..LANES).step_by(4) {
            let rows = [0, 1, 2, 3].map(|k| balls(lane + k));
            put(&mut self.balls[0], lane, rows.map(|row| row.0));
            put(&mut self.balls[1], lane, rows.map(|row| row.1));
        }
        let mut count = 0.0;
        for lane in 0..LANES {
            let both = (self.balls[0][3][lane] >= 0.0) & (self.balls[1][3][lane] >= 0.0);
            self.are_solid[lane] = if both { 1.0 } else { 0.0 };
            count += self.are_solid[lane];
        }
        if count == LANES as f32 {
            self.surfaces.has_body = self.are_solid;
        } else {
            self.surfaces.work_out(offset, sizing);
        }
        if count == 0.0 {
            return;
        }
        let Surfaces { fields, normals, .. } = &mut self.surfaces;
        for lane in 0..LANES {
            let fields = [0, 1].map(|k| get(&fields[k], lane).extend(fields[k][3][lane]));
            let balls = [0, 1].map(|k| get(&self.balls[k], lane).extend(self.balls[k][3][lane]));
            let (normal, gap) = solids::touch(get(offset, lane), fields, balls, sizing.radii(lane));
            let is_solid = self.are_solid[lane] > 0.0;
            let found = [normal.x, normal.y, normal.z, gap];
            for (lanes, found) in normals.iter_mut().zip(found) {
                lanes[lane] = if is_solid { found } else { lanes[lane] };
            }
        }
    }

    #[inline(always)]
    fn touch(&self, lane: usize, offset: Vec3, contact: f32) -> (Vec3, f32) {
        self.surfaces.touch(lane, offset, contact)
    }

    #[inline(always)]
    fn has_body(&self, lane: usize) -> bool {
        self.surfaces.has_body(lane)
    }

    #[inline(always)]
    fn is_solid(&self, lane: usize) -> bool {
        self.are_solid[lane] > 0.0
    }
}
