//! Balloons, as scene files say them: the volume and the pressure that they hold, how fast they empty, and that they lie still.

use glam::Vec3;
use motes_core::ConstraintId;
use motes_core::constraints::volume::{AMBIENT_PRESSURE, DISCHARGE, GAS_DENSITY};
use motes_scene::{Built, Scene};

use super::lab::furthest_from_one;
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "balloon/holds its volume",
            source: "a rubber ball and a rabbit of cotton on the floor, three steps; volume over that asked for, furthest",
            reference: 1.0,
            band: [0.99, 1.01],
            unit: "",
            quick: false,
            measure: |engine| furthest_from_one(STEPS.map(|steps| volume(engine, steps, "volume = 1.2"))),
            control_name: "a filling that yields",
            control: |engine| {
                furthest_from_one(STEPS.map(|steps| volume(engine, steps, "volume = 1.2, compliance = 1e-5")))
            },
        },
        Case {
            name: "balloon/pressure of its skin",
            source: "thin elastic ball: p = 3 Y (R - R0) / R^2, blown up by 5 to 40 %, 8 x 8 and 16 x 8; ratio, furthest",
            reference: 1.0,
            band: [0.97, 1.03],
            unit: "",
            quick: false,
            measure: |engine| skins(engine, STRETCH),
            control_name: "a skin a tenth softer",
            control: |engine| skins(engine, 0.9 * STRETCH),
        },
        Case {
            name: "balloon/empties through a hole",
            source: "Torricelli: 0.61 A sqrt(2 p / rho); time until half of what stretches it has left, 8 x 8 and 16 x 8; ratio, furthest",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: false,
            measure: |engine| furthest_from_one(FINE_STEPS.map(|steps| emptying(engine, steps, 1))),
            control_name: "a second hole",
            control: |engine| furthest_from_one(FINE_STEPS.map(|steps| emptying(engine, steps, 2))),
        },
        Case {
            name: "balloon/lies still",
            source: "at rest: how far any particle of a ball on the floor gets within 60 s, three steps",
            reference: 0.0,
            band: [0.0, 0.001],
            unit: "m",
            quick: false,
            measure: |engine| {
                STEPS
                    .map(|steps| creeping(engine, steps, 0.0))
                    .into_iter()
                    .fold(0.0, f64::max)
            },
            control_name: "a breeze of 0.5 m/s",
            control: |engine| {
                STEPS
                    .map(|steps| creeping(engine, steps, 0.5))
                    .into_iter()
                    .fold(0.0, f64::max)
            },
        },
    ]
}

/// Sub-steps and iterations.
const STEPS: [[u32; 2]; 3] = [[2, 4], [4, 4], [8, 8]];
/// Those at which the springs of a soft and heavy skin come to their forces.
const FINE_STEPS: [[u32; 2]; 2] = [[8, 8], [16, 8]];

struct Stand {
    scene: Scene,
    built: Built,
    balloons: Vec<ConstraintId>,
}

impl Stand {
    fn new(engine: EngineMaker, [substeps, iterations]: [u32; 2], text: &str) -> Self {
        let text = format!("{text}[solver]\nsubsteps = {substeps}\niterations = {iterations}\n");
        let scene = Scene::from_toml(&text, "case.toml").expect("a scene");
        let built = scene.build(engine()).expect("a world");
        let balloon = |id: &ConstraintId| id.kind == motes_core::ConstraintKind::Balloon;
        let balloons = built.world.constraints().ids().filter(balloon).collect();
        Self { scene, built, balloons }
    }

    fn run(&mut self, seconds: f32) {
        for _ in 0..(seconds / self.scene.dt()).round() as usize {
            self.built.world.step(self.scene.dt());
        }
    }

    fn state(&self, balloon: usize) -> motes_core::BalloonState {
        self.built.world.balloon(self.balloons[balloon]).expect("alive")
    }

    fn places(&mut self) -> Vec<Vec3> {
        let ids = &self.built.looks.sheets[0].particles;
        let places = self.built.world.positions(ids);
        places.into_iter().map(|place| place.expect("alive")).collect()
    }
}

const FLOOR: &str = "[[collider]]\nshape = { plane = {} }\n";
/// Force per width over strain of a soft skin, N/m.
const STRETCH: f32 = 50.0;

/// A ball in space whose skin has a stretch.
fn skin_of(stretch: f32, inflate: &str) -> String {
    format!(
        "particle_radius = 0.015\ngravity = [0, 0, 0]\n[wind]\ndensity = 0\n[fabric.latex]\nbase = \"rubber_sheet\"\nareal_density = 2.5\n\
         stretch = {stretch}\nshear = {}\nbending = 0\n[[cloth]]\nsphere = {RADIUS}\nfabric = \"latex\"\ninflate = {{ {inflate} }}\n",
        0.375 * stretch
    )
}
/// Of these balls, metres.
const RADIUS: f32 = 0.15;

/// Volumes of two balloons on the floor over what they are to be, the worse of them.
fn volume(engine: EngineMaker, steps: [u32; 2], inflate: &str) -> f64 {
    let text = format!(
        "particle_radius = 0.015\n[[cloth]]\nsphere = 0.2\nposition = [0, 0.3, 0]\nfabric = \"rubber_sheet\"\ninflate = {{ {inflate} }}\n\
         [[cloth]]\nmodel = \"rabbit\"\nscale = 0.5\nposition = [1, 0.1, 0]\ninflate = {{ {} }}\n{FLOOR}",
        inflate.replace("1.2", "1.02")
    );
    let mut stand = Stand::new(engine, steps, &text);
    stand.run(3.0);
    furthest_from_one([0, 1].map(|balloon| {
        let state = stand.state(balloon);
        f64::from(state.volume / state.filling.amount())
    }))
}

fn skins(engine: EngineMaker, stretch: f32) -> f64 {
    let ratios = FINE_STEPS.map(|steps| [0.05, 0.2, 0.4].map(|strain| skin(engine, steps, stretch, strain)));
    furthest_from_one(ratios.concat())
}

/// The pressure of a ball that is blown up by a strain over that of one whose skin has [`STRETCH`].
fn skin(engine: EngineMaker, steps: [u32; 2], stretch: f32, strain: f32) -> f64 {
    let grown = (1.0 + strain).powi(3);
    let mut stand = Stand::new(
        engine,
        steps,
        &skin_of(stretch, &format!("volume = {grown}, over = 0.5")),
    );
    stand.run(2.0);
    // It rings a little.
    let mut sum = 0.0;
    for _ in 0..60 {
        stand.run(1.0 / 60.0);
        sum += f64::from(stand.state(0).pressure) / 60.0;
    }
    sum / pressure(strain)
}

/// Of a ball of springs, which have a Poisson's ratio of a third: Y/(1 − ν) times twice the strain over the radius.
fn pressure(strain: f32) -> f64 {
    let strain = f64::from(strain);
    3.0 * f64::from(STRETCH) * strain / (f64::from(RADIUS) * (1.0 + strain).powi(2))
}

/// Time in which half of what stretches a balloon leaves through holes, over what it takes through one.
fn emptying(engine: EngineMaker, steps: [u32; 2], holes: usize) -> f64 {
    let strain = 0.3f32;
    let grown = (1.0 + strain).powi(3) * (1.0 + pressure(strain) as f32 / AMBIENT_PRESSURE);
    let mut stand = Stand::new(engine, steps, &skin_of(STRETCH, &format!("gas = {grown}, over = 0.5")));
    let made = f64::from(stand.state(0).volume);
    stand.run(2.0);
    let faces = stand
        .built
        .world
        .constraints()
        .ids()
        .filter(|id| id.kind == motes_core::ConstraintKind::Face);
    let faces: Vec<ConstraintId> = faces.collect();
    // Far from each other.
    let apart = faces.len() / 2;
    let away: Vec<ConstraintId> = (0..holes).map(|hole| faces[hole * apart]).collect();
    stand.built.world.remove_constraints(&away);
    let state = stand.state(0);
    let (full, hole) = (f64::from(state.volume), f64::from(state.hole) / holes as f64);
    let half = 0.5 * (full + made);
    let strain_at = |volume: f64| (volume / made).cbrt() - 1.0;
    let opened = 1.0 + strain_at(full);
    let (mut volume, mut expected) = (full, 0.0);
    while volume > half {
        let strain = strain_at(volume);
        let area = hole * ((1.0 + strain) / opened).powi(2);
        let speed = (2.0 * pressure(strain as f32) / f64::from(GAS_DENSITY)).sqrt();
        volume -= 1e-5 * f64::from(DISCHARGE) * area * speed;
        expected += 1e-5;
    }
    let mut time = 0.0;
    let mut before = full;
    for _ in 0..600 {
        stand.run(stand.scene.dt());
        let after = f64::from(stand.state(0).volume);
        let dt = f64::from(stand.scene.dt());
        if after < half {
            return (time + dt * (before - half) / (before - after)) / expected;
        }
        (time, before) = (time + dt, after);
    }
    f64::INFINITY
}

/// How far any particle of a balloon that has come to rest gets in a minute, metres.
fn creeping(engine: EngineMaker, steps: [u32; 2], breeze: f32) -> f64 {
    let text = format!(
        "particle_radius = 0.02\n[wind]\nvelocity = [{breeze}, 0, 0]\n[[cloth]]\nsphere = 0.15\nposition = [0, 0.2, 0]\n\
         fabric = \"rubber_sheet\"\ninflate = {{ gas = 1.2 }}\n{FLOOR}"
    );
    let mut stand = Stand::new(engine, steps, &text);
    stand.run(10.0);
    let before = stand.places();
    let mut most = 0.0f32;
    for _ in 0..30 {
        stand.run(2.0);
        let now = stand.places();
        let moved = now.iter().zip(&before).map(|(now, before)| now.distance(*before));
        most = moved.fold(most, f32::max);
    }
    f64::from(most)
}
