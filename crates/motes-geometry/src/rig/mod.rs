//! Rigs: a few hundred oriented particles that stand for a mesh, the edges between them, and how the mesh follows (Müller &
//! Chentanez 2011, "Solid simulation with oriented particles", §6 to §8).
//!
//! [`rig()`] makes one of any mesh: particles are sprayed over the surface and drift into thin limbs, ellipsoids are fitted to
//! what is around them, and what is near along the surface or through the inside is joined. What is near through the air is not:
//! two arms beside each other move apart. [`RigSkin`] has the mesh follow the particles.

mod fit;
mod join;
mod motion;
mod reach;
mod shares;
mod skin;
mod spray;
mod surface;
mod weights;

use glam::{Quat, Vec3};

use crate::distance::MeshDistance;
use crate::error::{GeometryError, positive};
use crate::mesh::Mesh;
use surface::Surface;

pub use motion::{Blend, Motion};
pub use skin::RigSkin;
pub use weights::{VertexWeights, rig_weights};

/// How dense the particles of a rig are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Density {
    /// About so far from each other, metres.
    Spacing(f32),
    /// About so many.
    Count(usize),
    /// So many on a square metre of the surface, before they are thinned out.
    PerArea(f32),
}

/// What a rig shall be like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigOptions {
    /// How many particles.
    pub density: Density,
    /// Whether particles move into thin limbs until they are chains in their middle; otherwise they stay on the surface.
    pub skeleton: bool,
    /// Longest radius of an ellipsoid over its shortest, at least 1.
    pub aspect: f32,
    /// Particles nearer than this many spacings are joined, if they are near along the surface or through the inside.
    pub edges: f32,
    /// Parts of a mesh whose surfaces are nearer than this many spacings are joined too; 0 for none.
    pub gap: f32,
    /// Seed of where particles are sprayed.
    pub seed: u64,
}

impl Default for RigOptions {
    fn default() -> Self {
        Self {
            density: Density::Count(300),
            skeleton: true,
            aspect: 2.0,
            edges: 1.5,
            gap: 0.25,
            seed: 0,
        }
    }
}

/// An oriented particle of a rig.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigParticle {
    /// Its middle, metres, in the frame of the mesh.
    pub position: Vec3,
    /// How its axes are turned.
    pub orientation: Quat,
    /// Its radii along these axes, metres.
    pub radii: Vec3,
    /// Its share of the mass; all shares together are 1.
    pub mass_share: f32,
}

/// A mesh as oriented particles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rig {
    /// The particles.
    pub particles: Vec<RigParticle>,
    /// Pairs of particles that are joined, the lower first, in ascending order.
    pub edges: Vec<[u32; 2]>,
    /// What each vertex of the mesh follows.
    pub weights: VertexWeights,
    /// About how far particles are from each other, metres.
    pub spacing: f32,
    /// Parts of the mesh.
    pub parts: usize,
    /// Sets of particles that no edge joins to each other; one is a rig in one piece.
    pub pieces: usize,
}

/// Whether a mesh has an inside, small holes or not, whose mass its particles share; otherwise they share that of its surface.
pub fn has_inside(mesh: &Mesh) -> bool {
    mesh.open_share() <= shares::CLOSED_ENOUGH && mesh.volume() > 0.0
}

/// A particle on its way: its middle, and the vertex from which the surface around it is walked over.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seed {
    center: Vec3,
    home: u32,
}

/// Longest edge of the surface that particles are put on, in spacings.
const FINE: f32 = 0.4;

/// Vertices that hang together within so many spacings are one while particles are moved about.
const COARSE: f32 = 0.2;

/// Most particles of a rig: it is a sparse stand-in.
pub const MOST_PARTICLES: usize = 100_000;

/// How often a spacing is tried for a wanted number.
const TRIES: usize = 9;

/// A difference from the wanted number that is good enough.
const GOOD_ENOUGH: f32 = 0.02;

/// The rig of a mesh.
pub fn rig(mesh: &Mesh, options: &RigOptions) -> Result<Rig, GeometryError> {
    mesh.check()?;
    let area = mesh.area();
    if !(area > 0.0 && area.is_finite()) {
        return Err(GeometryError::NoSurface);
    }
    let aspect = positive("aspect", options.aspect)?.max(1.0);
    positive("edge distance", options.edges)?;
    let (surface, seeds, spacing) = match options.density {
        Density::Spacing(spacing) => sprayed(mesh, options, positive("spacing", spacing)?)?,
        Density::PerArea(density) => sprayed(mesh, options, spacing_of(positive("density", density)?))?,
        Density::Count(wanted) => counted(mesh, options, wanted.max(1), area)?,
    };
    let distance = MeshDistance::new(mesh);
    let cells = reach::cells(&surface, &seeds, spacing);
    let joints = join::edges(&surface, &distance, &seeds, &cells, options, spacing);
    let ellipsoids = fit::fit(&surface, &distance, &seeds, &cells, aspect, spacing);
    let shares = shares::mass_shares(mesh, &surface, &distance, &ellipsoids, &cells, spacing);
    let particles = ellipsoids
        .into_iter()
        .zip(shares)
        .map(|(ellipsoid, mass_share)| RigParticle {
            mass_share,
            ..ellipsoid
        })
        .collect();
    Ok(Rig {
        particles,
        weights: weights::bind(&surface, &seeds, spacing),
        edges: joints.edges,
        spacing,
        parts: surface.part_count,
        pieces: joints.pieces,
    })
}

/// Spacing of a triangular lattice with so many points on a square metre.
fn spacing_of(density: f32) -> f32 {
    (0.75f32.sqrt() * density).sqrt().recip()
}

type Sprayed = (Surface, Vec<Seed>, f32);

fn sprayed(mesh: &Mesh, options: &RigOptions, spacing: f32) -> Result<Sprayed, GeometryError> {
    let wanted = mesh.area() / (0.75f32.sqrt() * spacing * spacing);
    if wanted.is_nan() || wanted >= 4.0 * MOST_PARTICLES as f32 {
        return Err(GeometryError::TooMany {
            what: "particles",
            limit: MOST_PARTICLES,
        });
    }
    let surface = Surface::new(mesh, FINE * spacing)?;
    // Where particles go needs no finer surface than this, however fine the mesh is.
    let (coarse, firsts) = surface.drawn_together(COARSE * spacing)?;
    let mut seeds = spray::spray(mesh, &coarse, options, spacing)?;
    for seed in &mut seeds {
        seed.home = firsts[seed.home as usize];
    }
    Ok((surface, seeds, spacing))
}

/// Tries spacings until about the wanted number of particles is left: their number falls as the spacing grows.
fn counted(mesh: &Mesh, options: &RigOptions, wanted: usize, area: f32) -> Result<Sprayed, GeometryError> {
    if wanted > MOST_PARTICLES {
        return Err(GeometryError::TooMany {
            what: "particles",
            limit: MOST_PARTICLES,
        });
    }
    let mut best: Option<(f32, Sprayed)> = None;
    let mut spacing = spacing_of(wanted as f32 / area);
    // The widest spacing with too many particles, and the narrowest with too few.
    let (mut narrow, mut wide) = (0.0f32, f32::INFINITY);
    for _ in 0..TRIES {
        let found = sprayed(mesh, options, spacing)?;
        let ratio = found.1.len() as f32 / wanted as f32;
        let off = ratio.ln().abs();
        if best.as_ref().is_none_or(|(least, _)| off < *least) {
            best = Some((off, found));
        }
        if off <= GOOD_ENOUGH {
            break;
        }
        if ratio > 1.0 {
            narrow = narrow.max(spacing);
        } else {
            wide = wide.min(spacing);
        }
        spacing = if narrow > 0.0 && wide.is_finite() && narrow < wide {
            (narrow * wide).sqrt()
        } else {
            // Limbs have particles by their length, surfaces by their area: between the power of one and of a half.
            spacing * ratio.powf(0.65).clamp(0.25, 4.0)
        };
    }
    best.map(|(_, found)| found).ok_or(GeometryError::NoSurface)
}

#[cfg(test)]
mod tests;
