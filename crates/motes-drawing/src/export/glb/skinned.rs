//! A skinned mesh: a node for each joint with an animated translation and rotation, and a skin that the mesh hangs on. All joints
//! hang on one node, which is scaled to nothing while the object is not there.

use std::io::{self, Read, Seek, Write};
use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use motes_core::Pose;
use serde_json::{Value, json};

use super::super::skinned::SkinnedMesh;
use super::super::snapshot::{Object, Paint};
use super::super::spool::Thread;
use super::parts::Presence;
use super::tables::Path;
use super::{Data, FLOAT, VERTICES};

/// Numbers of joints of vertices: 16 bits.
const SHORT: u32 = 5123;

/// Most joints of a mesh that fit these.
pub(super) const MOST_JOINTS: usize = 65_535;

pub(super) struct Skinned {
    name: String,
    paint: Paint,
    mesh: Arc<SkinnedMesh>,
    presence: Presence,
    times: Vec<f32>,
    /// The pose of each joint at the last key.
    last: Vec<Pose>,
    first: Vec<Pose>,
    /// Poses key by key, joint by joint.
    keys: Thread,
}

impl Skinned {
    pub(super) fn new<S: Read + Write + Seek>(
        data: &mut Data<S>,
        object: &Object,
        mesh: &Arc<SkinnedMesh>,
        time: f32,
        poses: &[Pose],
    ) -> io::Result<Self> {
        let mut skinned = Self {
            name: object.name.clone(),
            paint: object.paint,
            mesh: mesh.clone(),
            presence: Presence::since(time),
            times: Vec::new(),
            last: poses.to_vec(),
            first: poses.to_vec(),
            keys: Thread::default(),
        };
        skinned.go_on(data, time, poses)?;
        Ok(skinned)
    }

    /// Whether the object is still of this mesh and colour.
    pub(super) fn has(&self, mesh: &Arc<SkinnedMesh>, paint: Paint) -> bool {
        Arc::ptr_eq(&self.mesh, mesh) && self.paint == paint
    }

    pub(super) fn len(&self) -> u64 {
        self.keys.len()
    }

    pub(super) fn hide(&mut self, time: f32) {
        self.presence.set(time, false);
    }

    pub(super) fn go_on<S: Read + Write + Seek>(
        &mut self,
        data: &mut Data<S>,
        time: f32,
        poses: &[Pose],
    ) -> io::Result<()> {
        self.presence.set(time, true);
        self.times.push(time);
        let mut bytes = Vec::with_capacity(28 * poses.len());
        for (pose, last) in poses.iter().zip(&mut self.last) {
            let mut turn = pose.rotation.normalize();
            // Both signs are the same rotation; the nearer one is not a turn the long way round.
            if turn.dot(last.rotation) < 0.0 {
                turn = -turn;
            }
            *last = Pose {
                position: pose.position,
                rotation: turn,
            };
            let numbers = pose.position.to_array().into_iter().chain(turn.to_array());
            bytes.extend(numbers.flat_map(f32::to_le_bytes));
        }
        data.spool.push(&mut self.keys, &bytes)
    }

    pub(super) fn end<S: Read + Write + Seek>(mut self, data: &mut Data<S>, time: Option<f32>) -> io::Result<()> {
        if let Some(time) = time {
            self.hide(time);
        }
        let mut primitive = data.primitive(&self.mesh.rest)?;
        let (joints, weights) = data.pulls(&self.mesh)?;
        primitive["attributes"]["JOINTS_0"] = joints.into();
        primitive["attributes"]["WEIGHTS_0"] = weights.into();
        let material = data.tables.material(self.paint);
        let mesh = data.tables.mesh(primitive, material, 0);
        let nodes: Vec<usize> = self
            .first
            .iter()
            .enumerate()
            .map(|(number, pose)| data.tables.hanging(joint(&format!("{} {number}", self.name), *pose)))
            .collect();
        let holder = data
            .tables
            .node(json!({ "name": format!("{} joints", self.name), "children": nodes }));
        let inverse = data.inverse_binds(&self.mesh.bind)?;
        let skin = data
            .tables
            .skin(json!({ "inverseBindMatrices": inverse, "joints": nodes, "skeleton": holder }));
        data.tables
            .node(json!({ "name": self.name, "mesh": mesh, "skin": skin }));
        if self.times.len() > 1 {
            self.animate(data, &nodes)?;
        }
        self.presence.write(data, holder)
    }

    /// Writes the tracks of all joints, which share their times.
    fn animate<S: Read + Write + Seek>(&self, data: &mut Data<S>, nodes: &[usize]) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(self.keys.len() as usize);
        data.spool.copy(&self.keys, &mut bytes)?;
        let times = data.times(&self.times)?;
        let keys = self.times.len();
        let row = 28 * nodes.len();
        for (number, &node) in nodes.iter().enumerate() {
            for (path, range, kind) in [(Path::Translation, 0..12, "VEC3"), (Path::Rotation, 12..28, "VEC4")] {
                let start = 28 * number;
                let track: Vec<u8> = (0..keys)
                    .flat_map(|key| &bytes[key * row + start + range.start..key * row + start + range.end])
                    .copied()
                    .collect();
                let view = data.view(track.into_iter(), None)?;
                let values = data.tables.accessor(view, FLOAT, keys, kind, None);
                data.tables.animate(node, path, [times, values], false);
            }
        }
        Ok(())
    }
}

fn joint(name: &str, pose: Pose) -> Value {
    let mut node = json!({ "name": name });
    if pose.position != Vec3::ZERO {
        node["translation"] = json!(pose.position.to_array());
    }
    if pose.rotation != Quat::IDENTITY {
        node["rotation"] = json!(pose.rotation.normalize().to_array());
    }
    node
}

impl<S: Read + Write + Seek> Data<S> {
    /// Writes what each vertex follows; returns the accessors of joints and weights. Joints without weight are number 0.
    fn pulls(&mut self, mesh: &SkinnedMesh) -> io::Result<(usize, usize)> {
        let pulls = mesh.skin.weights();
        let count = pulls.len();
        let each = pulls.indices.iter().flatten().zip(pulls.weights.iter().flatten());
        let joints = each.map(|(&joint, &weight)| if weight > 0.0 { joint as u16 } else { 0 });
        let view = self.view(joints.flat_map(u16::to_le_bytes), Some(VERTICES))?;
        let joints = self.tables.accessor(view, SHORT, count, "VEC4", None);
        let weights = pulls.weights.iter().flatten().flat_map(|weight| weight.to_le_bytes());
        let view = self.view(weights, Some(VERTICES))?;
        Ok((joints, self.tables.accessor(view, FLOAT, count, "VEC4", None)))
    }

    /// Writes what takes a vertex at rest into the frame of each joint; returns the accessor.
    fn inverse_binds(&mut self, bind: &[Pose]) -> io::Result<usize> {
        let matrix = |pose: &Pose| {
            let back = pose.rotation.normalize().conjugate();
            let mut columns = Mat4::from_rotation_translation(back, back * -pose.position).to_cols_array();
            // These have to be exact.
            [columns[3], columns[7], columns[11], columns[15]] = [0.0, 0.0, 0.0, 1.0];
            columns
        };
        let numbers = bind.iter().flat_map(matrix);
        let view = self.view(numbers.flat_map(f32::to_le_bytes), None)?;
        Ok(self.tables.accessor(view, FLOAT, bind.len(), "MAT4", None))
    }
}
