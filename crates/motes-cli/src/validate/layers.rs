//! Sheets that are folded, crushed and hit at speed, and ropes around a drum.

use motes_scene::SheetForm;

use super::cloth::{STEPS, Stand};
use super::crossings::{Sheet, crossings};
use super::lab::furthest_from_one;
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "cloth/no layer passes another",
            source: "thrown at 10 m/s, crumpled, crushed, hit by a ball and a body at 10 m/s, three steps, two radii: crossings",
            reference: 0.0,
            band: [0.0, 0.0],
            unit: "",
            quick: false,
            measure: |engine| abused(engine, 2.0),
            control_name: "particles four radii apart",
            control: |engine| abused(engine, 4.0),
        },
        Case {
            name: "cloth/rope slips on a drum",
            source: "exact: T2/T1 = exp(mu theta), half a turn and one and a half; ratio to it, three steps",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: false,
            measure: |engine| slipping(engine, 1.0),
            control_name: "a drum half as rough",
            control: |engine| slipping(engine, 0.5),
        },
    ]
}

/// What is done to sheets of a radius, with their particles so many radii apart.
const ABUSES: [fn(f32, f32) -> String; 5] = [thrown, crumpled, crushed, struck, shot];

/// Crossings of sheets with themselves and each other in everything that is done to them.
fn abused(engine: EngineMaker, apart: f32) -> f64 {
    let mut total = 0;
    for scene in ABUSES {
        for radius in [0.012, 0.018] {
            for [substeps, iterations] in STEPS {
                let solver = format!("[solver]\nsubsteps = {substeps}\niterations = {iterations}\n");
                let text = format!("particle_radius = {radius}\n{}{solver}", scene(radius, apart));
                total += most_crossings(engine, &text);
            }
        }
    }
    total as f64
}

/// The most crossings in any fifth frame of a scene, and what came through to the other side.
fn most_crossings(engine: EngineMaker, text: &str) -> usize {
    let mut stand = Stand::new(engine, text);
    let forms: Vec<_> = { stand.built.looks.sheets.iter() }
        .filter_map(|look| match &*look.form {
            SheetForm::Cloth(drawn) => {
                let corners = drawn.triangles.iter();
                let triangles = corners.map(|corners| corners.map(|corner| drawn.vertices[corner as usize]));
                Some(triangles.collect::<Vec<[u32; 3]>>())
            }
            SheetForm::Rope { .. } => None,
        })
        .collect();
    let mut most = 0;
    for _ in 0..stand.scene.frames / 5 {
        stand.run(5.0 * stand.scene.dt());
        let sheets: Vec<Sheet<'_>> = (0..)
            .zip(&forms)
            .map(|(sheet, triangles)| Sheet {
                places: stand.places(sheet),
                triangles,
            })
            .collect();
        most = most.max(crossings(&sheets));
    }
    let bodies = stand.built.looks.bodies.iter();
    let through = bodies.filter(|look| {
        let motion = stand.built.world.body_motion(look.body);
        motion.is_none_or(|motion| motion.center.z < -0.4)
    });
    most + 1000 * through.count()
}

fn sheet(width: f32, height: f32, radius: f32, apart: f32) -> String {
    let along = |length: f32| (length / (apart * radius)).ceil() as u32 + 1;
    format!(
        "[[cloth]]\nsize = [{width}, {height}]\nresolution = [{}, {}]\n",
        along(width),
        along(height)
    )
}

const FLOOR: &str = "[[collider]]\nshape = { plane = {} }\n";

/// Two sheets, one above the other, thrown at a ball and the floor below it.
fn thrown(radius: f32, apart: f32) -> String {
    let sheet = sheet(0.6, 0.6, radius, apart);
    format!(
        "frames = 60\n{FLOOR}[[collider]]\nshape = {{ sphere = {{ radius = 0.12, center = [0, 0.12, 0] }} }}\n\
         {sheet}position = [0, 0.4, 0]\nrotation = [-90, 0, 0]\nvelocity = [0, -10, 0]\n\
         {sheet}position = [0, 0.5, 0]\nrotation = [-90, 30, 0]\nvelocity = [0, -10, 0]\n"
    )
}

/// A sheet that stands upright falls into folds.
fn crumpled(radius: f32, apart: f32) -> String {
    let sheet = sheet(0.4, 0.7, radius, apart);
    format!("frames = 120\n{FLOOR}{sheet}position = [0, 0.38, 0]\nrotation = [5, 0, 0]\nvelocity = [0, -2, 0]\n")
}

/// Two sheets that fall into folds and are pressed together by a plate.
fn crushed(radius: f32, apart: f32) -> String {
    let sheet = sheet(0.4, 0.5, radius, apart);
    format!(
        "frames = 150\n{FLOOR}{sheet}position = [0, 0.27, -0.12]\nrotation = [4, 0, 0]\n{sheet}position = [0, 0.27, 0.12]\nrotation = [-4, 20, 0]\n\
         [[collider]]\nshape = {{ box = {{ size = [1.2, 0.1, 1.2] }} }}\nposition = [0, 1, 0]\n\
         motion = {{ path = {{ keys = [{{ time = 0.6 }}, {{ time = 1.6, position = [0, 0.17, 0] }}, {{ time = 2, position = [0, 0.5, 0] }}] }} }}\n"
    )
}

/// A sheet that hangs by its upper corners, hit by a ball of a collider.
fn struck(radius: f32, apart: f32) -> String {
    let sheet = sheet(0.6, 0.6, radius, apart);
    format!(
        "frames = 60\n{sheet}pins = [\"top_left\", \"top_right\"]\n\
         [[collider]]\nshape = {{ sphere = {{ radius = 0.1 }} }}\nposition = [0, 0, 1.2]\n\
         motion = {{ path = {{ keys = [{{ time = 0 }}, {{ time = 0.2, position = [0, 0, -0.8] }}] }} }}\n"
    )
}

/// A sheet in a frame, hit by a body.
fn shot(radius: f32, apart: f32) -> String {
    let sheet = sheet(0.6, 0.6, radius, apart);
    format!(
        "frames = 60\ngravity = 0\n{sheet}pins = [\"edges\"]\n\
         [[rigid]]\nshape = {{ sphere = {{ radius = 0.08 }} }}\ndensity = 300\nposition = [0.03, 0.02, 0.3]\nvelocity = [0, 0, -10]\n"
    )
}

/// Tension that draws a rope over a drum, over that which holds it back times `exp(µ θ)`, for two angles θ, both less what takes the rope
/// around. The drum is rougher than it should be by a factor.
fn slipping(engine: EngineMaker, rougher: f32) -> f64 {
    let ratios = [(1, 0.3), (3, 0.1)].map(|(halves, friction): (u32, f32)| {
        let wanted = (f64::from(friction) * std::f64::consts::PI * f64::from(halves)).exp();
        furthest_from_one(STEPS.map(|steps| tension_ratio(engine, steps, rougher * friction, halves) / wanted))
    });
    furthest_from_one(ratios)
}

/// Radius of the drum and of the rope, metres.
const DRUM: f32 = 0.1;
const ROPE: f32 = 0.01;
/// Acceleration of what hangs from it, m/s², and where that begins, below the drum, metres.
const PULL: f32 = 1.0;
const BELOW: f32 = 0.2;
/// Kilograms of a metre of it, and how fast it is drawn, m/s.
const LINE: f32 = 0.1;
const DRAWN: f32 = 0.1;
/// Frames of which tensions are the mean: it sways.
const DRAWS: u32 = 120;

/// The tensions of a rope that is drawn over a drum, at its two ends. Nothing has a weight but the last part of the rope, which a
/// field draws down.
fn tension_ratio(engine: EngineMaker, [substeps, iterations]: [u32; 2], friction: f32, halves: u32) -> f64 {
    let reach = DRUM + ROPE;
    let steps = 24 * halves;
    let mut points = vec![[-reach, -0.5, 0.0]];
    for step in 0..=steps {
        let turned = step as f32 / steps as f32;
        let angle = std::f32::consts::PI * halves as f32 * turned;
        let aside = 4.0 * ROPE * (halves - 1) as f32 * turned;
        points.push([-reach * angle.cos(), reach * angle.sin(), aside]);
    }
    let last = points[points.len() - 1];
    points.push([last[0], -1.2, last[2]]);
    let text = format!(
        "particle_radius = {ROPE}\ngravity = 0\n[solver]\nsubsteps = {substeps}\niterations = {iterations}\n\
         [material.cord]\nbase = \"rubber\"\n[material.drum]\nbase = \"steel\"\n\
         [[material_pair]]\nbetween = [\"cord\", \"drum\"]\nfriction = {friction}\n\
         [[collider]]\nmaterial = \"drum\"\nshape = {{ capsule = {{ radius = {DRUM}, length = 1 }} }}\nrotation = [90, 0, 0]\n\
         [[rope]]\nmaterial = \"cord\"\npoints = {points:?}\nlinear_density = {LINE}\nstretch = 1e4\nbending = 0\ntethers = false\nself_collide = false\n\
         attach = [{{ pins = [\"start\"], motion = {{ steady = {{ velocity = [0, -{DRAWN}, 0] }} }} }}]\n\
         [[field]]\nkind = {{ uniform = {{ acceleration = [0, -{PULL}, 0] }} }}\nwithin = {{ box = {{ min = [0, -9, -1], max = [1, -{BELOW}, 1] }} }}\n"
    );
    let mut stand = Stand::new(engine, &text);
    stand.run(3.0);
    let h = f64::from(stand.scene.dt()) / f64::from(substeps);
    let pin = stand.built.looks.sheets[0].particles[0];
    let first = { stand.built.world.constraints().iter() }
        .find(|(_, row)| row.particles.len() == 2 && row.particles.contains(&pin))
        .map(|(id, _)| id)
        .expect("a row");
    let particles = stand.built.world.particles();
    let middle = particles.slot(stand.built.looks.sheets[0].particles[9]).expect("alive");
    let mass = 1.0 / f64::from(particles.positions[middle].w);
    let (mut drawn, mut held) = (0.0, 0.0);
    for _ in 0..DRAWS {
        stand.run(stand.scene.dt());
        let row = stand.built.world.constraint(first).expect("alive");
        drawn -= f64::from(row.impulse) / (h * h);
        let below = stand
            .places(0)
            .iter()
            .filter(|place| place.y < -BELOW && place.x > 0.0)
            .count();
        held += f64::from(PULL) * mass * below as f64;
    }
    let [drawn, held] = [drawn, held].map(|sum| sum / f64::from(DRAWS) - f64::from(LINE * DRAWN * DRAWN));
    drawn / held
}
