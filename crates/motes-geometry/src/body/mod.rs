//! Solids made of particles: what a mesh becomes in the solver (§5 of the paper), with masses, centre and inertia of the
//! mesh and a signed distance at every particle (§5.1).

mod inscribed;
mod lattice;
mod masses;
mod nudge;
mod revolution;
mod shell;
mod solid;
mod surface;
mod voxels;

use glam::{DMat3, DVec3, Vec3, Vec4};
use inscribed::Outer;
use masses::Match;
use motes_core::constraints::inscribed::InscribedBall;
use motes_core::constraints::revolution::Revolution;
use motes_core::constraints::surface::EITHER_SIDE;
use motes_core::{MaterialId, NewBody};
use rayon::prelude::*;

pub use surface::{SurfacePoint, surface_points};

use crate::distance::MeshDistance;
use crate::error::{GeometryError, positive};
use crate::integrals::{Integrals, inertia, outer};
use crate::mesh::Mesh;

/// Where the particles go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filling {
    /// Throughout the solid.
    #[default]
    Solid,
    /// In layers below the surface.
    Shell {
        /// Number of layers, 1 or more.
        layers: u32,
    },
}

/// How a mesh becomes particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyOptions {
    /// Radius of the particles, metres.
    pub radius: f32,
    /// Distance of neighbours in the rest pose, in diameters; 0.9 by default, so that neighbours overlap a little and
    /// the surface is less bumpy.
    pub spacing: f32,
    /// Density, kg/m³; 1000 by default.
    pub density: f32,
    /// Where the particles go; throughout the solid by default.
    pub filling: Filling,
    /// Seed of what is random in a shell.
    pub seed: u64,
}

impl BodyOptions {
    /// A solid of water's density.
    pub fn solid(radius: f32) -> Self {
        Self {
            radius,
            spacing: 0.9,
            density: 1000.0,
            filling: Filling::Solid,
            seed: 0,
        }
    }

    /// Distance of neighbours, metres.
    pub fn pitch(&self) -> f32 {
        2.0 * self.radius * self.spacing
    }
}

/// Mass, centre and inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass, metres.
    pub center: DVec3,
    /// Inertia tensor about the centre of mass, kg·m².
    pub inertia: DMat3,
}

impl MassProperties {
    /// Those of the solid inside a mesh, of a density in kg/m³.
    pub fn of_mesh(mesh: &Mesh, density: f32) -> Self {
        Self::of_integrals(&mesh.integrals(), density)
    }

    fn of_integrals(integrals: &Integrals, density: f32) -> Self {
        let density = f64::from(density);
        Self {
            mass: density * integrals.volume,
            center: integrals.centroid,
            inertia: integrals.inertia() * density,
        }
    }

    /// Those of points with masses, kg.
    pub fn of_points(positions: &[Vec3], masses: &[f32]) -> Self {
        let pairs = || {
            positions
                .iter()
                .map(|point| point.as_dvec3())
                .zip(masses.iter().map(|&mass| f64::from(mass)))
        };
        let mass: f64 = pairs().map(|(_, mass)| mass).sum();
        let center = pairs().map(|(point, mass)| mass * point).sum::<DVec3>() / mass.max(f64::MIN_POSITIVE);
        let moments = pairs().fold(DMat3::ZERO, |sum, (point, mass)| {
            sum + outer(point - center, point - center) * mass
        });
        Self {
            mass,
            center,
            inertia: inertia(&moments),
        }
    }

    /// How far these are from others, as shares: of the mass; of the radius of gyration, for the centre; and of the
    /// size of the tensor, for the inertia.
    pub fn difference(&self, expected: &Self) -> [f64; 3] {
        let size = |tensor: &DMat3| {
            tensor
                .to_cols_array()
                .iter()
                .map(|part| part * part)
                .sum::<f64>()
                .sqrt()
        };
        let scale = size(&expected.inertia).max(f64::MIN_POSITIVE);
        let gyration = (scale / expected.mass.abs().max(f64::MIN_POSITIVE)).sqrt();
        [
            (self.mass / expected.mass - 1.0).abs(),
            self.center.distance(expected.center) / gyration,
            size(&(self.inertia - expected.inertia)) / scale,
        ]
    }
}

/// A solid as particles, one array per property, in the frame of the mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Radius of every particle, metres.
    pub radius: f32,
    /// Rest positions, metres.
    pub positions: Vec<Vec3>,
    /// Masses, kg; together density times volume of the mesh.
    pub masses: Vec<f32>,
    /// Signed distances to the surface of the mesh, metres, negative inside.
    pub distances: Vec<f32>,
    /// Unit directions in which the distance grows, out of the solid.
    pub gradients: Vec<Vec3>,
    /// Whether each particle is of the outermost layer, which collides as one-sided balls (eq. 20).
    pub is_boundary: Vec<bool>,
    /// Of particles at edges and corners, the normals of up to two more faces; zero for none.
    pub faces: Vec<[Vec3; 2]>,
    /// Whether each particle has the surface on both sides.
    pub is_thin: Vec<bool>,
    /// With what each particle touches colliders.
    pub inscribed: Vec<InscribedBall>,
    /// What the mesh revolves about, if it is a body of revolution other than a sphere, or its outermost surface, such as the rim of a
    /// wheel with spokes, is one.
    pub revolution: Option<Revolution>,
}

impl Body {
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are no particles.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// What the solver takes: a rigid body at rest, where the mesh is.
    pub fn to_new(&self, name: impl Into<String>, material: MaterialId) -> NewBody {
        let field = |index: usize| {
            let depth = -self.distances[index];
            let depth = match (self.is_thin[index], self.is_boundary[index]) {
                (true, _) => EITHER_SIDE,
                (false, true) => -depth.abs(),
                (false, false) => depth,
            };
            self.gradients[index].extend(depth)
        };
        NewBody {
            fields: (0..self.len()).map(field).collect(),
            faces: self.faces.clone(),
            inscribed: self.inscribed.clone(),
            revolution: self.revolution,
            ..NewBody::new(name, material, self.positions.clone(), self.masses.clone())
        }
    }

    /// Mass, centre and inertia of the particles, taken as points.
    pub fn mass_properties(&self) -> MassProperties {
        MassProperties::of_points(&self.positions, &self.masses)
    }
}

/// Sheets thinner than this share of their size have a volume that is rounding alone.
const THINNEST: f64 = 2e-7;

/// Positions are left alone where masses bring centre and inertia as close as this.
const CLOSE_ENOUGH: f64 = 5e-3;

/// Faces that are further away than the nearest by less than this, in radii, are a particle's own too.
const FACE_REACH: f32 = 0.35;

/// Particles deeper than one radius plus this share of the spacing are not of the boundary.
const BOUNDARY_REACH: f32 = 0.35;

/// Fills a mesh with particles.
///
/// The mesh should be closed and face out, as [`repair`](crate::repair()) leaves a sound one; small holes do no harm. The
/// total mass is exact; centre and inertia follow the mesh as closely as the particles allow, for a shell the centre
/// alone.
pub fn body(mesh: &Mesh, options: &BodyOptions) -> Result<Body, GeometryError> {
    positive("radius", options.radius)?;
    positive("spacing", options.spacing)?;
    positive("density", options.density)?;
    mesh.check()?;
    let integrals = mesh.integrals();
    check_volume(mesh, &integrals)?;
    let expected = MassProperties::of_integrals(&integrals, options.density);
    let distance = MeshDistance::new(mesh);
    let (mut positions, shares) = match options.filling {
        Filling::Solid => solid::fill(mesh, &distance, options)?,
        Filling::Shell { layers } => shell::fill(mesh, &distance, options, layers)?,
    };
    let miss = |positions: &[Vec3], masses: &[f32]| {
        let [_, center, inertia] = MassProperties::of_points(positions, masses).difference(&expected);
        center.max(inertia)
    };
    let masses = match options.filling {
        Filling::Shell { .. } => masses::adjust(&positions, &shares, &expected, Match::Center),
        Filling::Solid => {
            let freedom = Vec3::ONE - nudge::flat_axes(mesh);
            let is_box = freedom == Vec3::ZERO;
            let inertia = if is_box { Match::MILDLY } else { Match::FREELY };
            let best = |positions: &[Vec3]| {
                let [full, modest] = [inertia, Match::Center].map(|wanted| {
                    let masses = masses::adjust(positions, &shares, &expected, wanted);
                    (miss(positions, &masses), masses)
                });
                // Uneven masses must be worth it.
                if full.0 < 0.5 * modest.0 { full } else { modest }
            };
            let (missed, mut masses) = best(&positions);
            if missed > CLOSE_ENOUGH && !is_box {
                let mut moved = positions.clone();
                let first = masses::scaled(&shares, &expected);
                nudge::nudge(
                    &mut moved,
                    &first,
                    &expected,
                    (freedom, 0.5 * options.radius),
                    |place| distance.is_inside(place),
                );
                let (missed_moved, masses_moved) = best(&moved);
                if missed_moved < missed {
                    (positions, masses) = (moved, masses_moved);
                }
            }
            masses
        }
    };
    let (distances, gradients): (Vec<f32>, Vec<Vec3>) = positions
        .par_iter()
        .map(|&position| distance.with_gradient(position))
        .unzip();
    let reach = options.radius + BOUNDARY_REACH * options.pitch();
    let boundary: Vec<bool> = distances.iter().map(|&distance| distance > -reach).collect();
    let (faces, is_thin): (Vec<[Vec4; 2]>, Vec<bool>) = (0..positions.len())
        .into_par_iter()
        .map(|index| match boundary[index] {
            true => {
                let reach = distances[index].abs() + FACE_REACH * options.radius;
                distance.other_faces(positions[index], reach, gradients[index])
            }
            false => ([Vec4::ZERO; 2], false),
        })
        .unzip();
    let outer: Vec<Option<Outer>> = (0..positions.len())
        .map(|index| {
            (boundary[index] && distances[index] < 0.0).then(|| Outer {
                position: positions[index],
                depth: -distances[index],
                out: gradients[index],
                // The edges of a plate are rounded: it has two, of which a corner would be but one.
                faces: if is_thin[index] { [Vec4::ZERO; 2] } else { faces[index] },
            })
        })
        .collect();
    let mut balls = inscribed::balls(&outer, &distance, options.radius);
    let revolution = revolution::find(&outer, &mut balls, &distance, &expected, options.radius);
    Ok(Body {
        inscribed: balls,
        revolution,
        faces: faces.iter().map(|faces| faces.map(Vec4::truncate)).collect(),
        is_thin,
        radius: options.radius,
        is_boundary: boundary,
        positions,
        masses,
        distances,
        gradients,
    })
}

fn check_volume(mesh: &Mesh, integrals: &Integrals) -> Result<(), GeometryError> {
    let volume = integrals.volume;
    let thickness = 2.0 * volume.abs() / f64::from(mesh.area());
    let size = f64::from(mesh.bounds().size().max_element());
    if thickness.is_nan() || thickness <= THINNEST * size {
        Err(GeometryError::NoVolume)
    } else if volume < 0.0 {
        Err(GeometryError::InsideOut)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
