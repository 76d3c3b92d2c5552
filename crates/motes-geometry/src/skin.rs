//! Meshes that follow particles: linear blend skinning to at most four particles a vertex (Müller & Chentanez 2011,
//! "Solid simulation with oriented particles", §7).

use glam::{Quat, Vec3};
use rayon::prelude::*;

use crate::distance::MeshDistance;
use crate::error::{GeometryError, positive};
use crate::grid::Grid;
use crate::links::{Neighbors, links};
use crate::mesh::Mesh;

/// Most particles that one vertex follows: as many as renderers and file formats usually have room for.
pub const INFLUENCES: usize = 4;

/// How far a particle pulls at vertices, in radii: two diameters.
const REACH: f32 = 4.0;

/// Where more particles are equally near than can be followed, each weight is one within this factor of the distance.
const TIE: f32 = 1.02;

/// How far apart neighbours are that [`Skin::smooth`] looks at, in radii: those across faces and edges of a lattice.
const NEAR: f32 = 3.0;

/// The weights of a vertex that follows one particle.
const ALONE: [f32; INFLUENCES] = {
    let mut weights = [0.0; INFLUENCES];
    weights[0] = 1.0;
    weights
};

/// Vertices that one thread takes at a time.
const CHUNK: usize = 1024;

/// A mesh hung on particles.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    vertices: Vec<Vec3>,
    particles: Vec<Vec3>,
    indices: Vec<[u32; INFLUENCES]>,
    weights: Vec<[f32; INFLUENCES]>,
    neighbors: Neighbors,
}

impl Skin {
    /// Hangs a mesh on particles at their rest positions, metres, in the frame of the mesh; `radius` is that of the
    /// particles, metres.
    ///
    /// A vertex follows the nearest particles that see it, or see the nearest one of these, through the inside of the
    /// mesh, so that arms beside each other stay apart. Weights fall to zero four radii away, or where a fifth particle
    /// is as near. A vertex farther than that from all particles follows the nearest alone.
    pub fn new(mesh: &Mesh, particles: &[Vec3], radius: f32) -> Result<Self, GeometryError> {
        mesh.check()?;
        let reach = REACH * positive("radius", radius)?;
        if particles.is_empty() {
            return Err(GeometryError::NoParticles);
        }
        if let Some(index) = particles.iter().position(|particle| !particle.is_finite()) {
            return Err(GeometryError::NotFinite { index });
        }
        let binding = Binding {
            particles,
            grid: Grid::new(particles, reach),
            distance: MeshDistance::new(mesh),
            reach,
        };
        let mut near = links(particles, NEAR * radius, None)?;
        near.retain(|pair| {
            let [a, b] = pair.map(|end| particles[end as usize]);
            binding.distance.is_clear(a, b)
        });
        let (indices, weights) = mesh
            .positions
            .par_iter()
            .map_init(Vec::new, |near, &vertex| binding.bind(vertex, near))
            .unzip();
        Ok(Self {
            vertices: mesh.positions.clone(),
            particles: particles.to_vec(),
            indices,
            weights,
            neighbors: Neighbors::new(particles.len(), &near)?,
        })
    }

    /// The particles that each vertex follows, nearest first; those without weight name the nearest once more.
    pub fn indices(&self) -> &[[u32; INFLUENCES]] {
        &self.indices
    }

    /// Weights of the particles that each vertex follows, together 1.
    pub fn weights(&self) -> &[[f32; INFLUENCES]] {
        &self.weights
    }

    /// Rest positions of the particles, metres.
    pub fn particles(&self) -> &[Vec3] {
        &self.particles
    }

    /// The particles where they and their neighbours, on average, have them, metres: what is pushed in by single
    /// particles becomes a smooth dent, and what moves as one stays as it is.
    ///
    /// # Panics
    /// If there are not as many positions and rotations as particles.
    pub fn smooth(&self, positions: &[Vec3], rotations: &[Quat]) -> Vec<Vec3> {
        self.check(positions, rotations);
        let place = |(particle, &rest): (usize, &Vec3)| {
            let around = self.neighbors.of(particle as u32);
            let seen = around.iter().map(|&other| {
                let other = other as usize;
                positions[other] + rotations[other] * (rest - self.particles[other])
            });
            (positions[particle] + seen.sum::<Vec3>()) / (1 + around.len()) as f32
        };
        self.particles
            .par_iter()
            .enumerate()
            .with_min_len(CHUNK)
            .map(place)
            .collect()
    }

    fn check(&self, positions: &[Vec3], rotations: &[Quat]) {
        let count = self.particles.len();
        assert!(
            positions.len() == count && rotations.len() == count,
            "the skin hangs on {count} particles, found {} positions and {} rotations",
            positions.len(),
            rotations.len()
        );
    }

    /// The vertices when the particles are at `positions`, metres, and turned by `rotations` from their rest pose:
    /// Σ w (x + R (v₀ − x₀)).
    ///
    /// # Panics
    /// If there are not as many positions and rotations as particles.
    pub fn deform(&self, positions: &[Vec3], rotations: &[Quat]) -> Vec<Vec3> {
        let mut vertices = Vec::new();
        self.deform_into(positions, rotations, &mut vertices);
        vertices
    }

    /// As [`deform`](Self::deform), into memory that is there.
    ///
    /// # Panics
    /// If there are not as many positions and rotations as particles.
    pub fn deform_into(&self, positions: &[Vec3], rotations: &[Quat], vertices: &mut Vec<Vec3>) {
        self.check(positions, rotations);
        let moved = |vertex: Vec3, particle: u32| {
            let particle = particle as usize;
            positions[particle] + rotations[particle] * (vertex - self.particles[particle])
        };
        let bindings = self.indices.par_iter().zip(&self.weights);
        self.vertices
            .par_iter()
            .zip(bindings)
            .with_min_len(CHUNK)
            .map(|(&vertex, (indices, weights))| {
                let pulls = indices.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
                pulls.map(|(&particle, weight)| weight * moved(vertex, particle)).sum()
            })
            .collect_into_vec(vertices);
    }
}

/// What is needed to choose the particles of a vertex.
struct Binding<'a> {
    particles: &'a [Vec3],
    grid: Grid,
    distance: MeshDistance,
    reach: f32,
}

impl Binding<'_> {
    fn bind(&self, vertex: Vec3, near: &mut Vec<(f32, u32)>) -> ([u32; INFLUENCES], [f32; INFLUENCES]) {
        near.clear();
        self.grid.each_within(vertex, self.reach, |index, squared| {
            near.push((squared.sqrt(), index));
        });
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let sees = |place: Vec3, index: u32| self.distance.is_clear(place, self.particles[index as usize]);
        if let Some(&(_, anchor)) = near.iter().find(|(_, index)| sees(vertex, *index)) {
            let middle = self.particles[anchor as usize];
            let mut seen = 0;
            near.retain(|&(_, index)| {
                let keeps = seen <= INFLUENCES && (index == anchor || sees(middle, index) || sees(vertex, index));
                seen += usize::from(keeps);
                keeps
            });
        }
        let Some(&(least, first)) = near.first() else {
            let nearest = self.grid.nearest(vertex).unwrap_or(0);
            return ([nearest; INFLUENCES], ALONE);
        };
        let next = near.get(INFLUENCES).map_or(self.reach, |(distance, _)| *distance);
        let reach = next.min(self.reach).max(TIE * least).max(f32::MIN_POSITIVE);
        let (mut indices, mut weights) = ([first; INFLUENCES], [0.0; INFLUENCES]);
        for (slot, &(distance, index)) in near.iter().take(INFLUENCES).enumerate() {
            let share = (distance / reach).min(1.0);
            weights[slot] = (1.0 - share * share).powi(2);
            indices[slot] = if weights[slot] > 0.0 { index } else { first };
        }
        let total: f32 = weights.iter().sum();
        (indices, weights.map(|weight| weight / total))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Body, BodyOptions, body};
    use crate::mesh::cuboid;
    use crate::models;
    use glam::Affine3A;
    use proptest::prelude::*;

    const RADIUS: f32 = 0.03;

    fn filled(mesh: &Mesh) -> Body {
        body(mesh, &BodyOptions::solid(RADIUS)).unwrap()
    }

    /// A bar along x with many vertices.
    fn bar() -> Mesh {
        let half = Vec3::new(0.6, 0.1, 0.1);
        let distance = |point: Vec3| crate::primitives::cuboid(point, half);
        let bounds = motes_core::Bounds { min: -half, max: half }.expanded(0.03);
        crate::dual_contour(&distance, &bounds, 0.01).unwrap()
    }

    #[test]
    fn a_rigid_motion_of_the_particles_is_that_of_the_mesh() {
        for name in ["octopus", "truck"] {
            let mesh = models::by_name(name).unwrap().mesh(44).unwrap();
            let body = filled(&mesh);
            let skin = Skin::new(&mesh, &body.positions, RADIUS).unwrap();
            let turn = Quat::from_scaled_axis(Vec3::new(0.7, -1.9, 0.4));
            let motion = Affine3A::from_rotation_translation(turn, Vec3::new(0.3, 2.0, -1.0));
            let positions: Vec<Vec3> = body
                .positions
                .iter()
                .map(|point| motion.transform_point3(*point))
                .collect();
            let vertices = skin.deform(&positions, &vec![turn; body.len()]);
            for (found, vertex) in vertices.iter().zip(&mesh.positions) {
                assert!(found.distance(motion.transform_point3(*vertex)) < 2e-6);
            }
            let smooth = skin.smooth(&positions, &vec![turn; body.len()]);
            assert!(smooth.iter().zip(&positions).all(|(a, b)| a.abs_diff_eq(*b, 2e-6)));
            let rest = skin.deform(&body.positions, &vec![Quat::IDENTITY; body.len()]);
            assert!(rest.iter().zip(&mesh.positions).all(|(a, b)| a.abs_diff_eq(*b, 1e-6)));
        }
    }

    #[test]
    fn a_bent_bar_stays_smooth() {
        let mesh = bar();
        let body = filled(&mesh);
        let skin = Skin::new(&mesh, &body.positions, RADIUS).unwrap();
        let curvature = 2.0;
        let bent = |point: Vec3| {
            let turn = Quat::from_rotation_z(curvature * point.x);
            let foot = Vec3::new((curvature * point.x).sin(), 1.0 - (curvature * point.x).cos(), 0.0) / curvature;
            (foot + turn * point.with_x(0.0), turn)
        };
        let (positions, rotations): (Vec<Vec3>, Vec<Quat>) = body.positions.iter().map(|&point| bent(point)).unzip();
        let vertices = skin.deform(&positions, &rotations);
        let between = |vertex: &Vec3| vertex.x.abs() < 0.6 - RADIUS;
        let pairs = vertices.iter().zip(&mesh.positions);
        for (found, vertex) in pairs.filter(|(_, vertex)| between(vertex)) {
            let miss = found.distance(bent(*vertex).0);
            assert!(miss < 0.1 * RADIUS, "{miss} at {vertex}");
        }
        let edges = mesh.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
        for (a, b) in edges.map(|(a, b)| (a as usize, b as usize)) {
            let stretch = vertices[a].distance(vertices[b]) / mesh.positions[a].distance(mesh.positions[b]);
            assert!((0.6..1.4).contains(&stretch), "{stretch}");
        }
    }

    #[test]
    fn what_a_single_particle_is_pushed_by_is_shared_with_its_neighbours() {
        let mesh = bar();
        let body = filled(&mesh);
        let skin = Skin::new(&mesh, &body.positions, RADIUS).unwrap();
        let mut positions = body.positions.clone();
        positions[0].y -= RADIUS;
        let smooth = skin.smooth(&positions, &vec![Quat::IDENTITY; body.len()]);
        let depths: Vec<f32> = smooth.iter().zip(&body.positions).map(|(a, b)| b.y - a.y).collect();
        assert!((0.02..0.3).contains(&(depths[0] / RADIUS)), "{}", depths[0]);
        let pushed = depths.iter().filter(|depth| **depth > 1e-4 * RADIUS).count();
        assert!((4..=27).contains(&pushed), "{pushed} particles");
    }

    #[test]
    fn weights_along_a_line_change_without_jumps() {
        let mut mesh = cuboid(Vec3::new(0.6, 0.1, 0.2));
        let first = mesh.positions.len();
        let body = filled(&mesh);
        let line = |share: f32| Vec3::new(-0.55, 0.1, -0.15).lerp(Vec3::new(0.55, 0.1, 0.12), share);
        let steps = 20_000;
        mesh.positions
            .extend((0..=steps).map(|step| line(step as f32 / steps as f32)));
        let skin = Skin::new(&mesh, &body.positions, RADIUS).unwrap();
        let weight_of = |vertex: usize, particle: u32| -> f32 {
            let pairs = skin.indices()[vertex].iter().zip(skin.weights()[vertex]);
            pairs
                .filter(|(index, _)| **index == particle)
                .map(|(_, weight)| weight)
                .sum()
        };
        for vertex in first + 1..mesh.positions.len() {
            for particle in [skin.indices()[vertex], skin.indices()[vertex - 1]].concat() {
                let change = weight_of(vertex, particle) - weight_of(vertex - 1, particle);
                assert!(change.abs() < 0.01, "{change} at {}", mesh.positions[vertex]);
            }
        }
    }

    #[test]
    fn arms_beside_each_other_move_apart() {
        let half = Vec3::new(0.5, RADIUS, RADIUS);
        let aside = Vec3::Z * 2.4 * RADIUS;
        let mut mesh = cuboid(half);
        let first = mesh.positions.len();
        mesh.append(&cuboid(half).transformed(&Affine3A::from_translation(aside)));
        let edge = |vertex: u32| Vec3::new(-0.5 + 0.01 * vertex as f32, RADIUS, RADIUS);
        mesh.positions.extend((0..100).map(edge));
        let body = filled(&mesh);
        let skin = Skin::new(&mesh, &body.positions, RADIUS).unwrap();
        let is_far = |place: Vec3| place.z > 1.2 * RADIUS;
        for (vertex, place) in mesh.positions.iter().enumerate() {
            let side = is_far(*place);
            assert_eq!(side, (first..2 * first).contains(&vertex));
            for (index, weight) in skin.indices()[vertex].iter().zip(skin.weights()[vertex]) {
                assert!(weight == 0.0 || is_far(body.positions[*index as usize]) == side);
            }
        }
    }

    #[test]
    fn one_particle_carries_all_and_none_is_an_error() {
        let mesh = cuboid(Vec3::ONE);
        let skin = Skin::new(&mesh, &[Vec3::ZERO], 0.1).unwrap();
        let turn = Quat::from_rotation_y(1.0);
        let vertices = skin.deform(&[Vec3::X], &[turn]);
        assert!((vertices[3] - (Vec3::X + turn * mesh.positions[3])).length() < 1e-6);
        assert_eq!(Skin::new(&mesh, &[], 0.1), Err(GeometryError::NoParticles));
        let lost = [Vec3::ZERO, Vec3::new(0.0, f32::NAN, 0.0)];
        assert_eq!(Skin::new(&mesh, &lost, 0.1), Err(GeometryError::NotFinite { index: 1 }));
        let mut broken = mesh.clone();
        broken.positions[2].x = f32::INFINITY;
        assert_eq!(
            Skin::new(&broken, &[Vec3::ZERO], 0.1),
            Err(GeometryError::NotFinite { index: 2 })
        );
        for bad in [0.0, -1.0, f32::NAN] {
            assert!(Skin::new(&mesh, &[Vec3::ZERO], bad).is_err());
        }
    }

    #[test]
    fn a_vertex_out_of_reach_follows_the_nearest_alone() {
        let particles = [Vec3::ZERO, Vec3::X * 0.05, Vec3::X * 9.0];
        let skin = Skin::new(&cuboid(Vec3::ONE), &particles, 0.05).unwrap();
        assert!(skin.weights().iter().all(|weights| *weights == ALONE));
        assert!(
            skin.indices()
                .iter()
                .zip(cuboid(Vec3::ONE).positions)
                .all(|(indices, vertex)| indices[0] == u32::from(vertex.x > 0.0))
        );
    }

    proptest! {
        #[test]
        fn weights_are_positive_and_together_one(
            particles in prop::collection::vec(prop::array::uniform3(-1.0f32..1.0), 1..60),
            repeated in 0usize..8,
            radius in 0.01f32..0.5,
        ) {
            let mut particles: Vec<Vec3> = particles.into_iter().map(Vec3::from).collect();
            particles.extend(vec![particles[0]; repeated]);
            let mesh = models::by_name("torus").unwrap().mesh(8).unwrap();
            let skin = Skin::new(&mesh, &particles, radius).unwrap();
            for (indices, weights) in skin.indices().iter().zip(skin.weights()) {
                prop_assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
                prop_assert!(weights.iter().all(|weight| (0.0..=1.0).contains(weight)));
                prop_assert!(indices.iter().all(|&index| (index as usize) < particles.len()));
            }
        }
    }
}
