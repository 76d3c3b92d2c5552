//! A run as binary glTF 2.0 (`.glb`): one file, with animation.
//!
//! What moves as a whole is a node with an animated translation and rotation. What changes its shape is a mesh with a morph target
//! for every frame, whose weights go from one to the next. Weights are a square of frames times targets in glTF, which a long
//! run could not afford, so that a mesh has at most [`TARGETS`] of them: then the next node takes over, with the frame at which it
//! does as its base. A mesh whose vertices or triangles change, as by tearing, is taken over by a node at that frame as well.
//! A mesh that hangs on joints is one with a skin, and its joints are animated. Nodes that are not there are scaled to nothing, which is how glTF has objects come and go.
//!
//! Data goes to a store as it comes; what a run holds in memory are the ends of tracks and a few numbers per frame.

mod parts;
mod skinned;
mod tables;

use std::collections::HashMap;
use std::io::{self, Read, Seek, Write};
use std::sync::Arc;

use glam::Vec3;
use motes_geometry::ShadedMesh;
use serde_json::{Value, json};

use super::snapshot::{Geometry, Object, Snapshot, Timeline};
use super::spool::{Spool, Thread};
use parts::{Part, Rigid, Segment};
use skinned::{MOST_JOINTS, Skinned};
use tables::Tables;

/// Morph targets of a mesh at most. Programs keep them in layers of textures, of which 256 are safe.
const TARGETS: usize = 240;

/// Data a file may have, bytes: its length is 32 bits, and its tables need room too.
const ROOM: u64 = 3 << 30;

/// The bytes "glTF".
const MAGIC: u32 = 0x4654_6c67;
const JSON: u32 = 0x4e4f_534a;
const BINARY: u32 = 0x004e_4942;

/// Writes a run as binary glTF, frame by frame.
pub struct GlbWriter<S> {
    timeline: Timeline,
    data: Data<S>,
    /// Objects by name, in the order in which they came.
    objects: Vec<(String, Option<Part>)>,
    numbers: HashMap<String, usize>,
    /// Meshes that are written, and their primitives; kept, so that an address is no other mesh's.
    meshes: HashMap<usize, (Arc<ShadedMesh>, Value)>,
    first_frame: Option<u64>,
    last_time: Option<f32>,
    is_full: bool,
}

/// Where vertices, indices and keys go.
struct Data<S> {
    spool: Spool<S>,
    bulk: Thread,
    tables: Tables,
}

impl<S: Read + Write + Seek> GlbWriter<S> {
    /// Begins a file; `store` is an empty place for data until the file is finished.
    pub fn new(timeline: Timeline, store: S) -> Self {
        Self {
            timeline,
            data: Data {
                spool: Spool::new(store),
                bulk: Thread::default(),
                tables: Tables::default(),
            },
            objects: Vec::new(),
            numbers: HashMap::new(),
            meshes: HashMap::new(),
            first_frame: None,
            last_time: None,
            is_full: false,
        }
    }

    /// Adds a frame, unless the file is full or the frame is not later than the last one; returns whether it was added. The first one is at
    /// 0 s.
    pub fn frame(&mut self, snapshot: &Snapshot) -> io::Result<bool> {
        let first = *self.first_frame.get_or_insert(snapshot.frame);
        let frames = snapshot.frame.saturating_sub(first);
        let time = (frames as f64 / self.timeline.frames_per_second) as f32;
        let is_later = self.last_time.is_none_or(|last| time > last);
        let tracks: u64 = self
            .objects
            .iter()
            .map(|(_, part)| part.as_ref().map_or(0, Part::len))
            .sum();
        self.is_full |= self.data.bulk.len() + tracks > ROOM;
        if self.is_full || !is_later {
            return Ok(false);
        }
        self.last_time = Some(time);
        let mut is_there = vec![false; self.objects.len()];
        for object in snapshot.objects.iter().filter(|object| object.geometry.is_sound()) {
            let number = match self.numbers.get(&object.name) {
                Some(&number) => number,
                None => {
                    self.numbers.insert(object.name.clone(), self.objects.len());
                    self.objects.push((object.name.clone(), None));
                    is_there.push(false);
                    self.objects.len() - 1
                }
            };
            is_there[number] = true;
            self.object(number, object, time)?;
        }
        for (number, is_there) in is_there.into_iter().enumerate() {
            if !is_there {
                self.absent(number, time)?;
            }
        }
        Ok(true)
    }

    /// Whether no more frames are taken because a file of this kind cannot be longer.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    fn object(&mut self, number: usize, object: &Object, time: f32) -> io::Result<()> {
        let part = self.objects[number].1.take();
        let part = match (part, &object.geometry) {
            (Some(Part::Rigid(mut rigid)), Geometry::Rigid(mesh, pose)) if rigid.has(mesh, object.paint) => {
                rigid.go_on(&mut self.data, time, *pose)?;
                Part::Rigid(rigid)
            }
            (Some(Part::Skinned(mut skinned)), Geometry::Skinned(mesh, poses)) if skinned.has(mesh, object.paint) => {
                skinned.go_on(&mut self.data, time, poses)?;
                Part::Skinned(skinned)
            }
            (Some(Part::Segment(mut segment)), Geometry::Changing(mesh)) if segment.fits(mesh, object.paint) => {
                segment.go_on(&mut self.data, time, mesh)?;
                if segment.targets() < TARGETS {
                    Part::Segment(segment)
                } else {
                    segment.end(&mut self.data, Some(time))?;
                    self.begin(object, time)?
                }
            }
            (part, _) => {
                if let Some(part) = part {
                    part.end(&mut self.data, Some(time))?;
                }
                self.begin(object, time)?
            }
        };
        self.objects[number].1 = Some(part);
        Ok(())
    }

    fn begin(&mut self, object: &Object, time: f32) -> io::Result<Part> {
        Ok(match &object.geometry {
            Geometry::Rigid(mesh, pose) => {
                let address = Arc::as_ptr(mesh) as usize;
                let primitive = match self.meshes.get(&address) {
                    Some((_, primitive)) => primitive.clone(),
                    None => {
                        let primitive = self.data.primitive(mesh)?;
                        self.meshes.insert(address, (mesh.clone(), primitive.clone()));
                        primitive
                    }
                };
                Part::Rigid(Rigid::new(&mut self.data, object, mesh, primitive, time, *pose)?)
            }
            Geometry::Changing(mesh) => Part::Segment(Segment::new(&mut self.data, object, mesh, time)?),
            Geometry::Skinned(mesh, poses) if poses.len() <= MOST_JOINTS => {
                Part::Skinned(Skinned::new(&mut self.data, object, mesh, time, poses)?)
            }
            Geometry::Skinned(..) => {
                let mesh = object.geometry.placed();
                Part::Segment(Segment::new(&mut self.data, object, &mesh, time)?)
            }
        })
    }

    fn absent(&mut self, number: usize, time: f32) -> io::Result<()> {
        match self.objects[number].1.take() {
            Some(Part::Rigid(mut rigid)) => {
                rigid.hide(time);
                self.objects[number].1 = Some(Part::Rigid(rigid));
            }
            Some(Part::Skinned(mut skinned)) => {
                skinned.hide(time);
                self.objects[number].1 = Some(Part::Skinned(skinned));
            }
            Some(part) => part.end(&mut self.data, Some(time))?,
            None => {}
        }
        Ok(())
    }

    /// Writes the file.
    pub fn finish(mut self, mut out: impl Write) -> io::Result<()> {
        for (_, part) in self.objects.drain(..) {
            if let Some(part) = part {
                part.end(&mut self.data, None)?;
            }
        }
        let mut data = self.data;
        let tables = std::mem::take(&mut data.tables);
        let binary = data.bulk.len();
        let mut text = serde_json::to_vec(&tables.document(&self.timeline, binary))?;
        text.resize(text.len().next_multiple_of(4), b' ');
        let padding = binary.next_multiple_of(4) - binary;
        let chunk = if binary > 0 { 8 + binary + padding } else { 0 };
        let total = 12 + 8 + text.len() as u64 + chunk;
        let total = u32::try_from(total).map_err(|_| io::Error::other("a glb file holds at most 4 GiB"))?;
        for word in [MAGIC, 2, total, text.len() as u32, JSON] {
            out.write_all(&word.to_le_bytes())?;
        }
        out.write_all(&text)?;
        if binary > 0 {
            for word in [(binary + padding) as u32, BINARY] {
                out.write_all(&word.to_le_bytes())?;
            }
            data.spool.copy(&data.bulk, &mut out)?;
            out.write_all(&[0; 3][..padding as usize])?;
        }
        Ok(())
    }
}

impl<S: Read + Write + Seek> Data<S> {
    /// Writes vertices and triangles; returns the primitive without a material.
    fn primitive(&mut self, mesh: &ShadedMesh) -> io::Result<Value> {
        let normals: Vec<Vec3> = mesh.normals.iter().map(|normal| normal.normalize_or(Vec3::Y)).collect();
        let mut attributes = json!({
            "POSITION": self.vectors(&mesh.positions, true)?,
            "NORMAL": self.vectors(&normals, false)?,
        });
        if !mesh.uvs.is_empty() {
            // v points down in glTF.
            let uvs = mesh.uvs.iter().flat_map(|uv| [uv.x, 1.0 - uv.y]);
            let view = self.view(uvs.flat_map(f32::to_le_bytes), Some(VERTICES))?;
            attributes["TEXCOORD_0"] = self.tables.accessor(view, FLOAT, mesh.uvs.len(), "VEC2", None).into();
        }
        let corners = mesh.triangles.as_flattened();
        let view = self.view(corners.iter().flat_map(|corner| corner.to_le_bytes()), Some(INDICES))?;
        let indices = self.tables.accessor(view, UNSIGNED, corners.len(), "SCALAR", None);
        Ok(json!({ "attributes": attributes, "indices": indices }))
    }

    /// Writes a vector for each vertex; returns the accessor.
    fn vectors(&mut self, vectors: &[Vec3], has_bounds: bool) -> io::Result<usize> {
        let view = self.view(
            vectors.iter().flat_map(|v| v.to_array()).flat_map(f32::to_le_bytes),
            Some(VERTICES),
        )?;
        let bounds = has_bounds.then(|| {
            let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
            let (min, max) = vectors.iter().fold(start, |(min, max), v| (min.min(*v), max.max(*v)));
            (min.to_array().to_vec(), max.to_array().to_vec())
        });
        Ok(self.tables.accessor(view, FLOAT, vectors.len(), "VEC3", bounds))
    }

    /// Writes the times of keys, seconds; returns the accessor.
    fn times(&mut self, times: &[f32]) -> io::Result<usize> {
        let view = self.view(times.iter().flat_map(|time| time.to_le_bytes()), None)?;
        let ends = times
            .first()
            .zip(times.last())
            .map(|(first, last)| (vec![*first], vec![*last]));
        Ok(self.tables.accessor(view, FLOAT, times.len(), "SCALAR", ends))
    }

    /// Writes bytes, a multiple of four of them; returns the view.
    fn view(&mut self, bytes: impl Iterator<Item = u8>, target: Option<u32>) -> io::Result<usize> {
        let bytes: Vec<u8> = bytes.collect();
        let start = self.bulk.len();
        self.spool.push(&mut self.bulk, &bytes)?;
        Ok(self.tables.view(start, bytes.len() as u64, target))
    }

    /// Moves a thread of its own to the rest; returns the view.
    fn adopt(&mut self, thread: &Thread) -> io::Result<usize> {
        let mut bytes = Vec::with_capacity(thread.len() as usize);
        self.spool.copy(thread, &mut bytes)?;
        self.view(bytes.into_iter(), None)
    }
}

/// Kinds of numbers and of what views are for, as glTF numbers them.
const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;
