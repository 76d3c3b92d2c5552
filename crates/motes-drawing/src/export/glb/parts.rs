//! What becomes of an object: a node that moves, or nodes that change their shape one after the other.

use std::io::{self, Read, Seek, Write};
use std::sync::Arc;

use glam::{Quat, Vec3};
use motes_core::Pose;
use motes_geometry::ShadedMesh;
use serde_json::{Value, json};

use super::super::snapshot::{Object, Paint};
use super::super::spool::Thread;
use super::skinned::Skinned;
use super::tables::Path;
use super::{Data, FLOAT};

pub(super) enum Part {
    Rigid(Rigid),
    Segment(Segment),
    Skinned(Skinned),
}

impl Part {
    /// Bytes that are not among the rest of the data yet.
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Rigid(rigid) => rigid.translations.len() + rigid.rotations.len() + rigid.times.len(),
            Self::Segment(_) => 0,
            Self::Skinned(skinned) => skinned.len(),
        }
    }

    /// Completes the tables; what is over before the end of the run is not seen from a time on, seconds.
    pub(super) fn end<S: Read + Write + Seek>(self, data: &mut Data<S>, time: Option<f32>) -> io::Result<()> {
        match self {
            Self::Rigid(rigid) => rigid.end(data, time),
            Self::Segment(segment) => segment.end(data, time),
            Self::Skinned(skinned) => skinned.end(data, time),
        }
    }
}

/// Whether something is there: from a time on, seconds, until the next.
#[derive(Debug, Default)]
pub(super) struct Presence(Vec<(f32, bool)>);

impl Presence {
    /// From a time on; before it nothing was there.
    pub(super) fn since(time: f32) -> Self {
        match time > 0.0 {
            true => Self(vec![(0.0, false), (time, true)]),
            false => Self(vec![(time, true)]),
        }
    }

    pub(super) fn set(&mut self, time: f32, is_there: bool) {
        if self.0.last().is_none_or(|last| last.1 != is_there) {
            self.0.push((time, is_there));
        }
    }

    /// Scales a node to nothing while it is not there.
    pub(super) fn write<S: Read + Write + Seek>(&self, data: &mut Data<S>, node: usize) -> io::Result<()> {
        if self.0.len() < 2 {
            return Ok(());
        }
        let times: Vec<f32> = self.0.iter().map(|key| key.0).collect();
        let times = data.times(&times)?;
        let scales = self.0.iter().flat_map(|key| [f32::from(u8::from(key.1)); 3]);
        let view = data.view(scales.flat_map(f32::to_le_bytes), None)?;
        let scales = data.tables.accessor(view, FLOAT, self.0.len(), "VEC3", None);
        data.tables.animate(node, Path::Scale, [times, scales], true);
        Ok(())
    }
}

/// An object that moves as a whole.
pub(super) struct Rigid {
    name: String,
    paint: Paint,
    mesh: Arc<ShadedMesh>,
    primitive: Value,
    presence: Presence,
    first: Pose,
    /// The last key.
    last: (f32, Pose),
    /// Until when it stayed at the last key.
    rested: Option<f32>,
    keys: usize,
    times: Thread,
    translations: Thread,
    rotations: Thread,
    first_time: f32,
}

impl Rigid {
    pub(super) fn new<S: Read + Write + Seek>(
        data: &mut Data<S>,
        object: &Object,
        mesh: &Arc<ShadedMesh>,
        primitive: Value,
        time: f32,
        pose: Pose,
    ) -> io::Result<Self> {
        let mut rigid = Self {
            name: object.name.clone(),
            paint: object.paint,
            mesh: mesh.clone(),
            primitive,
            presence: Presence::since(time),
            first: pose,
            last: (time, pose),
            rested: None,
            keys: 0,
            times: Thread::default(),
            translations: Thread::default(),
            rotations: Thread::default(),
            first_time: time,
        };
        rigid.key(data, time, pose)?;
        Ok(rigid)
    }

    /// Whether the object is still of this mesh and colour.
    pub(super) fn has(&self, mesh: &Arc<ShadedMesh>, paint: Paint) -> bool {
        Arc::ptr_eq(&self.mesh, mesh) && self.paint == paint
    }

    /// Goes where the object is. While it rests there are no keys.
    pub(super) fn go_on<S: Read + Write + Seek>(
        &mut self,
        data: &mut Data<S>,
        time: f32,
        pose: Pose,
    ) -> io::Result<()> {
        self.presence.set(time, true);
        if pose == self.last.1 || pose.rotation == -self.last.1.rotation && pose.position == self.last.1.position {
            self.rested = Some(time);
            return Ok(());
        }
        if let Some(rested) = self.rested.take() {
            self.key(data, rested, self.last.1)?;
        }
        self.key(data, time, pose)
    }

    pub(super) fn hide(&mut self, time: f32) {
        self.presence.set(time, false);
    }

    fn key<S: Read + Write + Seek>(&mut self, data: &mut Data<S>, time: f32, mut pose: Pose) -> io::Result<()> {
        // Both signs are the same rotation; the nearer one is not a turn the long way round.
        if pose.rotation.dot(self.last.1.rotation) < 0.0 {
            pose.rotation = -pose.rotation;
        }
        data.spool.push(&mut self.times, &time.to_le_bytes())?;
        let place = pose.position.to_array().map(f32::to_le_bytes);
        data.spool.push(&mut self.translations, place.as_flattened())?;
        let turn = pose.rotation.normalize().to_array().map(f32::to_le_bytes);
        data.spool.push(&mut self.rotations, turn.as_flattened())?;
        self.keys += 1;
        self.last = (time, pose);
        Ok(())
    }

    fn end<S: Read + Write + Seek>(mut self, data: &mut Data<S>, time: Option<f32>) -> io::Result<()> {
        if let Some(time) = time {
            self.hide(time);
        }
        let material = data.tables.material(self.paint);
        let mesh = data.tables.mesh(self.primitive.clone(), material, 0);
        let mut node = json!({ "name": self.name, "mesh": mesh });
        let Pose { position, rotation } = self.first;
        if position != Vec3::ZERO {
            node["translation"] = json!(position.to_array());
        }
        if rotation != Quat::IDENTITY {
            node["rotation"] = json!(rotation.normalize().to_array());
        }
        let node = data.tables.node(node);
        if self.keys > 1 {
            let view = data.adopt(&self.times)?;
            let ends = Some((vec![self.first_time], vec![self.last.0]));
            let times = data.tables.accessor(view, FLOAT, self.keys, "SCALAR", ends);
            let view = data.adopt(&self.translations)?;
            let values = data.tables.accessor(view, FLOAT, self.keys, "VEC3", None);
            data.tables.animate(node, Path::Translation, [times, values], false);
            let view = data.adopt(&self.rotations)?;
            let values = data.tables.accessor(view, FLOAT, self.keys, "VEC4", None);
            data.tables.animate(node, Path::Rotation, [times, values], false);
        }
        self.presence.write(data, node)
    }
}

/// A stretch of time in which an object keeps its vertices and triangles, but not its shape.
pub(super) struct Segment {
    name: String,
    paint: Paint,
    presence: Presence,
    base: ShadedMesh,
    primitive: Value,
    times: Vec<f32>,
    /// Accessors of the places and normals of each frame, less those of the first.
    targets: Vec<[usize; 2]>,
}

impl Segment {
    pub(super) fn new<S: Read + Write + Seek>(
        data: &mut Data<S>,
        object: &Object,
        mesh: &ShadedMesh,
        time: f32,
    ) -> io::Result<Self> {
        let mut base = mesh.clone();
        let unit = |normal: &mut Vec3| *normal = normal.normalize_or(Vec3::Y);
        base.normals.iter_mut().for_each(unit);
        Ok(Self {
            name: object.name.clone(),
            paint: object.paint,
            presence: Presence::since(time),
            primitive: data.primitive(&base)?,
            base,
            times: vec![time],
            targets: Vec::new(),
        })
    }

    /// Whether the object still has these vertices, triangles and colour.
    pub(super) fn fits(&self, mesh: &ShadedMesh, paint: Paint) -> bool {
        self.paint == paint
            && self.base.positions.len() == mesh.positions.len()
            && self.base.triangles == mesh.triangles
            && self.base.uvs == mesh.uvs
    }

    pub(super) fn targets(&self) -> usize {
        self.targets.len()
    }

    pub(super) fn go_on<S: Read + Write + Seek>(
        &mut self,
        data: &mut Data<S>,
        time: f32,
        mesh: &ShadedMesh,
    ) -> io::Result<()> {
        let places = mesh.positions.iter().zip(&self.base.positions);
        let places: Vec<Vec3> = places.map(|(here, base)| here - base).collect();
        let normals = mesh.normals.iter().zip(&self.base.normals);
        let normals: Vec<Vec3> = normals.map(|(here, base)| here.normalize_or(Vec3::Y) - base).collect();
        self.targets
            .push([data.vectors(&places, true)?, data.vectors(&normals, false)?]);
        self.times.push(time);
        Ok(())
    }

    pub(super) fn end<S: Read + Write + Seek>(mut self, data: &mut Data<S>, time: Option<f32>) -> io::Result<()> {
        if let Some(time) = time {
            self.presence.set(time, false);
        }
        let count = self.targets.len();
        if count > 0 {
            let targets = self.targets.iter();
            let targets: Vec<Value> = targets
                .map(|[places, normals]| json!({ "POSITION": places, "NORMAL": normals }))
                .collect();
            self.primitive["targets"] = targets.into();
        }
        let material = data.tables.material(self.paint);
        let mesh = data.tables.mesh(self.primitive, material, count);
        let node = data.tables.node(json!({ "name": self.name, "mesh": mesh }));
        if count > 0 {
            let times = data.times(&self.times)?;
            // At the first key no target counts, at the others that of the key.
            let keys = (0..=count).flat_map(|key| (1..=count).map(move |target| f32::from(u8::from(key == target))));
            let view = data.view(keys.flat_map(f32::to_le_bytes), None)?;
            let weights = data.tables.accessor(view, FLOAT, count * (count + 1), "SCALAR", None);
            data.tables.animate(node, Path::Weights, [times, weights], false);
        }
        self.presence.write(data, node)
    }
}
