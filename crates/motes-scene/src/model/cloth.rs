//! `[[cloth]]`: sheets; `[fabric.NAME]`: what they are made of; `[wind]`: the air that they feel.

use glam::Vec3;
use motes_core::{Fabric, Wind};

use super::{AttachTable, Channels, Color, Region, Rotation, Up};
use crate::decode::limits::{between, degrees, metres, places, positive, seconds, velocities, within};

crate::words! {
    /// The pattern of a cloth in pictures.
    enum PatternWord {
        /// One colour.
        "plain" => Plain,
        /// Bands along its height.
        "stripes" => Stripes,
        /// Squares like those of a chess board.
        "checks" => Checks,
        /// Threads that go over and under each other.
        "weave" => Weave,
        /// Round dots.
        "dots" => Dots,
    }
}

crate::table! {
    /// A sheet of cloth: a rectangle or a disc that stands upright, a ball, or the surface of a mesh or model.
    struct ClothTable {
        /// Name, for messages and exports.
        name: String = String::new(),
        /// A fabric of the file, or a preset: silk, cotton, denim, leather, rubber_sheet, paper.
        fabric: String = "cotton".to_owned(),
        /// Width and height of a rectangle, metres. It stands upright in the middle of its position, its front towards z (in
        /// scenes with `up = "z"` towards -y). Needed unless there is a disc, a sphere, a mesh or a model.
        size: Option<[f32; 2]> = None => metres(),
        /// Diameter of a disc, metres, which stands as a rectangle does.
        disc: Option<f32> = None => metres(),
        /// Particles along its width and height; by default as many as lie side by side.
        resolution: Option<[u32; 2]> = None => between(2.0, 1e4),
        /// A file with a surface, closed or open: OBJ, PLY, STL, glTF. Edges longer than two radii are divided.
        mesh: Option<String> = None,
        /// Radius of a ball, metres.
        sphere: Option<f32> = None => metres(),
        /// The surface of a model that comes with motes: banana, beast, castle, cord, doll, fish, gear, octopus, rabbit, teapot, torus, truck, weed.
        model: Option<String> = None,
        /// What a closed cloth is filled with; by default nothing.
        inflate: Option<InflateTable> = None,
        /// Multiplies the lengths of the mesh file, or of the model, which is about a metre large.
        scale: f32 = 1.0 => positive(1e6),
        /// The axis that points up in the mesh file, "y" or "z".
        mesh_up: Option<Up> = None,
        /// Radius of its particles, metres; by default `particle_radius`. Cloth is as thick as its particles where it touches
        /// something; its weight and stiffness are those of the fabric.
        radius: Option<f32> = None => between(1e-5, 1e4).of("m"),
        /// Where its middle, or the origin of the mesh or model, goes, metres.
        position: Vec3 = Vec3::ZERO => places(),
        /// Rotation about that point, degrees.
        rotation: Rotation = Rotation::default() => degrees(),
        /// Velocity at the start, m/s.
        velocity: Vec3 = Vec3::ZERO => velocities(),
        /// Pleats that a rectangle starts in, as a curtain does.
        pleats: u32 = 0 => between(0.0, 1000.0),
        /// Width of the pleated cloth, as a share of its own.
        gathered: f32 = 0.6 => between(0.05, 1.0),
        /// Particles that never move. Of a rectangle "top", "bottom", "left", "right", "top_left" and the other corners, "corners", "edges", "center", "row 3",
        /// "column 0" and so on; rows count from the bottom, columns from the left. Of a disc "rim" and "center".
        pins: Vec<String> = Vec::new(),
        /// Points, metres: the particle nearest to each never moves.
        pins_at: Vec<Vec3> = Vec::new() => places(),
        /// A region: every particle that starts in it never moves.
        pins_within: Option<Region> = None,
        /// Particles that are attached to something: to the world, in which they may move, to a collider, a body, grains, another cloth or
        /// rope.
        attach: Vec<AttachTable> = Vec::new(),
        /// No particle gets further from the nearest pin than the cloth allows, however few the iterations are.
        tethers: bool = true,
        /// By how much it may, as a share of that way.
        give: f32 = 0.01 => between(0.0, 10.0),
        /// It tears where it is stretched further than its fabric bears, along the edges of its triangles. Cloth that tears or is cut
        /// has no tethers.
        tears: bool = false,
        /// Where it is cut, and when.
        cuts: Vec<CutTable> = Vec::new(),
        /// Coefficient of drag in the air.
        drag: f32 = 1.2 => between(0.0, 100.0),
        /// Coefficient of lift.
        lift: f32 = 1.0 => between(0.0, 100.0),
        /// Colour in pictures; by default each object has its own.
        color: Option<Color> = None,
        /// The other colour of a pattern.
        second_color: Color = Color([0xeb, 0xe7, 0xdf]),
        /// Colour of the back; by default as the front.
        back_color: Option<Color> = None,
        /// Pattern: "plain", "stripes", "checks", "weave" or "dots".
        pattern: PatternWord = PatternWord::Plain,
        /// Length of one repeat of the pattern, metres.
        repeat: f32 = 0.2 => positive(1e6).of("m"),
        /// Collider channels it reacts to.
        channels: Channels = Channels::default(),
        /// It collides with itself.
        self_collide: bool = true,
    }
}

crate::table! {
    /// What a closed cloth is filled with. Exactly one of `gas`, `volume` and `pressure` says what.
    struct InflateTable {
        /// Air that is closed in, in volumes of the cloth as it is made, at the pressure around it: 1 fills it and leaves it slack.
        gas: Option<f32> = None => between(0.0, 1000.0),
        /// A volume that it keeps at any pressure, in volumes of the cloth as it is made.
        volume: Option<f32> = None => between(0.0, 1000.0),
        /// Pressure above that around it which a pump keeps, pascals.
        pressure: Option<f32> = None => within(1e7).of("Pa"),
        /// How far a `volume` yields, m³/Pa.
        compliance: Option<f32> = None => between(0.0, 1e9).of("m³/Pa"),
        /// The same as the share of its error that is undone in 1/60 s.
        stiffness: Option<f32> = None => between(0.0, 1.0).but_not_lowest(),
        /// What it begins with, in the units of what it ends with; by default 1, of a pressure 0.
        from: Option<f32> = None => within(1e7),
        /// When it begins to change, seconds.
        start: f32 = 0.0 => seconds(),
        /// How long that takes, seconds; 0 for at once.
        over: f32 = 0.0 => seconds(),
    }
}

crate::table! {
    /// A cut through a cloth, along the edges of its triangles nearest to a line.
    struct CutTable {
        /// When, seconds.
        at: f32 = 0.0 => seconds(),
        /// Where it begins, metres: at the particle nearest to this point, where the cloth starts.
        from: Vec3 => places(),
        /// Where it ends, likewise.
        to: Vec3 => places(),
    }
}

crate::table! {
    /// A cord: particles in a row along a line.
    struct RopeTable {
        /// Name, for messages and exports.
        name: String = String::new(),
        /// Material, for friction: of the file, or a preset.
        material: String = "rubber".to_owned(),
        /// The line that it starts along, metres: two points or more.
        points: Vec<Vec3> => places(),
        /// Go through the points in a smooth curve instead of straight from one to the next.
        smooth: bool = false,
        /// The last point is joined to the first.
        closed: bool = false,
        /// Radius of its particles and of the cord, metres; by default `particle_radius`.
        radius: Option<f32> = None => between(1e-5, 1e4).of("m"),
        /// Distance of its particles, metres; by default one and a half radii.
        spacing: Option<f32> = None => metres(),
        /// Mass per length, kg/m; by default that of a cord of 800 kg/m³ as thick as its particles.
        linear_density: Option<f32> = None => positive(1e9).of("kg/m"),
        /// Tension over strain, newtons: Young's modulus times cross-section.
        stretch: f32 = 1e5 => positive(1e12).of("N"),
        /// Flexural rigidity, N·m²: bending moment over curvature. 0 is limp.
        bending: f32 = 1e-3 => between(0.0, 1e9).of("N·m²"),
        /// Velocity at the start, m/s.
        velocity: Vec3 = Vec3::ZERO => velocities(),
        /// Ends that never move: "start", "end".
        pins: Vec<String> = Vec::new(),
        /// Points, metres: the particle nearest to each never moves.
        pins_at: Vec<Vec3> = Vec::new() => places(),
        /// Particles that are attached to something: to the world, in which they may move, to a collider, a body, grains, another cloth or
        /// rope.
        attach: Vec<AttachTable> = Vec::new(),
        /// No particle gets further from the nearest pin than the cord allows, however few the iterations are.
        tethers: bool = true,
        /// By how much it may, as a share of that way.
        give: f32 = 0.01 => between(0.0, 10.0),
        /// Tension at which it tears, newtons.
        breaking_force: f32 = f32::INFINITY => positive(1e12).of("N").or_infinite(),
        /// Colour in pictures; by default each object has its own.
        color: Option<Color> = None,
        /// Collider channels it reacts to.
        channels: Channels = Channels::default(),
        /// It collides with itself.
        self_collide: bool = true,
    }
}

crate::table! {
    /// A cloth or another thin sheet: a preset and what differs from it.
    default struct FabricTable {
        /// Fabric to start from: a preset, or another fabric of the file.
        base: String = "cotton".to_owned(),
        /// Mass per area, kg/m².
        areal_density: Option<f32> = None => positive(1e6).of("kg/m²"),
        /// Force per width over strain, both ways, N/m: Young's modulus times thickness.
        stretch: Option<f32> = None => positive(1e12).of("N/m"),
        /// The same along the warp, the width of a rectangle; overrides `stretch`.
        stretch_warp: Option<f32> = None => positive(1e12).of("N/m"),
        /// The same along the weft, its height; overrides `stretch`.
        stretch_weft: Option<f32> = None => positive(1e12).of("N/m"),
        /// Force per length over the change of the angle between the threads, N/m.
        shear: Option<f32> = None => positive(1e12).of("N/m"),
        /// Flexural rigidity, N·m: bending moment per width over curvature. 0 is limp.
        bending: Option<f32> = None => between(0.0, 1e9).of("N·m"),
        /// Both coefficients of friction.
        friction: Option<f32> = None => between(0.0, 1000.0),
        /// Strain at which its threads break, for cloth that tears.
        breaking_strain: Option<f32> = None => positive(1e6),
    }
}

impl FabricTable {
    /// The fabric, given the one it starts from.
    pub fn fabric(&self, base: Fabric) -> Fabric {
        Fabric {
            areal_density: self.areal_density.unwrap_or(base.areal_density),
            stretch_warp: self.stretch_warp.or(self.stretch).unwrap_or(base.stretch_warp),
            stretch_weft: self.stretch_weft.or(self.stretch).unwrap_or(base.stretch_weft),
            shear: self.shear.unwrap_or(base.shear),
            bending: self.bending.unwrap_or(base.bending),
            static_friction: self.friction.unwrap_or(base.static_friction),
            kinetic_friction: self.friction.unwrap_or(base.kinetic_friction),
            breaking_strain: self.breaking_strain.unwrap_or(base.breaking_strain),
            ..base
        }
    }
}

crate::table! {
    /// The air that cloth and the rims of gases feel.
    default struct WindTable {
        /// Mean velocity, m/s.
        velocity: Vec3 = Vec3::ZERO => velocities(),
        /// By which share of itself it grows and dies down.
        gusts: f32 = 0.0 => between(0.0, 1.0),
        /// Time from one gust to the next, about, seconds.
        gust_period: f32 = 4.0 => positive(1e6).of("s"),
        /// Speed of its eddies, m/s.
        turbulence: f32 = 0.0 => between(0.0, 1e4).of("m/s"),
        /// Size of the largest eddies, metres.
        eddy_size: f32 = 1.0 => positive(1e6).of("m"),
        /// Density of the air, kg/m³; 0 for none.
        density: f32 = 1.2 => between(0.0, 1e4).of("kg/m³"),
    }
}

impl WindTable {
    /// The wind, with eddies and gusts of a seed.
    pub fn wind(&self, seed: u64) -> Wind {
        Wind {
            velocity: self.velocity,
            gusts: self.gusts,
            gust_period: self.gust_period,
            turbulence: self.turbulence,
            eddy_size: self.eddy_size,
            seed,
            density: self.density,
        }
    }
}
