//! `[[collider]]`: what particles cannot enter.

use glam::Vec3;

use super::{
    BoxShape, CapsuleShape, Channels, Color, MotionTable, Rotation, SolidShape, SphereShape, Terrain, Up, Vessel,
};
use crate::decode::limits::{between, degrees, metres, places, positive, seconds, velocities, within};

crate::table! {
    /// An obstacle, or, as a trigger, a region that notices particles.
    struct ColliderTable {
        /// Name, for messages and reports.
        name: String = String::new(),
        /// Its form.
        shape: ColliderShape,
        /// Where the origin of the shape goes, metres.
        position: Vec3 = Vec3::ZERO => places(),
        /// Rotation about the origin of the shape, degrees.
        rotation: Rotation = Rotation::default() => degrees(),
        /// A material of the file, or a preset; friction and restitution count.
        material: String = "sand".to_owned(),
        /// Particles that share a channel with it are affected.
        channels: Channels = Channels::default(),
        /// Report overlaps instead of colliding.
        trigger: bool = false,
        /// Draw it.
        visible: bool = true,
        /// Colour in pictures.
        color: Option<Color> = None,
        /// Opacity in pictures; 1 hides what is behind.
        opacity: f32 = 1.0 => between(0.0, 1.0),
        /// How it moves.
        motion: Option<MotionTable> = None,
        /// Velocity at which its surface runs along itself while the shape stays, along the axes of the collider, m/s: a
        /// conveyor belt. Friction draws along what lies on it.
        surface_velocity: Vec3 = Vec3::ZERO => velocities(),
        /// The same about the collider's own axes through its origin, degrees/s: a turntable, a roller.
        surface_spin: Vec3 = Vec3::ZERO => within(1e6).of("degrees/s"),
        /// Time at which its surface starts to run, seconds; until then, or until `surface_off_at`, it stands if this comes
        /// first.
        surface_on_at: Option<f32> = None => seconds(),
        /// Time at which its surface stops, seconds.
        surface_off_at: Option<f32> = None => seconds(),
        /// Time at which it is switched on, seconds; until then, or until `off_at`, it is off if this comes first.
        on_at: Option<f32> = None => seconds(),
        /// Time at which it is switched off, seconds: nothing touches it then, and it is not drawn.
        off_at: Option<f32> = None => seconds(),
    }
}

crate::choice! {
    /// The form of a collider.
    enum ColliderShape {
        /// Everything below a plane.
        "plane" => Plane(PlaneShape),
        /// A ball.
        "sphere" => Sphere(SphereShape),
        /// An upright cylinder with round ends.
        "capsule" => Capsule(CapsuleShape),
        /// A box.
        "box" => Box(BoxShape),
        /// The convex hull of points.
        "hull" => Hull(HullShape),
        /// Triangles, solid from both sides.
        "mesh" => Mesh(MeshShape),
        /// The mesh of a file, as its triangles or as signed distances on a grid.
        "file" => File(MeshFileShape),
        /// A thin vessel, as a mesh.
        "vessel" => Vessel(Vessel),
        /// Any solid, as signed distances on a grid.
        "sdf" => Sdf(SdfShape),
        /// Heights on a grid, solid below, centred on the origin.
        "heightfield" => Heightfield(Terrain),
    }
}

crate::table! {
    /// Everything below a plane.
    default struct PlaneShape {
        /// Direction out of the solid; by default up.
        normal: Option<Vec3> = None,
        /// Distance of the plane from the origin along the normal, metres.
        offset: f32 = 0.0 => places(),
    }
}

crate::choice! {
    /// The convex hull of points, given or named; `hull = { points = [..] }`.
    enum HullShape {
        /// The points, metres; at least four, not in one plane.
        "points" => Points(Vec<Vec3>),
        /// A regular tetrahedron around the origin.
        "tetrahedron" => Tetrahedron(RoundHull),
        /// A regular octahedron around the origin.
        "octahedron" => Octahedron(RoundHull),
        /// A cut gem around the origin, its tip down.
        "gem" => Gem(GemHull),
        /// A ramp standing on the origin, rising along x.
        "wedge" => Wedge(WedgeHull),
    }
}

crate::table! {
    /// A regular body.
    struct RoundHull {
        /// Distance of its corners from the origin, metres.
        radius: f32 => metres(),
    }
}

crate::table! {
    /// A cut gem.
    struct GemHull {
        /// Radius of its girdle, metres.
        radius: f32 => metres(),
        /// Height, metres.
        height: f32 => metres(),
    }
}

crate::table! {
    /// A ramp.
    struct WedgeHull {
        /// Length along x, metres.
        length: f32 => metres(),
        /// Height of its high end, metres.
        height: f32 => metres(),
        /// Width, metres.
        width: f32 => metres(),
    }
}

crate::table! {
    /// Triangles, solid from both sides.
    struct MeshShape {
        /// Vertices, metres.
        vertices: Vec<Vec3> => places(),
        /// Three vertices per triangle, counted from 0.
        triangles: Vec<[u32; 3]>,
    }
}

crate::table! {
    /// The mesh of a file. Its triangles are solid from both sides, be it closed or open.
    struct MeshFileShape {
        /// A mesh file (.obj, .ply, .stl, .gltf or .glb); its path is relative to the scene file.
        path: String,
        /// The axis that points up in the file: "y" (the default) or "z".
        up: Option<Up> = None,
        /// Metres per unit of the file.
        scale: f32 = 1.0 => positive(1e6).of("m"),
        /// Distance between samples of a grid of signed distances, metres, which takes the place of the triangles; for closed
        /// meshes. Nothing gets inside, and its cost does not depend on the number of triangles.
        cell_size: Option<f32> = None => metres(),
    }
}

crate::table! {
    /// Any solid, as signed distances on a grid.
    struct SdfShape {
        /// The solid.
        solid: SolidShape,
        /// Distance between samples, metres; by default a 48th of the solid's longest edge.
        cell_size: Option<f32> = None => metres(),
    }
}
