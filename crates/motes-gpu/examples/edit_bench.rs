//! What edits and queries cost: milliseconds a frame without any, and with each kind in every frame.
//!
//! `cargo run --release -p motes-gpu --example edit_bench [frames=200] [stages] [PARTICLES…]`; with `stages`, also what each stage
//! took on the device in the last frame with and in the last one without.

use std::error::Error;
use std::time::Instant;

use motes_core::colliders::Plane;
use motes_core::glam::Vec3;
use motes_core::{
    BodyId, Chosen, Collider, ColliderForces, Group, GroupId, Material, NearestParticle, NewBody, ParticleId, Pending,
    Pose, RayCast, Settings, Spring, World,
};
use motes_gpu::{Choice, Gpu, GpuEngine};

const DT: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut sizes, mut frames, mut stages): (Vec<usize>, usize, bool) = (Vec::new(), 200, false);
    for argument in std::env::args().skip(1) {
        if argument == "stages" {
            stages = true;
            continue;
        }
        match argument.strip_prefix("frames=") {
            Some(number) => frames = number.parse()?,
            None => sizes.push(argument.parse()?),
        }
    }
    if sizes.is_empty() {
        sizes = vec![100_000, 1_000_000];
    }
    let gpu = Gpu::pick(&Choice::default())?;
    println!("{}", gpu.description());
    for size in sizes {
        println!("\n{size} particles, ms a frame (over frames without edits, measured before and after):");
        for (name, work) in WORKS {
            let mut lab = Lab::new(&gpu, size)?;
            lab.world.measure_stages(stages);
            if *name == KICK {
                lab.add_body()?;
            }
            lab.frames(frames / 3, idle);
            let before = lab.frames(frames, idle);
            lab.frames(frames / 10, *work);
            let with = lab.frames(frames, *work);
            let timings_with = lab.world.timings();
            lab.frames(frames / 10, idle);
            let after = lab.frames(frames, idle);
            let without = 0.5 * (before + after);
            println!(
                "{name:45} {with:8.4}   {:+8.4}   ({before:.4}, {after:.4})",
                with - without
            );
            if stages {
                for ((stage, with), (_, without)) in timings_with.milliseconds().zip(lab.world.timings().milliseconds())
                {
                    println!("    {stage:41} {with:8.4}   {:+8.4}", with - without);
                }
            }
            if let Some(fault) = lab.world.fault() {
                println!("  {fault}");
            }
        }
    }
    Ok(())
}

type Work = fn(&mut Lab, usize);

/// Has a body, as the world of no other work does.
const KICK: &str = "kick and turn a body";

const WORKS: &[(&str, Work)] = &[
    ("nothing", idle),
    ("drag one by a spring", drag),
    ("push 10 000", push_many),
    ("move 10 000", move_many),
    ("add 1000", add),
    ("add 1000, remove 1000", replace),
    (KICK, kick),
    ("read back 10 000, answered later", read_later),
    ("read forces on colliders, answered later", forces_later),
    ("a ray, answered later", ray_later),
    ("the nearest particle, answered later", nearest_later),
    ("read back 10 000, waited for", read_now),
];

struct Lab {
    world: World,
    group: GroupId,
    /// Grains along a side of the block.
    side: usize,
    body: Option<BodyId>,
    ids: Vec<ParticleId>,
    chosen: Vec<ParticleId>,
    states: Vec<Pending<Vec<Option<motes_core::ParticleState>>>>,
    answers: usize,
    added: std::collections::VecDeque<Vec<ParticleId>>,
}

impl Lab {
    /// A wide block of sand, five layers deep.
    fn new(gpu: &Gpu, size: usize) -> Result<Self, Box<dyn Error>> {
        let settings = Settings {
            particle_radius: 0.05,
            substeps: 4,
            iterations: 4,
            ..Settings::default()
        };
        let mut world = World::with_engine(settings, Box::new(GpuEngine::new(gpu)?))?;
        let sand = world.add_material(Material::SAND)?;
        let floor = Plane::new(Vec3::Y, 0.0)?.into();
        world.add_collider(Collider::new("floor", floor, sand, Pose::IDENTITY))?;
        let group = world.add_group(Group::grains("grains", sand))?;
        let side = ((size as f32 / 5.0).sqrt().ceil() as usize).max(1);
        let place = |k: usize| Vec3::new((k % side) as f32, (k / side / side) as f32, (k / side % side) as f32);
        let places: Vec<Vec3> = (0..size).map(|k| 0.102 * place(k) + 0.06 * Vec3::Y).collect();
        let ids = world.add_particles(group, &places, Vec3::ZERO)?;
        let chosen = ids
            .iter()
            .copied()
            .step_by((size / 10_000).max(1))
            .take(10_000)
            .collect();
        Ok(Self {
            world,
            group,
            side,
            body: None,
            ids,
            chosen,
            states: Vec::new(),
            answers: 0,
            added: Default::default(),
        })
    }

    /// A block of 27 grains on top.
    fn add_body(&mut self) -> Result<(), Box<dyn Error>> {
        let places = (0..27).map(|k| 0.1 * Vec3::new((k % 3) as f32, (k / 9) as f32, (k / 3 % 3) as f32));
        let stone = self.world.add_material(Material::SAND)?;
        let new = NewBody {
            pose: Pose::at(Vec3::new(2.0, 1.0, 2.0)),
            ..NewBody::new("block", stone, places.collect(), vec![1.0; 27])
        };
        self.body = Some(self.world.add_body(new)?);
        Ok(())
    }

    /// Milliseconds a frame.
    fn frames(&mut self, frames: usize, work: Work) -> f64 {
        self.world.wait();
        let started = Instant::now();
        for frame in 0..frames {
            work(self, frame);
            self.world.step(DT);
        }
        self.world.wait();
        let spent = started.elapsed().as_secs_f64() * 1e3 / frames as f64;
        self.states.clear();
        spent
    }
}

fn idle(_: &mut Lab, _: usize) {}

fn drag(lab: &mut Lab, frame: usize) {
    let angle = 0.1 * frame as f32;
    let hand = Vec3::new(2.0 + angle.cos(), 2.0, 2.0 + angle.sin());
    let spring = Spring::critical(hand, 0.8, 0.1);
    let _ = lab.world.pull_particle(lab.ids[lab.ids.len() / 2], spring);
}

fn push_many(lab: &mut Lab, _: usize) {
    let pushes: Vec<_> = lab.chosen.iter().map(|&id| (id, 0.01 * Vec3::Y)).collect();
    let _ = lab.world.push_particles(&pushes);
}

fn move_many(lab: &mut Lab, frame: usize) {
    let height = 3.0 + 0.5 * (0.1 * frame as f32).sin();
    let places = lab.chosen.iter().enumerate();
    let places: Vec<_> = places
        .map(|(k, &id)| (id, Vec3::new(0.11 * (k % 100) as f32, height, 0.11 * (k / 100) as f32)))
        .collect();
    let _ = lab.world.set_positions(&places);
}

fn add(lab: &mut Lab, frame: usize) {
    // One more layer of the block. Those that rain from above would make the table of cells a tall one, which is another matter.
    let place = |k: usize| Vec3::new((k % lab.side) as f32, 0.0, (k / lab.side % lab.side) as f32);
    let places: Vec<Vec3> = (1000 * frame..1000 * (frame + 1))
        .map(|k| 0.102 * place(k) + 0.58 * Vec3::Y)
        .collect();
    let added = lab.world.add_particles(lab.group, &places, Vec3::ZERO);
    lab.added.extend(added);
}

fn replace(lab: &mut Lab, frame: usize) {
    add(lab, frame);
    if lab.added.len() > 20
        && let Some(old) = lab.added.pop_front()
    {
        lab.world.remove_particles(&old);
    }
}

fn kick(lab: &mut Lab, frame: usize) {
    let Some(body) = lab.body else { return };
    let spin = Vec3::Y * (0.1 * frame as f32).sin();
    let _ = lab.world.set_body_velocity(body, Vec3::ZERO, spin);
    let _ = lab.world.kick_body(body, 10.0 * Vec3::Y, Vec3::new(2.0, 1.0, 2.0));
}

fn read_later(lab: &mut Lab, _: usize) {
    lab.states.push(lab.world.ask(Chosen(lab.chosen.clone())));
    let answers = &mut lab.answers;
    lab.states.retain(|pending| match pending.take() {
        Some(states) => {
            *answers += states.len();
            false
        }
        None => true,
    });
}

fn forces_later(lab: &mut Lab, _: usize) {
    lab.world.ask(ColliderForces);
}

fn ray_later(lab: &mut Lab, _: usize) {
    lab.world.ask(RayCast::new(Vec3::new(1.0, 5.0, 1.0), Vec3::NEG_Y));
}

fn nearest_later(lab: &mut Lab, _: usize) {
    let point = Vec3::new(1.0, 1.0, 1.0);
    lab.world.ask(NearestParticle { point, within: 10.0 });
}

fn read_now(lab: &mut Lab, _: usize) {
    lab.answers += lab.world.query(Chosen(lab.chosen.clone())).len();
}
