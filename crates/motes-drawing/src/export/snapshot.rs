//! What is exported of one frame: objects and clouds of particles, by name, for writers that know nothing of worlds.

use std::sync::Arc;

use glam::Vec3;
use motes_core::Pose;
use motes_geometry::ShadedMesh;

use super::skinned::SkinnedMesh;

/// How an object is coloured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint {
    /// sRGB colour.
    pub color: [u8; 3],
    /// 1 hides what is behind.
    pub opacity: f32,
    /// Whether it is seen from both sides, as sheets are.
    pub two_sided: bool,
}

impl Paint {
    /// Opaque, seen from outside.
    pub fn solid(color: [u8; 3]) -> Self {
        Self {
            color,
            opacity: 1.0,
            two_sided: false,
        }
    }

    /// Linear light of the colour, 0 to 1 per channel.
    pub(crate) fn linear(&self) -> [f32; 3] {
        motes_render::color::to_linear(self.color).to_array()
    }

    /// A name for materials of this paint, of letters and digits: equal names, equal paints.
    pub fn name(&self) -> String {
        let [red, green, blue] = self.color;
        let mut name = format!("paint_{red:02x}{green:02x}{blue:02x}");
        if self.opacity < 1.0 {
            name += &format!("_{:03}", (self.opacity.max(0.0) * 1000.0).round());
        }
        if self.two_sided {
            name += "_two_sided";
        }
        name
    }
}

/// The surface of an object in one frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// A mesh that moves as a whole. As long as the mesh is the same one, files hold it once.
    Rigid(Arc<ShadedMesh>, Pose),
    /// A mesh in the world's coordinates that may be different in every frame, and have other vertices and triangles.
    Changing(ShadedMesh),
    /// A mesh that hangs on joints, and their poses. As long as the mesh is the same one, files that know skins hold it once.
    Skinned(Arc<SkinnedMesh>, Vec<Pose>),
}

impl Geometry {
    /// The mesh in the world's coordinates.
    pub fn placed(&self) -> ShadedMesh {
        match self {
            Self::Changing(mesh) => mesh.clone(),
            Self::Skinned(mesh, poses) => mesh.posed(poses),
            Self::Rigid(mesh, pose) => ShadedMesh {
                positions: mesh.positions.iter().map(|place| pose.point(*place)).collect(),
                normals: mesh.normals.iter().map(|normal| pose.direction(*normal)).collect(),
                ..(**mesh).clone()
            },
        }
    }

    /// Whether there is anything to see, and every index, normal and number is sound.
    pub(crate) fn is_sound(&self) -> bool {
        let (mesh, pose) = match self {
            Self::Rigid(mesh, pose) => (&**mesh, *pose),
            Self::Changing(mesh) => (mesh, Pose::IDENTITY),
            Self::Skinned(mesh, poses) => {
                if poses.len() != mesh.bind.len() || !poses.iter().all(Pose::is_sound) {
                    return false;
                }
                (&mesh.rest, Pose::IDENTITY)
            }
        };
        let count = mesh.positions.len();
        !mesh.triangles.is_empty()
            && pose.is_sound()
            && mesh.normals.len() == count
            && (mesh.uvs.is_empty() || mesh.uvs.len() == count)
            && mesh
                .triangles
                .as_flattened()
                .iter()
                .all(|&corner| (corner as usize) < count)
            && mesh
                .positions
                .iter()
                .chain(&mesh.normals)
                .all(|vector| vector.is_finite())
            && mesh.uvs.iter().all(|uv| uv.is_finite())
    }
}

/// An object in one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Its name: the same in every frame, and no other object's.
    pub name: String,
    /// Its colour.
    pub paint: Paint,
    /// Its surface.
    pub geometry: Geometry,
}

/// Particles of one group in one frame, in order of id.
#[derive(Clone, Debug, PartialEq)]
pub struct Cloud {
    /// Its name: the same in every frame, and no other cloud's or object's.
    pub name: String,
    /// Colour of all of them.
    pub paint: Paint,
    /// Radius of all of them, metres.
    pub radius: f32,
    /// Centres, metres.
    pub positions: Vec<Vec3>,
    /// Stable ids.
    pub ids: Vec<u32>,
}

/// All that is exported of one frame. What is not in it is not there in that frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Number of the frame.
    pub frame: u64,
    /// Bodies, colliders, sheets, ropes.
    pub objects: Vec<Object>,
    /// Particles that are not part of an object.
    pub clouds: Vec<Cloud>,
}

/// What all frames of an export have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// Name of the scene.
    pub name: String,
    /// Frames in a second of simulated time.
    pub frames_per_second: f64,
    /// Whether z points up; otherwise y does.
    pub z_up: bool,
}
