//! Ropes that are tightened all at once: heavy loads on light ropes, at any step, without gaining energy.

use glam::Vec3;
use motes_core::{ConstraintSolver, CpuEngine, Group, Material, NewDistance, ParticleId, Settings, Softness, World};

const DT: f32 = 1.0 / 60.0;
/// Sub-steps and iterations.
const STEPS: [(u32, u32); 3] = [(2, 4), (4, 4), (8, 8)];
const SOLVERS: [ConstraintSolver; 2] = [ConstraintSolver::Jacobi, ConstraintSolver::GaussSeidel];
const SPACING: f32 = 0.03;

struct Rope {
    world: World,
    ids: Vec<ParticleId>,
    masses: Vec<f32>,
}

impl Rope {
    /// Grains in a row that goes aside from the origin, where the first is pinned; the last is so many times as heavy as the others.
    fn new(count: usize, load: f32, settings: impl FnOnce(&mut Settings)) -> Self {
        Self::damped(count, load, 0.0, settings)
    }

    fn damped(count: usize, load: f32, damping: f32, settings: impl FnOnce(&mut Settings)) -> Self {
        let mut all = Settings {
            particle_radius: 0.01,
            ..Settings::default()
        };
        settings(&mut all);
        let mut world = World::with_engine(all, Box::new(CpuEngine::with_threads(1))).expect("settings");
        let material = Material {
            damping,
            ..Material::GLASS
        };
        let glass = world.add_material(material).expect("material");
        let mut group = Group::grains("rope", glass);
        group.flags = 0;
        let group = world.add_group(group).expect("group");
        let places: Vec<Vec3> = (0..count).map(|i| SPACING * i as f32 * Vec3::X).collect();
        let ids = world.add_particles(group, &places, Vec3::ZERO).expect("particles");
        let each = 1.0 / world.particles().positions[0].w;
        let mut masses = vec![each; count];
        masses[count - 1] = load * each;
        world
            .set_inverse_masses(&[(ids[0], 0.0), (ids[count - 1], 1.0 / (load * each))])
            .expect("masses");
        let rows: Vec<NewDistance> = (1..count)
            .map(|i| NewDistance::new([ids[i - 1], ids[i]], SPACING))
            .collect();
        world.add_distances(&rows).expect("rows");
        Self { world, ids, masses }
    }

    fn places(&mut self) -> Vec<Vec3> {
        let ids = self.ids.clone();
        let found = self.world.positions(&ids);
        found.into_iter().map(|place| place.expect("alive")).collect()
    }

    /// Of motion and height, joules.
    fn energy(&mut self) -> f32 {
        let places = self.places();
        let particles = self.world.particles();
        let each = self.ids.iter().zip(&self.masses).zip(&places).skip(1);
        each.map(|((id, mass), place)| {
            let speed = particles.velocities[particles.slot(*id).expect("alive")]
                .truncate()
                .length();
            mass * (0.5 * speed * speed + 9.81 * place.y)
        })
        .sum()
    }

    /// How much too long it is as a whole, over its length.
    fn stretch(&mut self) -> f32 {
        let places = self.places();
        let length: f32 = places.windows(2).map(|two| two[0].distance(two[1])).sum();
        length / (SPACING * (places.len() - 1) as f32) - 1.0
    }
}

#[test]
fn ten_thousand_times_its_particles_swings_on_a_rope_that_neither_stretches_nor_gains() {
    for solver in SOLVERS {
        for (substeps, iterations) in STEPS {
            let mut rope = Rope::new(70, 1e4, |settings| {
                (settings.substeps, settings.iterations, settings.constraint_solver) = (substeps, iterations, solver);
            });
            let span = 9.81 * rope.masses.iter().sum::<f32>() * SPACING * 70.0;
            let mut most = rope.energy();
            for frame in 0..300 {
                rope.world.step(DT);
                let (energy, stretch) = (rope.energy(), rope.stretch());
                assert!(
                    energy < most + 1e-4 * span,
                    "{energy} after {most} in {frame}, {substeps} × {iterations}"
                );
                assert!(
                    stretch < 0.01,
                    "{stretch} in {frame}, {substeps} × {iterations}, {solver:?}"
                );
                most = most.min(energy).max(energy);
            }
            rope.world.health().expect("finite");
            // What is left to iterations alone is drawn out many times its length.
            let mut iterated = Rope::new(70, 1e4, |settings| {
                (settings.substeps, settings.iterations, settings.constraint_solver) = (substeps, iterations, solver);
                settings.direct_strands = false;
            });
            (0..60).for_each(|_| iterated.world.step(DT));
            assert!(
                iterated.stretch() > 0.1,
                "{} {substeps} × {iterations}",
                iterated.stretch()
            );
        }
    }
}

#[test]
fn a_load_that_a_slack_rope_catches_is_not_thrown_up_again() {
    let ways = [Vec3::new(-6.0, 0.0, 0.0), Vec3::new(-6.0, 6.0, 2.0)];
    for (way, solver) in ways.into_iter().flat_map(|way| SOLVERS.map(|solver| (way, solver))) {
        for (substeps, iterations) in [(2, 4), (4, 4)] {
            let mut rope = Rope::new(70, 5e4, |settings| {
                (settings.substeps, settings.iterations, settings.constraint_solver) = (substeps, iterations, solver);
            });
            let last = rope.ids[69];
            rope.world.set_velocities(&[(last, way)]).expect("alive");
            let span = 9.81 * rope.masses.iter().sum::<f32>() * SPACING * 70.0;
            let start = rope.energy();
            for frame in 0..300 {
                rope.world.step(DT);
                // Speeds are those of the middle of a sub-step.
                let gain = (rope.energy() - start) / span;
                assert!(
                    gain < 0.02,
                    "{gain} in {frame}, {substeps} × {iterations}, {solver:?}, {way}"
                );
            }
        }
    }
}

#[test]
fn a_load_stretches_a_rope_by_its_weight_times_the_compliance_at_any_step() {
    for (substeps, iterations) in STEPS {
        let mut rope = Rope::damped(40, 500.0, 4.0, |settings| {
            (settings.substeps, settings.iterations) = (substeps, iterations);
            settings.gravity = Vec3::new(9.81, 0.0, 0.0);
        });
        let weight = 9.81 * rope.masses[39];
        // A tenth of a segment each.
        let compliance = 0.1 * SPACING / weight;
        let rows: Vec<_> = rope.world.constraints().iter().map(|(id, _)| id).collect();
        for row in rows {
            rope.world
                .set_softness(row, Softness::Compliance(compliance))
                .expect("alive");
        }
        (0..600).for_each(|_| rope.world.step(DT));
        let own: f32 = 9.81 * rope.masses[1] * 39.0 * 0.5;
        let (stretch, expected) = (rope.stretch(), 0.1 * (1.0 + own / weight));
        assert!(
            (stretch / expected - 1.0).abs() < 0.01,
            "{stretch} {expected} at {substeps} × {iterations}"
        );
    }
}

/// A taut string with a light middle between heavy ends, plucked: sideways its particles are far stiffer than a sub-step can follow.
#[test]
fn a_taut_string_that_is_plucked_comes_to_rest_and_never_gains() {
    for (substeps, iterations) in STEPS {
        let mut rope = Rope::new(50, 5000.0, |settings| {
            (settings.substeps, settings.iterations) = (substeps, iterations);
            settings.gravity = Vec3::new(9.81, 0.0, 0.0);
        });
        (0..60).for_each(|_| rope.world.step(DT));
        let middle = rope.ids[25];
        rope.world
            .set_velocities(&[(middle, Vec3::new(0.0, 3.0, 0.0))])
            .expect("alive");
        let mut furthest = 0.0f32;
        for _ in 0..120 {
            rope.world.step(DT);
            furthest = rope.places().iter().map(|place| place.y.abs()).fold(furthest, f32::max);
        }
        assert!(furthest < 2.0 * SPACING, "{furthest} at {substeps} × {iterations}");
        let left = rope.places().iter().map(|place| place.y.abs()).fold(0.0, f32::max);
        assert!(left < 0.5 * SPACING, "{left} at {substeps} × {iterations}");
    }
}

#[test]
fn a_rope_that_lands_on_its_end_folds_and_does_not_fly_off() {
    for (substeps, iterations) in STEPS {
        let mut rope = Rope::new(60, 1.0, |settings| {
            (settings.substeps, settings.iterations) = (substeps, iterations);
            settings.gravity = Vec3::new(9.81, 0.0, 0.0);
        });
        // The last is stopped as if it had hit something.
        let (first, last) = (rope.ids[0], rope.ids[59]);
        rope.world
            .set_inverse_masses(&[(first, 1.0 / rope.masses[1]), (last, 0.0)])
            .expect("masses");
        rope.masses[59] = 0.0;
        let height = |rope: &mut Rope| {
            rope.energy()
                - 9.81
                    * rope
                        .places()
                        .iter()
                        .zip(&rope.masses)
                        .skip(1)
                        .map(|(place, mass)| mass * (place.x + place.y))
                        .sum::<f32>()
        };
        let start = height(&mut rope);
        let span = 9.81 * rope.masses.iter().sum::<f32>() * 2.0 * 59.0 * SPACING;
        for frame in 0..240 {
            rope.world.step(DT);
            let energy = height(&mut rope);
            assert!(
                energy < start + 1e-4 * span,
                "{energy} after {start} of {span} in {frame}, {substeps} × {iterations}"
            );
        }
        assert!(rope.stretch() < 0.02, "{}", rope.stretch());
    }
}

#[test]
fn a_ring_and_a_rope_of_two_thousand_stay_as_long_as_they_are() {
    let mut long = Rope::new(2000, 1.0, |_| {});
    (0..90).for_each(|_| long.world.step(DT));
    let mut iterated = Rope::new(2000, 1.0, |settings| settings.direct_strands = false);
    (0..90).for_each(|_| iterated.world.step(DT));
    let [direct, iterated] = [long.stretch(), iterated.stretch()];
    assert!(direct < 0.08 && iterated > 2.0 * direct, "{direct} {iterated}");

    let mut ring = Rope::new(60, 1.0, |_| {});
    let (first, last) = (ring.ids[0], ring.ids[59]);
    ring.world
        .add_distances(&[NewDistance::new([last, first], SPACING)])
        .expect("row");
    for _ in 0..120 {
        ring.world.step(DT);
    }
    assert!(ring.stretch().abs() < 0.02, "{}", ring.stretch());
    ring.world.health().expect("finite");
}
