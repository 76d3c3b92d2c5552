//! What can go wrong while making geometry.

use motes_core::colliders::ShapeError;

/// Why a shape could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GeometryError {
    /// A size that must be positive and finite is not.
    #[error("{name} must be positive and finite, found {value}")]
    BadSize {
        /// The parameter.
        name: &'static str,
        /// What it was.
        value: f32,
    },
    /// The solid reaches to infinity, so it cannot be filled or baked.
    #[error("the solid has no finite bounds; intersect it with a box")]
    Unbounded,
    /// The lattice or grid over the bounds of the solid would have more points than can be visited.
    #[error("{wanted:.3e} grid points are needed, the limit is {limit:.3e}; use a larger radius or cell size")]
    TooManyPoints {
        /// Points of the lattice.
        wanted: f64,
        /// Points allowed.
        limit: f64,
    },
    /// No grain size gives the wanted number of grains.
    #[error("no grain size fills the solid with {wanted} grains")]
    CountOutOfReach {
        /// Grains asked for.
        wanted: usize,
    },
    /// A hull needs four points.
    #[error("a convex hull needs at least 4 points, found {found}")]
    TooFewPoints {
        /// Points given.
        found: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("point {index} has a coordinate that is not finite")]
    NotFinite {
        /// Index of the first such point.
        index: usize,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} has a corner that is not among the vertices")]
    MissingVertex {
        /// Index of the first such triangle.
        triangle: usize,
    },
    /// All points lie in one plane, on one line or in one place.
    #[error("the points lie in one plane, so their convex hull has no volume")]
    Flat,
    /// A mesh encloses nothing, so it cannot be filled.
    #[error("the mesh encloses no volume: it is flat, or far thinner than a particle")]
    NoVolume,
    /// The triangles of a mesh face in.
    #[error("the mesh is inside out; repair it first")]
    InsideOut,
    /// A mesh without triangles that have an area.
    #[error("the mesh has no surface")]
    NoSurface,
    /// Weights for another number of vertices than the mesh has.
    #[error("there are weights for {found} vertices; the mesh has {vertices}")]
    WrongWeights {
        /// How many vertices the weights are for.
        found: usize,
        /// How many there are.
        vertices: usize,
    },
    /// There are no particles that a mesh could follow.
    #[error("there are no particles to hang the mesh on")]
    NoParticles,
    /// A link names a particle that does not exist.
    #[error("link {link} has an end that is not among the particles")]
    MissingParticle {
        /// Index of the first such link.
        link: usize,
    },
    /// A distance that takes in far too many particles.
    #[error("there would be more than {limit} {what}; the distance is too large for these particles")]
    TooMany {
        /// What there would be too many of.
        what: &'static str,
        /// How many are allowed.
        limit: usize,
    },
    /// An edge with three triangles or more: no sheet looks like that.
    #[error(
        "the edge from vertex {} at {} to vertex {} at {} has {triangles} triangles; a sheet has two at most",
        ends[0], places[0], ends[1], places[1]
    )]
    CrowdedEdge {
        /// Vertices of the first such edge.
        ends: [u32; 2],
        /// Where these are, metres.
        places: [glam::Vec3; 2],
        /// How many triangles there are.
        triangles: usize,
    },
    /// A sheet with one side only, like a Möbius strip.
    #[error("the sheet cannot be given two sides: its triangles do not agree at the edge from vertex {} to {}", ends[0], ends[1])]
    OneSided {
        /// Vertices of the first edge whose triangles do not agree.
        ends: [u32; 2],
    },
    /// A surface that must be closed has a rim.
    #[error("the mesh is not closed: the edge from vertex {} at {} to vertex {} at {} has one triangle", ends[0], places[0], ends[1], places[1])]
    OpenEdge {
        /// Vertices of the first such edge.
        ends: [u32; 2],
        /// Where these are, metres.
        places: [glam::Vec3; 2],
    },
    /// A triangle whose corners lie on a line.
    #[error("triangle {triangle}, at {place}, has no area")]
    Sliver {
        /// Index of the first such triangle.
        triangle: usize,
        /// Its first corner, metres.
        place: glam::Vec3,
    },
    /// A vertex of a sheet that does not exist.
    #[error("there is no vertex {vertex}; the sheet has {vertices}")]
    NoSuchVertex {
        /// The vertex asked for.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A sheet or curve without enough to it.
    #[error("{what} needs at least {least}, found {found}")]
    TooFew {
        /// What it is, and of what.
        what: &'static str,
        /// How many it needs.
        least: usize,
        /// How many there are.
        found: usize,
    },
    /// The hull algorithm gave up.
    #[error("the convex hull could not be computed: {reason}")]
    HullFailed {
        /// What the algorithm reported.
        reason: String,
    },
    /// The collider made from the geometry was refused.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

/// Passes a positive, finite size through, and names any other in an error.
pub(crate) fn positive(name: &'static str, value: f32) -> Result<f32, GeometryError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(GeometryError::BadSize { name, value })
    }
}
