//! Sources of particles: a disc or a box that gives off layers of particles without overlaps.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::random::Random;
use crate::smoke::Plume;
use crate::space::pose::Pose;
use crate::world::group::GroupId;

/// A source of particles. It emits along its local +y axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Emitter {
    /// Name for messages.
    pub name: String,
    /// Group that the particles join.
    pub group: GroupId,
    /// The opening.
    pub shape: EmitterShape,
    /// Where it stands.
    pub pose: Pose,
    /// Speed of the particles, m/s; must be positive.
    pub speed: f32,
    /// Particles per second; infinite emits as many as fit without overlap.
    pub rate: f32,
    /// Half angle of the cone of directions, radians.
    pub spread: f32,
    /// Seconds each particle lives; infinite keeps them.
    pub lifetime: f32,
    /// Time of the first particle, seconds.
    pub start: f32,
    /// Time after which nothing is emitted, seconds.
    pub stop: f32,
    /// Most particles it ever emits.
    pub limit: u64,
    /// Seed of its random choices.
    pub seed: u64,
    /// Whether it works, between `start` and `stop`.
    pub is_on: bool,
    /// Of a gas: how it leaves, with smoke.
    #[serde(default)]
    pub plume: Option<Plume>,
    /// How far it has come.
    #[serde(default)]
    pub progress: EmitterProgress,
}

/// The opening of an emitter, in its local frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum EmitterShape {
    /// A disc in the local xz plane.
    Disc {
        /// Its radius, metres.
        radius: f32,
    },
    /// A box; particles start on a lattice inside.
    Box {
        /// Half its edge lengths, metres.
        half_size: Vec3,
    },
}

/// What an emitter has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EmitterProgress {
    layers: u64,
    emitted: u64,
    owed: f32,
    /// Markers of smoke, likewise.
    marked: f32,
}

impl EmitterProgress {
    /// Particles emitted so far.
    pub fn emitted(&self) -> u64 {
        self.emitted
    }
}

/// A particle about to be born.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Birth {
    pub(crate) position: Vec3,
    pub(crate) velocity: Vec3,
    /// Seconds since it left the opening.
    pub(crate) flown: f32,
}

/// All that are about to be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Births {
    pub(crate) particles: Vec<Birth>,
    pub(crate) markers: Vec<Birth>,
}

/// A place in an opening, in the local frame.
#[derive(Clone, Copy, Debug)]
struct Site {
    place: Vec3,
    /// Whether it is in the sheath of a plume, and when its turn is there.
    turn: Option<f32>,
}

/// The particles that an emitter gives off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stream {
    /// Their radius, metres.
    pub radius: f32,
    /// Whether they are a liquid, which comes in rows a diameter apart, as dense as it is at rest.
    pub is_liquid: bool,
}

impl Stream {
    /// Distance of neighbours, metres. Grains are a little further apart than they are thick, so that a fresh layer touches nothing.
    fn spacing(self) -> f32 {
        2.0 * self.radius * if self.is_liquid { 1.0 } else { CLEARANCE }
    }

    /// How far from the middle of an opening centres may be, metres.
    fn room(self, reach: f32) -> f32 {
        let slack = if self.is_liquid { TOLERANCE } else { 0.0 };
        (reach - self.radius * (1.0 - slack)).max(0.0)
    }
}

/// Most places for particles in one layer.
const MOST_SITES: f32 = 1e6;

/// Distance of grains, in diameters.
const CLEARANCE: f32 = 1.05;

/// Share of a radius by which a liquid may reach out of an opening, so that a row which fits exactly is kept.
const TOLERANCE: f32 = 1e-3;

/// Multiples of the golden section leave even gaps between their fractions, however many there are.
const GOLDEN: f32 = 0.618_034;

impl Emitter {
    /// An opening at the origin that gives off as many particles as fit, straight up at 1 m/s, from the start and for ever.
    /// The other fields are set from there: `Emitter { speed: 3.0, ..Emitter::new(name, group, shape) }`.
    pub fn new(name: impl Into<String>, group: GroupId, shape: EmitterShape) -> Self {
        Self {
            name: name.into(),
            group,
            shape,
            pose: Pose::IDENTITY,
            speed: 1.0,
            rate: f32::INFINITY,
            spread: 0.0,
            lifetime: f32::INFINITY,
            start: 0.0,
            stop: f32::INFINITY,
            limit: u64::MAX,
            seed: 0,
            is_on: true,
            plume: None,
            progress: EmitterProgress::default(),
        }
    }

    /// First property that cannot be used, with what was found and expected.
    pub fn problem(&self, particle_radius: f32) -> Option<(&'static str, String, &'static str)> {
        if !(self.speed > 0.0 && self.speed.is_finite()) {
            return Some(("speed", self.speed.to_string(), "a positive speed, m/s"));
        }
        let half_size = self.half_size();
        let cells = (half_size / particle_radius + 1.0).max(Vec3::ONE);
        if !(half_size.is_finite() && half_size.min_element() >= 0.0 && cells.element_product() <= MOST_SITES) {
            return Some((
                "shape",
                format!("{:?}", self.shape),
                "an opening for at most a million particles",
            ));
        }
        if !(self.pose.position.is_finite() && self.pose.rotation.is_normalized()) {
            return Some((
                "pose",
                format!("{:?}", self.pose),
                "a finite position and a unit rotation",
            ));
        }
        let numbers = [self.spread, self.start, self.rate, self.stop, self.lifetime];
        if numbers.iter().any(|value| value.is_nan()) || !self.start.is_finite() || !self.spread.is_finite() {
            return Some(("times and rates", format!("{numbers:?}"), "numbers"));
        }
        self.plume.and_then(|plume| plume.problem())
    }

    fn half_size(&self) -> Vec3 {
        match self.shape {
            EmitterShape::Disc { radius } => Vec3::new(radius, 0.0, radius),
            EmitterShape::Box { half_size } => half_size,
        }
    }

    /// How far its opening reaches from its middle, metres.
    pub fn reach(&self) -> f32 {
        self.half_size().length()
    }

    /// Upper bound on the particles a second that fit through the opening.
    pub fn capacity(&self, stream: Stream) -> f32 {
        self.a_layer(&self.sites(stream)) / self.layer_seconds(stream)
    }

    /// Particles of a layer, in the mean.
    fn a_layer(&self, sites: &[Site]) -> f32 {
        let slow = sites.iter().filter(|site| site.turn.is_some()).count() as f32;
        sites.len() as f32 - slow * (1.0 - self.plume.map_or(1.0, |plume| plume.sheath_speed))
    }

    /// Particles and markers born between `from` and `to` seconds, where they are at `to` if nothing pulls at them.
    pub(crate) fn emit(&mut self, from: f32, to: f32, stream: Stream, births: &mut Births) {
        let period = f64::from(self.layer_seconds(stream));
        let end = to.min(self.stop);
        if !(period > 0.0 && self.start < end) {
            return;
        }
        let sites = self.sites(stream);
        let most = self.a_layer(&sites);
        let wanted = (self.rate * period as f32).min(most);
        let is_full = wanted >= most;
        let sheath_speed = self.plume.map_or(1.0, |plume| plume.sheath_speed);
        loop {
            let birth_time = f64::from(self.start) + period * self.progress.layers as f64;
            if birth_time >= f64::from(end) || self.progress.emitted >= self.limit {
                return;
            }
            let layer = self.progress.layers;
            let mut random = Random::new(self.seed, layer);
            let mut scatter = Random::new(!self.seed, layer);
            self.progress.layers += 1;
            // A layer that was due before this span (the emitter was added late) is skipped.
            if birth_time < f64::from(from) - period {
                continue;
            }
            self.progress.owed += wanted;
            let left = self.limit - self.progress.emitted;
            let mut order: Vec<u32> = (0..sites.len() as u32)
                .filter(|&k| sites[k as usize].has_its_turn(layer, sheath_speed))
                .collect();
            let due = if is_full {
                order.len()
            } else {
                self.progress.owed as usize
            };
            let count = due.min(order.len()).min(left as usize);
            self.progress.owed = if is_full {
                0.0
            } else {
                self.progress.owed - count as f32
            };
            self.progress.emitted += count as u64;
            let flown = (f64::from(to) - birth_time) as f32;
            for k in 0..count {
                let pick = k + random.below(order.len() - k);
                order.swap(k, pick);
                let site = sites[order[k] as usize];
                let share = if site.turn.is_some() { sheath_speed } else { 1.0 };
                let velocity = share * self.speed * self.pose.direction(self.direction(&mut random));
                let at = |place: Vec3| Birth {
                    position: self.pose.point(place) + flown * velocity,
                    velocity,
                    flown,
                };
                births.particles.push(at(site.place));
                if let (Some(plume), None) = (&self.plume, site.turn) {
                    self.progress.marked += plume.markers;
                    let marked = self.progress.marked.floor();
                    self.progress.marked -= marked;
                    for _ in 0..marked as u32 {
                        let aside = Vec3::new(scatter.signed(), scatter.signed(), scatter.signed());
                        births.markers.push(at(site.place + stream.radius * aside));
                    }
                }
            }
        }
    }

    fn layer_seconds(&self, stream: Stream) -> f32 {
        let depth = match self.shape {
            EmitterShape::Disc { .. } => 0.0,
            EmitterShape::Box { half_size } if stream.is_liquid => {
                2.0 * steps(half_size.y, stream) as f32 * stream.spacing()
            }
            EmitterShape::Box { half_size } => 2.0 * stream.room(half_size.y),
        };
        (stream.spacing() + depth) / self.speed.max(f32::MIN_POSITIVE)
    }

    /// Places of one layer's particles, a diameter apart, in the local frame; never none. Each column of grains has a start
    /// of its own, so that a stream does not come in sheets; those of liquids are as even as at rest.
    fn sites(&self, stream: Stream) -> Vec<Site> {
        let spacing = stream.spacing();
        let half_size = self.half_size();
        let [nx, ny, nz] = half_size.to_array().map(|half| steps(half, stream));
        let mut sites = Vec::new();
        for z in -nz..=nz {
            for y in -ny..=ny {
                for x in -nx..=nx {
                    let site = spacing * Vec3::new(x as f32, y as f32, z as f32);
                    let fits = |x: i32, z: i32| match self.shape {
                        EmitterShape::Disc { radius } => {
                            spacing * Vec3::new(x as f32, y as f32, z as f32).length() <= stream.room(radius)
                        }
                        EmitterShape::Box { .. } => x.abs() <= nx && z.abs() <= nz,
                    };
                    if fits(x, z) {
                        let thick = self.plume.map_or(0, |plume| plume.sheath as i32);
                        let sides = [(thick, 0), (-thick, 0), (0, thick), (0, -thick)];
                        let is_rim = sides.iter().any(|(dx, dz)| !fits(x + dx, z + dz));
                        let column = (z + nz) * (2 * nx + 1) + x + nx;
                        let turn = (column as f32 * GOLDEN).fract();
                        let lead = if stream.is_liquid { 0.0 } else { turn };
                        sites.push(Site {
                            place: site + lead * spacing * Vec3::Y,
                            turn: is_rim.then_some(turn),
                        });
                    }
                }
            }
        }
        sites
    }

    fn direction(&self, random: &mut Random) -> Vec3 {
        let angle = self.spread * random.unit().sqrt();
        let (sin_turn, cos_turn) = (std::f32::consts::TAU * random.unit()).sin_cos();
        let (sin, cos) = angle.sin_cos();
        Vec3::new(sin * cos_turn, cos, sin * sin_turn)
    }
}

impl Site {
    /// Whether a layer has a particle here: where all are slower, fewer come to be as dense as the rest.
    fn has_its_turn(&self, layer: u64, speed: f32) -> bool {
        let come = |layers: f64, turn: f32| (layers * f64::from(speed) + f64::from(turn)).floor();
        let layers = layer as f64;
        self.turn
            .is_none_or(|turn| come(layers + 1.0, turn) > come(layers, turn))
    }
}

/// Places of particles to either side of the middle one, in an opening that reaches so far.
fn steps(half: f32, stream: Stream) -> i32 {
    (stream.room(half) / stream.spacing()).min(1000.0) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hose() -> Emitter {
        Emitter {
            speed: 2.0,
            seed: 1,
            ..Emitter::new("hose", GroupId::default(), EmitterShape::Disc { radius: 0.5 })
        }
    }

    const GRAINS: Stream = Stream {
        radius: 0.05,
        is_liquid: false,
    };

    fn run(emitter: &mut Emitter, frames: usize) -> Vec<Birth> {
        run_stream(emitter, frames, GRAINS)
    }

    fn run_stream(emitter: &mut Emitter, frames: usize, stream: Stream) -> Vec<Birth> {
        run_births(emitter, frames, stream).particles
    }

    fn run_births(emitter: &mut Emitter, frames: usize, stream: Stream) -> Births {
        let mut births = Births::default();
        for frame in 0..frames {
            let dt = 1.0 / 60.0;
            let elapsed = (frames - 1 - frame) as f32 * dt;
            let first = [births.particles.len(), births.markers.len()];
            emitter.emit(frame as f32 * dt, (frame + 1) as f32 * dt, stream, &mut births);
            for birth in births.particles[first[0]..]
                .iter_mut()
                .chain(&mut births.markers[first[1]..])
            {
                birth.position += elapsed * birth.velocity;
            }
        }
        births
    }

    #[test]
    fn a_full_jet_has_no_overlaps() {
        let births = run(&mut hose(), 30);
        assert!(births.len() > 200);
        for (i, a) in births.iter().enumerate() {
            for b in &births[..i] {
                assert!(a.position.distance(b.position) >= 0.0999);
            }
        }
    }

    #[test]
    fn a_jet_of_liquid_is_as_dense_as_at_rest_at_any_speed() {
        let water = Stream {
            is_liquid: true,
            ..GRAINS
        };
        let half_size = Vec3::new(0.25, 0.15, 0.15);
        let shapes = [EmitterShape::Disc { radius: 0.25 }, EmitterShape::Box { half_size }];
        for (shape, across) in shapes.into_iter().zip([13.0, 15.0]) {
            for speed in [0.3, 2.0, 17.0] {
                let mut jet = Emitter { shape, speed, ..hose() };
                let births = run_stream(&mut jet, 60, water);
                let length = births.iter().map(|birth| birth.position.y).fold(0.0, f32::max);
                let expected = across * speed / 0.1;
                let count = births.len() as f32;
                assert!((count - expected).abs() <= 3.0 * across, "{count} of {expected}");
                let nearest = |i: usize| {
                    let others = births.iter().enumerate().filter(|(j, _)| *j != i);
                    { others.map(|(_, other)| other.position.distance(births[i].position)) }.fold(f32::MAX, f32::min)
                };
                assert!(length > 0.9 * speed, "{length}");
                assert!((0..births.len().min(300)).all(|i| (nearest(i) - 0.1).abs() < 1e-3));
            }
        }
    }

    #[test]
    fn a_stream_does_not_come_in_sheets() {
        let births = run(&mut hose(), 30);
        let heights = |low: f32, high: f32| births.iter().filter(|b| (low..high).contains(&b.position.y)).count();
        let slices: Vec<usize> = (0..20)
            .map(|k| heights(0.3 + 0.02 * k as f32, 0.32 + 0.02 * k as f32))
            .collect();
        assert!(slices.iter().all(|&count| count > 0), "{slices:?}");
    }

    #[test]
    fn a_plume_has_a_slower_sheath_as_dense_as_the_rest_and_markers_within_it() {
        let gas = Stream {
            is_liquid: true,
            ..GRAINS
        };
        let plume = Plume {
            markers: 2.5,
            sheath: 1,
            sheath_speed: 0.4,
            ..Plume::default()
        };
        let mut source = Emitter {
            plume: Some(plume),
            ..hose()
        };
        let births = run_births(&mut source, 90, gas);
        let aside = |birth: &Birth| birth.position.with_y(0.0).length();
        let (slow, fast): (Vec<&Birth>, Vec<&Birth>) =
            births.particles.iter().partition(|birth| birth.velocity.y < 1.0);
        assert!(
            slow.iter()
                .all(|birth| (birth.velocity.y - 0.8).abs() < 1e-5 && aside(birth) > 0.29)
        );
        assert!(
            fast.iter()
                .all(|birth| (birth.velocity.y - 2.0).abs() < 1e-5 && aside(birth) < 0.42)
        );
        // Of both as many to a length as there are columns.
        let rows = |births: &[&Birth]| births.iter().filter(|birth| birth.position.y < 1.0).count() as f32 / 10.0;
        let columns = |births: &[&Birth]| {
            let mut all: Vec<_> = births
                .iter()
                .map(|b| [b.position.x, b.position.z].map(|x| (20.0 * x).round() as i32))
                .collect();
            all.sort_unstable();
            all.dedup();
            all.len() as f32
        };
        for births in [&slow, &fast] {
            assert!(
                (rows(births) / columns(births) - 1.0).abs() < 0.1,
                "{} {}",
                rows(births),
                columns(births)
            );
        }
        assert!((births.markers.len() as f32 - 2.5 * fast.len() as f32).abs() <= 1.0);
        assert!(
            births
                .markers
                .iter()
                .all(|marker| aside(marker) < 0.42 + 0.08 && marker.velocity.y > 1.9)
        );
        assert!(run_births(&mut hose(), 30, gas).markers.is_empty());
    }

    #[test]
    fn the_rate_is_kept() {
        let mut slow = Emitter { rate: 100.0, ..hose() };
        let count = run(&mut slow, 120).len() as f32;
        assert!((count - 200.0).abs() <= 6.0, "{count}");
    }

    #[test]
    fn the_limit_and_the_stop_time_hold() {
        let mut limited = Emitter { limit: 17, ..hose() };
        assert_eq!(run(&mut limited, 60).len(), 17);
        let mut stopped = Emitter { stop: 0.0, ..hose() };
        assert_eq!(run(&mut stopped, 60).len(), 0);
    }
}
