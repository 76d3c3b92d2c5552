//! Bodies as a user gives them: particles held in shape by shape matching (Unified §5).

pub mod attachment;
pub mod bodies;
pub mod drive;
mod edit;
pub mod elasticity;
mod handles;
pub mod islands;
pub mod joint;
mod joint_handles;
pub mod links;
mod mobility;
pub mod trees;

use glam::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

use crate::body::elasticity::Elasticity;
use crate::body::links::{Links, Tethers};
use crate::constraints::inscribed::InscribedBall;
use crate::constraints::revolution::Revolution;
use crate::constraints::surface::SurfaceField;
use crate::error::WorldError;
use crate::heat::melting::Melting;
use crate::material::MaterialId;
use crate::particles::phase::Phase;
use crate::space::motion::Motion;
use crate::space::pose::Pose;

/// Names one body for as long as it exists, and no other ever after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BodyId(pub(crate) u32);

/// Mass of a particle, kg, below which sums of inverse masses leave the range of numbers.
const LEAST_MASS: f32 = 1e-30;

/// A body to be added to a world. Rest positions are in a frame of the body's own; its pose brings them into the world.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBody {
    /// Name for messages and exports.
    pub name: String,
    /// Material of its particles: friction, restitution and the like. The masses are given below.
    pub material: MaterialId,
    /// Rest position of each particle, metres.
    pub positions: Vec<Vec3>,
    /// Mass of each particle, kg.
    pub masses: Vec<f32>,
    /// Radius of each particle, metres; `None` for that of the settings.
    pub radius: Option<f32>,
    /// What each particle knows of the surface; empty for plain balls, which can lock into each other.
    pub fields: Vec<SurfaceField>,
    /// With what each particle touches colliders and other rigid bodies while the body is rigid: a ball within its shape that
    /// touches the surface beside the particle. Around a ball about the particle itself the surface is flat, around another as round as the
    /// ball, and one of radius zero is a point of an edge or a corner. Empty where all touch as balls.
    pub inscribed: Vec<InscribedBall>,
    /// What it revolves about, in the frame of `positions`, if it is a body of revolution: its inscribed balls then stand for circles, and it rolls like
    /// a wheel. Nothing by default.
    pub revolution: Option<Revolution>,
    /// Of particles at edges and corners, the normals of up to two more faces, zero for none; empty for smooth bodies.
    pub faces: Vec<[Vec3; 2]>,
    /// Where it starts.
    pub pose: Pose,
    /// Velocity of the centre of mass, m/s.
    pub velocity: Vec3,
    /// Angular velocity, rad/s.
    pub angular_velocity: Vec3,
    /// Share of a deformation that is undone in a sixtieth of a second, whatever the sub-steps; 1 is rigid, or for a body of
    /// clusters as stiff as the iterations get it. How stiff that is depends on the size of the clusters.
    pub stiffness: f32,
    /// How stiff its substance is, in place of `stiffness`; nothing by default.
    pub elasticity: Option<Elasticity>,
    /// How it yields for good; never by default.
    pub plasticity: Option<Plasticity>,
    /// Parts that keep their shape one by one, of a soft body; empty for one that moves as a whole.
    pub clusters: Clusters,
    /// Pairs of particles that keep their distance; none by default.
    pub links: Links,
    /// Pairs of particles that come no further apart than so much; none by default.
    pub tethers: Tethers,
    /// Mass scaling where it touches other bodies, in place of `Settings::body_mass_scaling`; of two bodies the smaller counts.
    pub mass_scaling: Option<f32>,
    /// At which temperatures it turns into grains and back; never by default.
    pub melting: Option<Melting>,
    /// Collider channels its particles react to.
    pub channels: u8,
    /// Whether it goes where it is told, and nothing can stop it.
    pub kinematic: bool,
    /// How it moves by itself, being kinematic, from its pose and the moment on that it is added; not at all by default.
    pub motion: Motion,
}

impl NewBody {
    /// A rigid body at rest at the origin, of particles with masses, kg.
    pub fn new(name: impl Into<String>, material: MaterialId, positions: Vec<Vec3>, masses: Vec<f32>) -> Self {
        Self {
            name: name.into(),
            material,
            positions,
            masses,
            radius: None,
            fields: Vec::new(),
            inscribed: Vec::new(),
            revolution: None,
            faces: Vec::new(),
            pose: Pose::IDENTITY,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            stiffness: 1.0,
            elasticity: None,
            plasticity: None,
            clusters: Clusters::default(),
            links: Links::default(),
            tethers: Tethers::default(),
            mass_scaling: None,
            melting: None,
            channels: Phase::ALL_CHANNELS,
            kinematic: false,
            motion: Motion::Fixed,
        }
    }

    /// What is wrong with it, if anything.
    pub(crate) fn check(&self) -> Result<(), WorldError> {
        let count = self.positions.len();
        let fraction = |value: f32| (0.0..=1.0).contains(&value);
        let members = &self.clusters.members;
        let bad_links = self.links.problem(count);
        let bad_tethers = self.tethers.problem(count);
        let bad_motion = self.motion.problem();
        let bad_melting = self.melting.as_ref().and_then(Melting::problem);
        let bad_plasticity = self.plasticity.as_ref().and_then(Plasticity::problem);
        let bad_elasticity = self.elasticity.as_ref().and_then(Elasticity::problem);
        let checks = [
            ("positions", count > 0, "at least one particle"),
            (
                "positions",
                self.positions.iter().all(|position| position.is_finite()),
                "finite numbers",
            ),
            ("masses", self.masses.len() == count, "one for each particle"),
            (
                "masses",
                self.masses.iter().all(|&mass| mass >= LEAST_MASS && mass.is_finite()),
                "positive, 1e-30 kg or more",
            ),
            (
                "fields",
                self.fields.is_empty() || self.fields.len() == count,
                "none, or one for each particle",
            ),
            (
                "fields",
                self.fields
                    .iter()
                    .all(|field| field.truncate().is_finite() && !field.w.is_nan()),
                "finite directions and depths",
            ),
            (
                "inscribed",
                self.inscribed.is_empty() || self.inscribed.len() == count,
                "none, or one for each particle",
            ),
            (
                "inscribed",
                self.inscribed.iter().all(|ball| ball.is_finite()),
                "finite places and radii",
            ),
            (
                "revolution",
                self.revolution
                    .is_none_or(|found| found.point.is_finite() && found.axis.is_normalized()),
                "a finite point and a unit vector",
            ),
            (
                "faces",
                self.faces.is_empty() || (self.faces.len() == count && self.fields.len() == count),
                "none, or two for each particle that has a field",
            ),
            (
                "faces",
                self.faces.iter().flatten().all(|normal| normal.is_finite()),
                "finite directions",
            ),
            (
                "pose",
                self.pose.position.is_finite() && self.pose.rotation.is_normalized(),
                "a finite position and a unit rotation",
            ),
            (
                "velocity",
                self.velocity.is_finite() && self.angular_velocity.is_finite(),
                "finite numbers",
            ),
            ("stiffness", fraction(self.stiffness), "between 0 and 1"),
            (
                "elasticity",
                bad_elasticity.is_none(),
                bad_elasticity.unwrap_or_default(),
            ),
            (
                "clusters",
                members.iter().all(|&member| (member as usize) < count) && self.clusters.is_sound(),
                "members that exist, in ascending starts",
            ),
            (
                "clusters",
                fraction(self.clusters.whole_stiffness),
                "a stiffness of the whole between 0 and 1",
            ),
            ("links", bad_links.is_none(), bad_links.unwrap_or_default()),
            ("tethers", bad_tethers.is_none(), bad_tethers.unwrap_or_default()),
            (
                "mass_scaling",
                self.mass_scaling
                    .is_none_or(|scaling| scaling >= 0.0 && scaling.is_finite()),
                "0 or more",
            ),
            (
                "plasticity",
                bad_plasticity.is_none(),
                bad_plasticity.unwrap_or_default(),
            ),
            (
                "melting",
                bad_melting.is_none(),
                bad_melting.map_or("", |(_, _, expected)| expected),
            ),
            (
                "melting",
                self.melting.is_none() || !self.kinematic,
                "none, of a body that is kinematic",
            ),
            ("motion", bad_motion.is_none(), bad_motion.unwrap_or_default()),
            (
                "motion",
                self.motion.is_fixed() || self.kinematic,
                "fixed, of a body that is not kinematic",
            ),
        ];
        match checks.into_iter().find(|(_, fine, _)| !fine) {
            None => Ok(()),
            Some((field, _, expected)) => Err(WorldError::Value {
                what: format!("body \"{}\"", self.name),
                field: field.into(),
                found: "something else".into(),
                expected: expected.into(),
            }),
        }
    }
}

/// How a body yields for good (Müller & Chentanez 2011; Unified §5.3).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plasticity {
    /// How far a particle has to be pushed out of shape before it yields, metres.
    pub threshold: f32,
    /// Fraction of what goes beyond the threshold that becomes the new shape in a sixtieth of a second.
    pub creep: f32,
    /// Once a particle has flowed this far, metres, it forgets the surface and collides as a ball. Infinite keeps it.
    pub limit: f32,
}

impl Plasticity {
    /// How much of a strain stays, metres, of that share of what goes beyond the threshold.
    pub(crate) fn yielded(&self, strain: Vec3, creep: f32) -> Vec3 {
        let length = strain.length();
        match length > self.threshold {
            true => strain * (creep * (1.0 - self.threshold / length)),
            false => Vec3::ZERO,
        }
    }

    fn problem(&self) -> Option<&'static str> {
        let non_negative = |value: f32| value >= 0.0 && value.is_finite();
        if !non_negative(self.threshold) {
            Some("a threshold of 0 or more, metres")
        } else if !(0.0..=1.0).contains(&self.creep) {
            Some("a creep between 0 and 1")
        } else if self.limit.is_nan() || self.limit < 0.0 {
            Some("a limit of 0 or more, metres")
        } else {
            None
        }
    }
}

/// Overlapping parts of a soft body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Clusters {
    /// Where the members of each cluster begin among `members`, and after the last one, where they end.
    pub starts: Vec<u32>,
    /// Numbers of particles, cluster by cluster.
    pub members: Vec<u32>,
    /// Stiffness of the body as a whole besides; 0 for none.
    pub whole_stiffness: f32,
}

impl Clusters {
    /// Number of clusters.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn is_sound(&self) -> bool {
        let last = self.starts.last().map_or(0, |&end| end as usize);
        self.starts.is_sorted() && self.starts.first().is_none_or(|&first| first == 0) && last == self.members.len()
    }
}

/// How a body moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMotion {
    /// Where its frame is.
    pub pose: Pose,
    /// Centre of mass, metres.
    pub center: Vec3,
    /// Velocity of the centre of mass, m/s.
    pub velocity: Vec3,
    /// Angular velocity, rad/s.
    pub angular_velocity: Vec3,
    /// Mass, kg.
    pub mass: f32,
    /// Inertia tensor about the centre of mass, along the axes of the world, kg·m².
    pub inertia: Mat3,
}
