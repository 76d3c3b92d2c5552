//! Why a shape could not be built.

use glam::Vec3;

/// A shape was given numbers it cannot be made of.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A length that must be positive and finite is not.
    #[error("{shape}: `{field}` must be finite and above zero, found {found}")]
    NotPositive {
        /// Name of the shape.
        shape: &'static str,
        /// Name of the field.
        field: &'static str,
        /// The number given.
        found: f32,
    },
    /// A number that must be finite is not.
    #[error("{shape}: `{field}` must be finite, found {found}")]
    NotFinite {
        /// Name of the shape.
        shape: &'static str,
        /// Name of the field.
        field: &'static str,
        /// The number given.
        found: f32,
    },
    /// One value of an array is NaN or infinite.
    #[error("{shape}: `{field}[{index}]` must be finite, found {found}")]
    NotFiniteAt {
        /// Name of the shape.
        shape: &'static str,
        /// Name of the array.
        field: &'static str,
        /// Place in the array.
        index: usize,
        /// The first number there that is not finite.
        found: f32,
    },
    /// A direction has no length to normalise.
    #[error("{shape}: `{field}` must be a finite direction of non-zero length, found {found}")]
    NoDirection {
        /// Name of the shape.
        shape: &'static str,
        /// Name of the field.
        field: &'static str,
        /// The vector given.
        found: Vec3,
    },
    /// Fewer elements than the shape needs.
    #[error("{shape}: `{field}` must have at least {at_least}, found {found}")]
    TooFew {
        /// Name of the shape.
        shape: &'static str,
        /// Name of the field.
        field: &'static str,
        /// The number given.
        found: usize,
        /// The smallest number accepted.
        at_least: usize,
    },
    /// More elements than 32-bit indices can name.
    #[error("{shape}: `{field}` must have at most {at_most}, found {found}")]
    TooMany {
        /// Name of the shape.
        shape: &'static str,
        /// Name of the field.
        field: &'static str,
        /// The number given.
        found: u128,
        /// The largest number accepted.
        at_most: u128,
    },
    /// An array does not match the size declared for it.
    #[error("{shape}: `{field}` must have {expected} values, found {found}")]
    WrongCount {
        /// Name of the shape.
        shape: &'static str,
        /// Name of the array.
        field: &'static str,
        /// The number given.
        found: usize,
        /// The number declared.
        expected: usize,
    },
    /// A triangle names a vertex that is not there.
    #[error("{shape}: `triangles[{triangle}]` names vertex {found}, but there are {vertex_count} vertices")]
    NoSuchVertex {
        /// Name of the shape.
        shape: &'static str,
        /// The triangle.
        triangle: usize,
        /// The vertex it names.
        found: u32,
        /// How many vertices there are.
        vertex_count: usize,
    },
    /// Every triangle has zero area.
    #[error("{shape}: none of the {found} triangles has an area")]
    OnlyDegenerateTriangles {
        /// Name of the shape.
        shape: &'static str,
        /// How many triangles were given.
        found: usize,
    },
    /// An edge of a hull does not join exactly two triangles.
    #[error("convex hull: the edge between vertices {from} and {to} must join 2 triangles, found {found}")]
    NotClosed {
        /// One end of the edge.
        from: u32,
        /// The other end.
        to: u32,
        /// How many triangles have the edge.
        found: usize,
    },
    /// A vertex of a hull lies outside one of its faces.
    #[error(
        "convex hull: vertex {vertex} lies {found} m outside `triangles[{triangle}]`, expected at most {expected} m"
    )]
    NotConvex {
        /// The vertex.
        vertex: usize,
        /// The face it lies outside of.
        triangle: usize,
        /// Its distance above the face, metres.
        found: f32,
        /// The rounding allowed, metres.
        expected: f32,
    },
    /// A hull encloses no volume.
    #[error("convex hull: must enclose a volume, found a depth of {found} m behind its faces")]
    Flat {
        /// Distance from the middle of the hull to its nearest face, metres.
        found: f32,
    },
}

/// The number itself when it is a usable length.
pub(super) fn positive(shape: &'static str, field: &'static str, found: f32) -> Result<f32, ShapeError> {
    if found.is_finite() && found > 0.0 {
        Ok(found)
    } else {
        Err(ShapeError::NotPositive { shape, field, found })
    }
}

/// Refuses NaN and infinity anywhere in an array of points.
pub(super) fn finite_points(shape: &'static str, field: &'static str, points: &[Vec3]) -> Result<(), ShapeError> {
    for (index, point) in points.iter().enumerate() {
        if let Some(&found) = point.as_ref().iter().find(|value| !value.is_finite()) {
            return Err(ShapeError::NotFiniteAt {
                shape,
                field,
                index,
                found,
            });
        }
    }
    Ok(())
}

/// Refuses NaN and infinity anywhere in an array of numbers.
pub(super) fn finite_values(shape: &'static str, field: &'static str, values: &[f32]) -> Result<(), ShapeError> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(ShapeError::NotFiniteAt {
            shape,
            field,
            index,
            found: values[index],
        }),
        None => Ok(()),
    }
}

/// Refuses triangles that name missing vertices, and more of either than 32 bits can count.
pub(super) fn valid_triangles(
    shape: &'static str,
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
) -> Result<(), ShapeError> {
    const AT_MOST: usize = 1 << 30;
    for (field, found) in [("vertices", vertices.len()), ("triangles", triangles.len())] {
        if found > AT_MOST {
            return Err(ShapeError::TooMany {
                shape,
                field,
                found: found as u128,
                at_most: AT_MOST as u128,
            });
        }
    }
    finite_points(shape, "vertices", vertices)?;
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&found) = corners.iter().find(|&&corner| corner as usize >= vertices.len()) {
            return Err(ShapeError::NoSuchVertex {
                shape,
                triangle,
                found,
                vertex_count: vertices.len(),
            });
        }
    }
    Ok(())
}
