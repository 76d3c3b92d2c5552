//! Mesh files and models of a scene: read, repaired and rigged once, however often the scene is checked, framed and built.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use motes_geometry::{Mesh, ReadError, Repairs, repair};

use crate::rig_file::RigModel;

/// A mesh after all safe repairs, and what they were.
pub(crate) type Repaired = (Mesh, Repairs);

/// A file, whether z points up in it, and the bits of its scale.
type Key = (PathBuf, bool, u32);

/// What was read, shared by all clones of a scene.
#[derive(Clone, Default)]
pub(crate) struct MeshFiles(Arc<Mutex<BTreeMap<Key, Arc<Repaired>>>>);

impl MeshFiles {
    /// The mesh of a file, read if it has not been.
    pub(crate) fn get(
        &self,
        key: Key,
        read: impl FnOnce() -> Result<Mesh, ReadError>,
    ) -> Result<Arc<Repaired>, ReadError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mesh) = known.get(&key) {
            return Ok(Arc::clone(mesh));
        }
        let mesh = Arc::new(repair(&read()?));
        known.insert(key, Arc::clone(&mesh));
        Ok(mesh)
    }
}

/// Most models that are kept.
const KEPT: usize = 64;

/// Models of creatures by what they were made of, shared by all clones of a scene.
#[derive(Clone, Default)]
pub(crate) struct Rigs(Arc<Mutex<BTreeMap<String, Arc<RigModel>>>>);

impl Rigs {
    /// The model of a key, made if it has not been.
    pub(crate) fn get<E>(&self, key: String, make: impl FnOnce() -> Result<RigModel, E>) -> Result<Arc<RigModel>, E> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = known.get(&key) {
            return Ok(Arc::clone(model));
        }
        let model = Arc::new(make()?);
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert(key, Arc::clone(&model));
        Ok(model)
    }
}
