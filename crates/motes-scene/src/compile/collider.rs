//! Colliders: each shape of a scene file as a shape of the solver, and where it stands in its own frame.

use glam::{Vec2, Vec3};
use motes_core::colliders::{Capsule, ConvexHull, Cuboid, Heightfield, Plane, Sphere, TriangleMesh};
use motes_core::{Collider, Pose, Shape, SurfaceMotion};
use motes_geometry::hull::{gem, octahedron, tetrahedron, wedge};
use motes_geometry::vessels::{bowl, cup, funnel, hourglass, tank, tube};
use motes_geometry::{Mesh, bake, bake_mesh, convex_hull, dunes, lathe};

use super::bodies::{MeshSource, read_file};
use super::motion::{RADIANS, compose, motion, turned};
use super::solid::solid;
use super::{NO_MATERIAL, PlannedCollider, Surroundings, Switches, named};
use crate::issues::Issues;
use crate::model::{
    ColliderShape, ColliderTable, HullShape, MeshFileShape, MeshShape, PlaneShape, SdfShape, Terrain, Vessel,
};

/// Every `[[collider]]`.
pub(super) fn all(around: &Surroundings<'_>, issues: &mut Issues<'_>) -> Vec<PlannedCollider> {
    let tables = around.scene.collider.iter().enumerate();
    tables
        .filter_map(|(index, table)| collider(table, index, around, issues))
        .collect()
}

fn collider(
    table: &ColliderTable,
    index: usize,
    around: &Surroundings<'_>,
    issues: &mut Issues<'_>,
) -> Option<PlannedCollider> {
    let path = format!("collider[{index}]");
    let material = around
        .materials
        .get(&table.material, &format!("{path}.material"), issues);
    let made = shape(&table.shape, around, &format!("{path}.shape"), issues);
    let local = made.as_ref().map_or(Pose::IDENTITY, |(_, local)| *local);
    let outer = Pose {
        position: table.position,
        rotation: table.rotation.0,
    };
    let motion = motion(table.motion.as_ref(), &outer, &local, &format!("{path}.motion"), issues);
    let collider = Collider {
        name: named(&table.name, "collider", index),
        shape: made?.0,
        material: NO_MATERIAL,
        initial_pose: compose(&outer, &local),
        motion: motion?,
        surface: surface(table, &local),
        channels: table.channels.0,
        trigger: table.trigger,
    };
    let switches = Switches::new([table.on_at, table.off_at], &format!("{path}.off_at"), issues);
    let times = [table.surface_on_at, table.surface_off_at];
    let runs = Switches::new(times, &format!("{path}.surface_off_at"), issues);
    Some(PlannedCollider {
        index,
        material: material?,
        collider,
        switches,
        runs,
    })
}

/// How the surface of a shape runs that stands at `local` in the frame of its table.
fn surface(table: &ColliderTable, local: &Pose) -> SurfaceMotion {
    let back = local.rotation.inverse();
    SurfaceMotion {
        velocity: back * table.surface_velocity,
        angular_velocity: back * table.surface_spin * RADIANS,
        center: local.local_point(Vec3::ZERO),
    }
}

/// A shape, and its pose in the frame of the collider.
fn shape(
    shape: &ColliderShape,
    around: &Surroundings<'_>,
    path: &str,
    issues: &mut Issues<'_>,
) -> Option<(Shape, Pose)> {
    let upright = turned(around.upright.rotation());
    match shape {
        ColliderShape::Plane(shape) => Some((plane(shape, around, path, issues)?, Pose::IDENTITY)),
        ColliderShape::Sphere(ball) => {
            let sphere = issues.accept(&format!("{path}.sphere"), Sphere::new(ball.radius))?;
            Some((sphere.into(), Pose::at(ball.center)))
        }
        ColliderShape::Capsule(shape) => {
            let made = Capsule::new(0.5 * shape.length, shape.radius);
            let capsule = issues.accept(&format!("{path}.capsule"), made)?;
            let local = Pose {
                position: shape.center,
                ..upright
            };
            Some((capsule.into(), local))
        }
        ColliderShape::Box(shape) => {
            let path = format!("{path}.box");
            let (min, max) = issues.accept(&path, shape.corners())?;
            let cuboid = issues.accept(&path, Cuboid::new(0.5 * (max - min)))?;
            Some((cuboid.into(), Pose::at(0.5 * (min + max))))
        }
        ColliderShape::Hull(shape) => {
            let (points, local) = match shape {
                HullShape::Points(points) => (points.clone(), Pose::IDENTITY),
                HullShape::Tetrahedron(body) => (tetrahedron(body.radius), upright),
                HullShape::Octahedron(body) => (octahedron(body.radius), upright),
                HullShape::Gem(body) => (gem(body.radius, body.height), upright),
                HullShape::Wedge(body) => (wedge(body.length, body.height, body.width), upright),
            };
            let path = format!("{path}.hull");
            let mesh = issues.accept(&path, convex_hull(&points))?;
            let hull = issues.accept(&path, ConvexHull::new(mesh.positions, mesh.triangles))?;
            Some((hull.into(), local))
        }
        ColliderShape::Mesh(shape) => Some((mesh(shape, &format!("{path}.mesh"), issues)?.into(), Pose::IDENTITY)),
        ColliderShape::File(file) => Some((mesh_file(file, around, &format!("{path}.file"), issues)?, upright)),
        ColliderShape::Vessel(shape) => {
            let path = format!("{path}.vessel");
            let Mesh {
                positions, triangles, ..
            } = vessel(shape, &path, issues)?;
            let mesh = issues.accept(&path, TriangleMesh::new(positions, triangles))?;
            Some((mesh.into(), upright))
        }
        ColliderShape::Sdf(shape) => Some((sdf(shape, around, &format!("{path}.sdf"), issues)?, upright)),
        ColliderShape::Heightfield(shape) => {
            let field = heightfield(shape, around, &format!("{path}.heightfield"), issues)?;
            let size = field.bounds().size();
            let corner = Vec3::new(-0.5 * size.x, 0.0, -0.5 * size.z);
            let local = Pose {
                position: around.upright.to_scene(corner),
                ..upright
            };
            Some((field.into(), local))
        }
    }
}

fn plane(shape: &PlaneShape, around: &Surroundings<'_>, path: &str, issues: &mut Issues<'_>) -> Option<Shape> {
    let normal = shape.normal.unwrap_or(around.scene.up.vector());
    issues
        .accept(&format!("{path}.plane"), Plane::new(normal, shape.offset))
        .map(Shape::from)
}

fn mesh(shape: &MeshShape, path: &str, issues: &mut Issues<'_>) -> Option<TriangleMesh> {
    let MeshShape { vertices, triangles } = shape;
    let count = vertices.len();
    let missing = |triangle: &[u32; 3]| triangle.iter().copied().find(|corner| *corner as usize >= count);
    let broken = triangles.iter().enumerate();
    let broken = broken.filter_map(|(index, triangle)| Some((index, missing(triangle)?)));
    if broken.clone().next().is_some() && issues.known(&format!("{path}.vertices")) {
        issues.errors(broken.map(|(index, corner)| {
            let message = format!("there is no vertex {corner}: the mesh has {count}, counted from 0");
            (format!("{path}.triangles[{index}]"), message)
        }));
        return None;
    }
    issues.accept(path, TriangleMesh::new(vertices.clone(), triangles.clone()))
}

/// The mesh of a file, which is read once for a scene: its triangles, or signed distances of what it encloses.
fn mesh_file(shape: &MeshFileShape, around: &Surroundings<'_>, path: &str, issues: &mut Issues<'_>) -> Option<Shape> {
    if !issues.sound(path) {
        return None;
    }
    let source = MeshSource {
        file: &shape.path,
        up: shape.up,
        scale: shape.scale,
    };
    let read = read_file(&source, &format!("{path}.path"), around, issues)?;
    let (mesh, repairs) = &*read;
    let Some(cell_size) = shape.cell_size else {
        let triangles = TriangleMesh::new(mesh.positions.clone(), mesh.triangles.clone());
        return issues.accept(path, triangles).map(Shape::from);
    };
    if !repairs.after.is_solid() {
        let message = "the mesh is not closed, so that nobody knows what is inside";
        issues.error_with_help(
            path,
            message,
            "leave `cell_size` out: its triangles are solid from both sides",
        );
        return None;
    }
    let samples = (mesh.bounds().size().as_dvec3() / f64::from(cell_size) + 6.0).element_product();
    if too_many_samples(samples, around, &format!("{path}.cell_size"), issues) {
        return None;
    }
    issues.accept(path, bake_mesh(mesh, cell_size)).map(Shape::from)
}

fn vessel(shape: &Vessel, path: &str, issues: &mut Issues<'_>) -> Option<Mesh> {
    if let Some((key, thickness)) = shape.too_thick() {
        if issues.sound(path) {
            let message = format!("expected less than the vessel's own size, found {thickness} m");
            issues.error(&format!("{path}.{key}"), message);
        }
        return None;
    }
    Some(match shape {
        Vessel::Hourglass(glass) => hourglass(glass.height, glass.radius, glass.neck_radius, glass.segments),
        Vessel::Funnel(cone) => funnel(cone.radius, cone.neck_radius, cone.height, cone.spout, cone.segments),
        Vessel::Bowl(half) => bowl(half.radius, half.thickness, half.segments),
        Vessel::Cup(glass) => cup(glass.radius, glass.height, glass.thickness, glass.segments),
        Vessel::Tube(pipe) => tube(pipe.radius, pipe.height, pipe.thickness, pipe.segments),
        Vessel::Tank(basin) => tank(basin.size, basin.thickness),
        Vessel::Turned(turned) => {
            let profile: Vec<Vec2> = turned.profile.iter().map(|point| Vec2::from_array(*point)).collect();
            if profile.len() < 2 || profile.len() > 100_000 {
                let message = format!("expected 2 to 100000 points, found {}", profile.len());
                issues.error(&format!("{path}.turned.profile"), message);
                return None;
            }
            lathe(&profile, turned.segments)
        }
    })
}

fn sdf(shape: &SdfShape, around: &Surroundings<'_>, path: &str, issues: &mut Issues<'_>) -> Option<Shape> {
    let solid = solid(&shape.solid, around.upright, &format!("{path}.solid"), issues)?;
    let size = solid.bounds().size();
    let cell_size = shape.cell_size.unwrap_or(size.max_element() / 48.0);
    let samples = (size.as_dvec3() / f64::from(cell_size) + 6.0)
        .max(glam::DVec3::ONE)
        .element_product();
    if !issues.sound(path) || too_many_samples(samples, around, &format!("{path}.cell_size"), issues) {
        return None;
    }
    issues.accept(path, bake(&solid, cell_size)).map(Shape::from)
}

fn heightfield(shape: &Terrain, around: &Surroundings<'_>, path: &str, issues: &mut Issues<'_>) -> Option<Heightfield> {
    let (columns, rows, cell_size, heights) = match shape {
        Terrain::Grid(grid) => {
            let columns = grid.heights.first().map_or(0, Vec::len);
            let odd = grid.heights.iter().enumerate().filter(|(_, row)| row.len() != columns);
            if odd.clone().next().is_some() {
                if issues.known(&format!("{path}.grid.heights[0]")) {
                    issues.errors(odd.map(|(index, row)| {
                        let message = format!("expected {columns} heights as in the first row, found {}", row.len());
                        (format!("{path}.grid.heights[{index}]"), message)
                    }));
                }
                return None;
            }
            (columns, grid.heights.len(), grid.cell_size, grid.heights.concat())
        }
        Terrain::Dunes(field) => {
            let [columns, rows] = field
                .size
                .map(|length| f64::from((length / field.cell_size).ceil()) + 1.0);
            let key = format!("{path}.dunes.cell_size");
            if !issues.sound(path) || too_many_samples(columns * rows, around, &key, issues) {
                return None;
            }
            let (columns, rows) = (columns as usize, rows as usize);
            let seed = field.seed.unwrap_or(around.scene.seed);
            let heights = dunes(columns, rows, field.cell_size, field.amplitude, field.wavelength, seed);
            (columns, rows, field.cell_size, heights)
        }
    };
    issues.accept(
        path,
        Heightfield::new(columns as u32, rows as u32, Vec2::splat(cell_size), heights),
    )
}

fn too_many_samples(samples: f64, around: &Surroundings<'_>, path: &str, issues: &mut Issues<'_>) -> bool {
    let limit = around.limits.samples;
    let too_many = samples > limit as f64;
    if too_many {
        let message = format!("{samples:.1e} samples are too many: a grid holds at most {limit}");
        issues.error_with_help(path, message, "raise `cell_size`");
    }
    too_many
}
