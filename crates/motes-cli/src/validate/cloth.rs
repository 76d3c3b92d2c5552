//! Cloth, ropes and air, as scene files say them.

use glam::Vec3;
use motes_core::ConstraintKind;
use motes_scene::{Built, Scene};

use super::lab::furthest_from_one;
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "cloth/beam bends as the elastica",
            source: "heavy elastica, 1, 5 and 10 times m g L^2 / EI, 8 and 16 segments; drop of the tip, worst ratio",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: false,
            measure: |engine| elastica(|segments, gamma| rope_drop(engine, segments, gamma, 1.0)),
            control_name: "two thirds of the rigidity",
            control: |engine| elastica(|segments, gamma| rope_drop(engine, segments, gamma, 1.5)),
        },
        Case {
            name: "cloth/strip bends as the elastica",
            source: "heavy elastica, 1, 5 and 10 times w L^3 / B, 6 and 9 cells; drop of the edge at rest, worst ratio",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: false,
            measure: |engine| strips(engine, 1.0),
            control_name: "two thirds of the rigidity",
            control: |engine| strips(engine, 1.5),
        },
        Case {
            name: "cloth/rope hangs in a catenary",
            source: "y = c cosh(x/c); greatest distance from it over the sag, three steps",
            reference: 0.0,
            band: [0.0, 0.01],
            unit: "",
            quick: false,
            measure: |engine| worst_of_steps(|steps| catenary(engine, steps, 1e5)),
            control_name: "a rope that stretches by a tenth",
            control: |engine| worst_of_steps(|steps| catenary(engine, steps, 15.0)),
        },
        Case {
            name: "cloth/rope carries ten thousand times its particles",
            source: "exact: a ball of 14.5 kg swings on 70 particles of 1.45 g; greatest length of the rope over its own, less 1, three steps",
            reference: 0.0,
            band: [0.0, 0.01],
            unit: "",
            quick: false,
            measure: |engine| worst_of_steps(|steps| loaded(engine, steps, true)),
            control_name: "row by row",
            control: |engine| worst_of_steps(|steps| loaded(engine, steps, false)),
        },
        Case {
            name: "cloth/sheet on two corners",
            source: "64 x 64 cotton; furthest from a corner over what the cloth allows, less 1",
            reference: 0.0,
            band: [-0.02, 0.02],
            unit: "",
            quick: false,
            measure: |engine| hung(engine, "true"),
            control_name: "no tethers",
            control: |engine| hung(engine, "false"),
        },
        Case {
            name: "cloth/sheet sinks through air",
            source: "exact: sqrt(2 m g / (rho c A)); ratio, three steps",
            reference: 1.0,
            band: [0.98, 1.02],
            unit: "",
            quick: true,
            measure: |engine| furthest_from_one(STEPS.map(|steps| sinking(engine, steps, 1.2))),
            control_name: "thinner air",
            control: |engine| furthest_from_one(STEPS.map(|steps| sinking(engine, steps, 1.0))),
        },
        Case {
            name: "cloth/layers stay apart",
            source: "four sheets on a ball for 6 s: particles that are below a sheet they were above",
            reference: 0.0,
            band: [0.0, 0.0],
            unit: "",
            quick: false,
            measure: |engine| layers(engine, 48),
            control_name: "particles so far apart that others fit between them",
            control: |engine| layers(engine, 12),
        },
    ]
}

/// Sub-steps and iterations.
pub(super) const STEPS: [[u32; 2]; 3] = [[2, 4], [4, 4], [8, 8]];

fn worst_of_steps(measure: impl Fn([u32; 2]) -> f64) -> f64 {
    STEPS.map(measure).into_iter().fold(0.0, f64::max)
}

/// A scene with the world that was made of it.
pub(super) struct Stand {
    pub(super) scene: Scene,
    pub(super) built: Built,
}

impl Stand {
    pub(super) fn new(engine: EngineMaker, text: &str) -> Self {
        let scene = Scene::from_toml(text, "case.toml").expect("a scene");
        let built = scene.build(engine()).expect("a world");
        Self { scene, built }
    }

    pub(super) fn run(&mut self, seconds: f32) {
        for _ in 0..(seconds / self.scene.dt()).round() as usize {
            self.built.world.step(self.scene.dt());
        }
    }

    pub(super) fn places(&self, sheet: usize) -> Vec<Vec3> {
        let ids = &self.built.looks.sheets[sheet].particles;
        let places = self.built.world.positions(ids);
        places.into_iter().map(|place| place.expect("alive")).collect()
    }
}

/// Drop of the tip of a heavy elastica over its length, by how many times its weight and length exceed its rigidity.
const ELASTICA: [(f32, f64); 3] = [(1.0, 0.1235), (5.0, 0.4959), (10.0, 0.7002)];

fn elastica(drop: impl Fn(u32, f32) -> f64) -> f64 {
    let ratios = [8, 16].map(|segments| ELASTICA.map(|(gamma, expected)| drop(segments, gamma) / expected));
    furthest_from_one(ratios.concat())
}

const STIFF_SOLVER: &str = "[solver]\nsubsteps = 20\niterations = 20\nconstraint_solver = \"gauss-seidel\"\n";

fn rope_drop(engine: EngineMaker, segments: u32, gamma: f32, softer: f32) -> f64 {
    let spacing = 1.0 / segments as f32;
    let rigidity = 0.1 * 9.81 / (gamma * softer);
    let text = format!(
        "particle_radius = 0.01\n{STIFF_SOLVER}[material.slow]\nbase = \"rubber\"\ndamping = 2\n[[rope]]\nmaterial = \"slow\"\n\
         points = [[{}, 0, 0], [1, 0, 0]]\nspacing = {}\nlinear_density = 0.1\nstretch = 1e6\nbending = {rigidity}\n\
         pins_at = [[{}, 0, 0], [0, 0, 0]]\ntethers = false\nself_collide = false\n",
        -spacing,
        1.0001 * spacing,
        -spacing
    );
    let mut stand = Stand::new(engine, &text);
    stand.run(12.0);
    let places = stand.places(0);
    -f64::from(places[places.len() - 1].y)
}

fn strips(engine: EngineMaker, softer: f32) -> f64 {
    let ratios =
        [6, 9].map(|cells| ELASTICA.map(|(gamma, expected)| strip_drop(engine, cells, gamma * softer) / expected));
    furthest_from_one(ratios.concat())
}

/// A strip of 0.1 m, three cells wide, clamped between its first two columns.
fn strip_drop(engine: EngineMaker, cells: u32, gamma: f32) -> f64 {
    let length = 0.1;
    let cell = length / cells as f32;
    let bending = 0.2 * 9.81 * length * length * length / gamma;
    let text = format!(
        "particle_radius = 0.004\n{STIFF_SOLVER}[wind]\ndensity = 0\n[[field]]\nkind = {{ drag = {{ rate = 6 }} }}\n[fabric.strip]\nareal_density = 0.2\nbending = {bending}\n\
         [[cloth]]\nfabric = \"strip\"\nsize = [{}, {}]\nresolution = [{}, 4]\nrotation = [-90, 0, 0]\n\
         pins = [\"column 0\", \"column 1\"]\ntethers = false\nself_collide = false\n",
        length + cell,
        3.0 * cell,
        cells + 2
    );
    let mut stand = Stand::new(engine, &text);
    stand.run(4.0);
    -f64::from(stand.places(0)[cells as usize + 1].y / length)
}

/// How far a rope between two pins is from the catenary of its length at most, over its sag.
fn catenary(engine: EngineMaker, [substeps, iterations]: [u32; 2], stretch: f32) -> f64 {
    let text = format!(
        "particle_radius = 0.02\n[solver]\nsubsteps = {substeps}\niterations = {iterations}\n\
         [material.slow]\nbase = \"rubber\"\ndamping = 2\n[[rope]]\nmaterial = \"slow\"\npoints = [[0, 0, 0], [0.5, -0.4, 0], [1, 0, 0]]\n\
         bending = 0\nstretch = {stretch}\npins = [\"start\", \"end\"]\nself_collide = false\n"
    );
    let mut stand = Stand::new(engine, &text);
    // Not from place to place: the rope starts with a bend between two of its particles.
    let rows = stand.built.world.constraints().batch(ConstraintKind::Distance);
    let length: f64 = rows.rest().iter().map(|&rest| f64::from(rest.max(0.0))).sum();
    stand.run(20.0);
    // Of a span of 1: 2 c sinh(1 / 2c) is the length.
    let (mut low, mut high) = (0.01, 10.0);
    for _ in 0..100 {
        let c: f64 = 0.5 * (low + high);
        if 2.0 * c * (0.5 / c).sinh() > length {
            low = c;
        } else {
            high = c;
        }
    }
    let c = 0.5 * (low + high);
    let height = |x: f64| c * ((x - 0.5) / c).cosh() - c * (0.5 / c).cosh();
    let away = stand.places(0).into_iter().map(|place| {
        let (x, y) = (f64::from(place.x), f64::from(place.y));
        // Across the curve, which is steep at its ends.
        let slope = ((x - 0.5) / c).sinh();
        (y - height(x)).abs() / (1.0 + slope * slope).sqrt()
    });
    away.fold(0.0, f64::max) / -height(0.5)
}

/// By how much the rope is too long at most on which a heavy ball swings, let go beside its nail.
fn loaded(engine: EngineMaker, [substeps, iterations]: [u32; 2], direct: bool) -> f64 {
    let text = format!(
        "particle_radius = 0.02\n[solver]\nsubsteps = {substeps}\niterations = {iterations}\ndirect_strands = {direct}\n\
         [[rope]]\nname = \"rope\"\npoints = [[0, 0, 0], [2, 0, 0]]\nspacing = 0.029\nlinear_density = 0.05\nbending = 0\nstretch = 1e6\n\
         pins = [\"start\"]\nself_collide = false\n\
         [[rigid]]\nname = \"ball\"\nshape = {{ sphere = {{ radius = 0.1 }} }}\ndensity = 3460\nposition = [2.13, 0, 0]\n\
         [[distance]]\nof = \"rope\"\nto = \"ball\"\nat = [2.02, 0, 0]\n"
    );
    let mut stand = Stand::new(engine, &text);
    let length = |stand: &mut Stand| {
        let places = stand.places(0);
        places
            .windows(2)
            .map(|two| f64::from(two[0].distance(two[1])))
            .sum::<f64>()
    };
    let rest = length(&mut stand);
    let mut most = 0.0;
    for _ in 0..40 {
        stand.run(0.1);
        most = length(&mut stand).max(most);
    }
    most / rest - 1.0
}

/// By how much the particles of a cloth that hangs by two corners are further from these than the flat cloth allows, at most.
fn hung(engine: EngineMaker, tethers: &str) -> f64 {
    let text = format!(
        "particle_radius = 0.016\n[[cloth]]\nsize = [2, 2]\nresolution = [64, 64]\npins = [\"top_left\", \"top_right\"]\n\
         tethers = {tethers}\n"
    );
    let mut stand = Stand::new(engine, &text);
    let flat = stand.places(0);
    stand.run(6.0);
    let hanging = stand.places(0);
    let corners = [63 * 64, 63 * 64 + 63];
    let mut most = f32::NEG_INFINITY;
    for (now, before) in hanging.iter().zip(&flat) {
        for corner in corners {
            let allowed = before.distance(flat[corner]);
            if allowed > 0.2 {
                most = most.max(now.distance(hanging[corner]) / allowed - 1.0);
            }
        }
    }
    f64::from(most)
}

/// Speed at which a flat sheet comes down, over what it should be in air of 1.2 kg/m³.
fn sinking(engine: EngineMaker, [substeps, iterations]: [u32; 2], density: f32) -> f64 {
    let text = format!(
        "particle_radius = 0.02\n[solver]\nsubsteps = {substeps}\niterations = {iterations}\n[wind]\ndensity = {density}\n\
         [fabric.sheet]\nareal_density = 0.2\n[[cloth]]\nfabric = \"sheet\"\nsize = [0.5, 0.5]\nrotation = [-90, 0, 0]\n"
    );
    let mut stand = Stand::new(engine, &text);
    stand.run(1.5);
    let height = |stand: &mut Stand| {
        let places = stand.places(0);
        places.iter().map(|place| f64::from(place.y)).sum::<f64>() / places.len() as f64
    };
    let before = height(&mut stand);
    stand.run(0.5);
    let speed = 2.0 * (before - height(&mut stand));
    speed / (2.0f64 * 0.2 * 9.81 / (1.2 * 1.2)).sqrt()
}

/// Particles of four sheets on a ball that are nearer to its middle than the sheet below them.
fn layers(engine: EngineMaker, resolution: u32) -> f64 {
    let radius = 0.015;
    let mut text = format!(
        "particle_radius = {radius}\n[solver]\nsubsteps = 4\niterations = 8\n[[collider]]\nshape = {{ sphere = {{ radius = 0.35 }} }}\n"
    );
    for sheet in 0..4 {
        text.push_str(&format!(
            "[[cloth]]\nsize = [1.1, 1.1]\nresolution = [{resolution}, {resolution}]\nrotation = [-90, {}, 0]\nposition = [0, {}, 0]\n",
            17 * sheet,
            0.45 + 0.08 * sheet as f32
        ));
    }
    let mut stand = Stand::new(engine, &text);
    stand.run(6.0);
    let sheets: Vec<Vec<Vec3>> = (0..4).map(|sheet| stand.places(sheet)).collect();
    let mut below = 0;
    for two in sheets.windows(2) {
        // On the upper half of the ball they lie one on the other.
        for place in two[1].iter().filter(|place| place.y > 0.15) {
            let nearest = two[0].iter().min_by(|a, b| {
                let aside = |other: &Vec3| place.normalize().distance_squared(other.normalize());
                aside(a).total_cmp(&aside(b))
            });
            below += usize::from(nearest.is_some_and(|nearest| place.length() < nearest.length() - 0.5 * radius));
        }
    }
    below as f64
}
