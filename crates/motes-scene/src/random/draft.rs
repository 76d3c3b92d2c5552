//! A scene while it is being written: its numbers, the places that are free in its room, its text.

use super::dice::{Decimal, Dice, Triple};
use super::menu::{Ingredient, Menu};

/// Length of a frame, seconds.
const FRAME: f64 = 1.0 / 60.0;

/// A scene while it is being written.
pub(super) struct Draft {
    pub(super) dice: Dice,
    pub(super) menu: Menu,
    /// Whether nothing may put energy in.
    pub(super) is_passive: bool,
    /// Radius of most particles, metres.
    pub(super) radius: f64,
    /// Whether some particles are half or twice as large.
    pub(super) sizes: bool,
    pub(super) substeps: u32,
    pub(super) iterations: u32,
    pub(super) frames: u32,
    /// Inside of the room, from its lower corner to its upper one, metres.
    pub(super) room: [[f64; 3]; 2],
    /// How far what lies on the floor reaches up, metres.
    pub(super) relief: f64,
    /// Motion of the room, if it moves: lines of a `motion` table.
    pub(super) shaking: Option<String>,
    /// What may still be placed, particles.
    pub(super) particles: f64,
    /// Places that are free.
    slots: Vec<[u32; 3]>,
    grid: [u32; 3],
    text: String,
    materials: u32,
    /// Materials that objects are made of.
    pub(super) used: Vec<String>,
    names: u32,
    /// Whether there is a wind.
    pub(super) is_windy: bool,
}

/// A cubic place of the room that nothing else is in.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    /// Its middle, metres.
    pub(super) center: Triple,
    /// Its edge, metres.
    pub(super) size: f64,
}

impl Draft {
    /// Numbers of a scene, and its head.
    pub(super) fn new(mut dice: Dice, menu: Menu, particles: u32) -> Self {
        let is_passive = dice.chance(50);
        let radius = dice.between(0.03, 0.06);
        let (substeps, iterations) =
            dice.one_of(&[(2, 2), (2, 4), (2, 4), (3, 3), (4, 4), (2, 8), (4, 8), (8, 4), (8, 8)]);
        let grid = [dice.whole(1, 3), dice.whole(1, 3), dice.whole(1, 2)];
        let size = radius * dice.between(12.0, 22.0);
        let half = [0, 2].map(|axis: usize| 0.5 * size * f64::from(grid[axis]));
        let relief = if dice.chance(20) { 0.4 * size } else { 0.0 };
        let height = relief + size * f64::from(grid[1]);
        let mut slots: Vec<[u32; 3]> = (0..grid[0] * grid[1] * grid[2])
            .map(|k| [k % grid[0], k / grid[0] % grid[1], k / (grid[0] * grid[1])])
            .collect();
        for last in (1..slots.len()).rev() {
            slots.swap(last, dice.whole(0, last as u32) as usize);
        }
        Self {
            is_passive,
            radius,
            sizes: dice.chance(30) && menu.has(Ingredient::Sizes),
            substeps,
            iterations,
            frames: dice.whole(45, 90),
            room: [[-half[0], 0.0, -half[1]], [half[0], height, half[1]]],
            relief,
            shaking: None,
            particles: f64::from(particles),
            slots,
            grid,
            text: String::new(),
            materials: 0,
            used: Vec::new(),
            names: 0,
            is_windy: false,
            dice,
            menu,
        }
    }

    /// Edges of the room, metres.
    pub(super) fn size(&self) -> [f64; 3] {
        let [low, high] = self.room;
        [0, 1, 2].map(|axis| high[axis] - low[axis])
    }

    /// Middle of the room, metres.
    pub(super) fn middle(&self) -> Triple {
        let [low, high] = self.room;
        Triple([0, 1, 2].map(|axis| 0.5 * (low[axis] + high[axis])))
    }

    /// A place that is free from there on; none when the room or the number of particles is used up.
    pub(super) fn slot(&mut self) -> Option<Slot> {
        if self.particles <= 0.0 {
            return None;
        }
        let place = self.slots.pop()?;
        let [low, high] = self.room;
        let size = (high[0] - low[0]) / f64::from(self.grid[0]);
        let center = [0, 1, 2].map(|axis: usize| {
            let floor = if axis == 1 { self.relief } else { 0.0 };
            low[axis] + floor + size * (f64::from(place[axis]) + 0.5)
        });
        Some(Slot {
            center: Triple(center),
            size,
        })
    }

    /// Notes about how many particles a solid of that volume has, cubic metres, a distance apart.
    pub(super) fn count(&mut self, volume: f64, distance: f64) {
        self.particles -= 1.4 * volume / (distance * distance * distance);
    }

    /// A chance, of something that is on the menu.
    pub(super) fn takes(&mut self, wanted: Ingredient, percent: u32) -> bool {
        self.dice.chance(percent) && self.menu.has(wanted)
    }

    /// What something that moves by itself is taken for: a chance, in scenes that may be driven.
    pub(super) fn moves(&mut self, percent: u32) -> bool {
        !self.is_passive && self.takes(Ingredient::Motion, percent)
    }

    /// A kind of body that is on the menu.
    pub(super) fn body_kind(&mut self) -> Option<&'static str> {
        let kinds = [
            (Ingredient::Rigid, "rigid"),
            (Ingredient::Rigid, "rigid"),
            (Ingredient::Soft, "soft"),
            (Ingredient::Plastic, "plastic"),
        ];
        let kinds: Vec<&str> = { kinds.into_iter() }
            .filter(|(kind, _)| self.menu.has(*kind))
            .map(|(_, name)| name)
            .collect();
        (!kinds.is_empty()).then(|| self.dice.one_of(&kinds))
    }

    /// Writes a line.
    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Writes a key.
    pub(super) fn key(&mut self, key: &str, value: impl std::fmt::Display) {
        self.line(&format!("{key} = {value}"));
    }

    /// Writes a number.
    pub(super) fn number(&mut self, key: &str, value: f64) {
        self.key(key, Decimal(value));
    }

    /// A name that nothing else has.
    pub(super) fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind} {}", self.names)
    }

    /// A number for the next material.
    pub(super) fn next_material(&mut self) -> u32 {
        self.materials += 1;
        self.materials
    }

    /// Seconds of a sub-step.
    pub(super) fn substep(&self) -> f64 {
        FRAME / f64::from(self.substeps)
    }

    /// Seconds of the run.
    pub(super) fn duration(&self) -> f64 {
        FRAME * f64::from(self.frames)
    }

    /// Radius of the particles of an object, metres; written where it is not the usual one.
    pub(super) fn some_radius(&mut self) -> f64 {
        if !self.sizes {
            return self.radius;
        }
        let radius = self.radius * self.dice.one_of(&[0.5, 1.0, 2.0]);
        self.number("radius", radius);
        radius
    }

    /// A speed at which particles of a radius cross at most two diameters in a sub-step, and at most 6 m/s.
    pub(super) fn speed(&mut self, radius: f64) -> f64 {
        let most = (4.0 * radius / self.substep()).min(6.0);
        if self.dice.chance(40) {
            0.0
        } else {
            self.dice.between(0.0, most)
        }
    }

    /// The whole text: what is about the file first, then all tables.
    pub(super) fn finish(self, head: &str) -> String {
        let mut text = String::from(head);
        text.push_str(&self.text);
        text
    }
}
