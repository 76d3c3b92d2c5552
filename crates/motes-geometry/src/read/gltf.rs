//! glTF 2.0, JSON or GLB: the triangles of the scene, each mesh under the transforms of its nodes, in the base colours of
//! their materials.

use glam::{Affine3A, Mat4, Quat, Vec2, Vec3};
use serde_json::Value;

use super::accessor::{Buffers, entry, unsupported};
use super::material::base_color;
use super::{Format, MAX_TRIANGLES, Neighbors, ReadError};
use crate::mesh::Mesh;

pub(super) fn parse(bytes: &[u8], neighbors: Neighbors) -> Result<Mesh, ReadError> {
    let (text, binary) = if bytes.starts_with(b"glTF") {
        chunks(bytes)?
    } else {
        (bytes, None)
    };
    let document: Value = serde_json::from_slice(text)
        .map_err(|error| ReadError::at_line(Format::Gltf, error.line(), format!("not JSON: {error}")))?;
    if let Some(version) = document["asset"]["version"].as_str()
        && !version.starts_with("2.")
    {
        return Err(unsupported("asset.version", &format!("version {version} of glTF")));
    }
    refuse_extensions(&document)?;
    let mut scene = Scene {
        document: &document,
        buffers: Buffers::new(&document, binary, neighbors),
        mesh: Mesh::default(),
    };
    scene.gather()?;
    Ok(scene.mesh)
}

/// Extensions that change nothing about the shape of the meshes, or that are understood.
fn is_harmless(extension: &str) -> bool {
    let kinds = [
        "KHR_materials_",
        "KHR_texture_",
        "EXT_texture_",
        "MSFT_texture_",
        "KHR_lights_",
    ];
    extension == "KHR_mesh_quantization" || kinds.iter().any(|kind| extension.starts_with(kind))
}

/// Files say which extensions one must understand to read them rightly.
fn refuse_extensions(document: &Value) -> Result<(), ReadError> {
    let required = document["extensionsRequired"].as_array().into_iter().flatten();
    let unknown: Vec<&str> = required
        .filter_map(Value::as_str)
        .filter(|name| !is_harmless(name))
        .collect();
    match unknown[..] {
        [] => Ok(()),
        [name] => Err(unsupported("extensionsRequired", name)),
        _ => Err(unsupported(
            "extensionsRequired",
            &format!("each of {}", unknown.join(", ")),
        )),
    }
}

/// The JSON chunk and the binary chunk of a GLB file.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), ReadError> {
    let error = |byte: usize, problem: String| ReadError::at_byte(Format::Gltf, byte, problem);
    let word = |place: usize| {
        let four = bytes.get(place..place + 4).and_then(|four| four.try_into().ok());
        four.map(u32::from_le_bytes)
            .ok_or_else(|| error(bytes.len(), "the file ends within a header".into()))
    };
    if word(4)? != 2 {
        return Err(error(4, format!("version {} of GLB is not supported", word(4)?)));
    }
    let (mut json, mut binary) = (None, None);
    let mut place = 12;
    while place < bytes.len() && (json.is_none() || binary.is_none()) {
        let (length, kind) = (word(place)? as usize, word(place + 4)?);
        let start = place + 8;
        let chunk = start
            .checked_add(length)
            .and_then(|end| bytes.get(start..end))
            .ok_or_else(|| {
                error(
                    place,
                    format!("a chunk of {length} bytes reaches past the end of the file"),
                )
            })?;
        match kind {
            0x4E4F_534A => json = json.or(Some(chunk)),
            0x004E_4942 => binary = binary.or(Some(chunk)),
            _ => {}
        }
        place = start + length;
    }
    Ok((json.ok_or_else(|| error(12, "there is no JSON chunk".into()))?, binary))
}

struct Scene<'a> {
    document: &'a Value,
    buffers: Buffers<'a>,
    mesh: Mesh,
}

impl Scene<'_> {
    fn gather(&mut self) -> Result<(), ReadError> {
        let nodes = self.document["nodes"].as_array().map_or(0, Vec::len);
        if nodes == 0 {
            let meshes = self.document["meshes"].as_array().map_or(0, Vec::len);
            return (0..meshes as u64).try_for_each(|mesh| self.add_mesh(mesh, &Affine3A::IDENTITY));
        }
        let mut seen = vec![false; nodes];
        let mut open: Vec<(u64, Affine3A)> = self
            .roots(nodes)?
            .into_iter()
            .map(|root| (root, Affine3A::IDENTITY))
            .collect();
        open.reverse();
        while let Some((index, above)) = open.pop() {
            let node = entry(self.document, "nodes", index)?;
            if std::mem::replace(&mut seen[index as usize], true) {
                return Err(ReadError::at_part(
                    format!("nodes[{index}]"),
                    "the node has more than one parent",
                ));
            }
            let transform = above * local_transform(node);
            if let Some(mesh) = node["mesh"].as_u64() {
                self.add_mesh(mesh, &transform)?;
            }
            let children = node["children"].as_array().into_iter().flatten().rev();
            open.extend(children.filter_map(Value::as_u64).map(|child| (child, transform)));
        }
        Ok(())
    }

    /// The nodes of the default scene; without one, all nodes that are nobody's children.
    fn roots(&self, nodes: usize) -> Result<Vec<u64>, ReadError> {
        if let Some(scenes) = self.document["scenes"].as_array().filter(|scenes| !scenes.is_empty()) {
            let scene = self.document["scene"]
                .as_u64()
                .unwrap_or(0)
                .min(scenes.len() as u64 - 1);
            let roots = entry(self.document, "scenes", scene)?["nodes"]
                .as_array()
                .into_iter()
                .flatten();
            return Ok(roots.filter_map(Value::as_u64).collect());
        }
        let mut is_child = vec![false; nodes];
        let all = self.document["nodes"].as_array().into_iter().flatten();
        for child in all.flat_map(|node| node["children"].as_array().into_iter().flatten()) {
            if let Some(child) = child.as_u64().and_then(|child| is_child.get_mut(child as usize)) {
                *child = true;
            }
        }
        Ok((0..nodes as u64).filter(|&node| !is_child[node as usize]).collect())
    }

    fn add_mesh(&mut self, index: u64, transform: &Affine3A) -> Result<(), ReadError> {
        let primitives = entry(self.document, "meshes", index)?["primitives"].as_array();
        for (number, primitive) in primitives.into_iter().flatten().enumerate() {
            let part = format!("meshes[{index}].primitives[{number}]");
            if !primitive["extensions"]["KHR_draco_mesh_compression"].is_null() {
                return Err(unsupported(&part, "Draco compression"));
            }
            let mode = primitive["mode"].as_u64().unwrap_or(4);
            if !(4..=6).contains(&mode) {
                continue;
            }
            let positions = primitive["attributes"]["POSITION"]
                .as_u64()
                .ok_or_else(|| ReadError::at_part(&part, "there are no positions"))?;
            let numbers = self.buffers.numbers(positions, "VEC3", 3)?;
            let positions: Vec<Vec3> = numbers
                .chunks_exact(3)
                .map(|p| Vec3::new(p[0] as f32, p[1] as f32, p[2] as f32))
                .collect();
            let corners = match primitive["indices"].as_u64() {
                Some(indices) => self.indices(indices, positions.len(), &part)?,
                None => (0..positions.len() as u32).collect(),
            };
            let triangles = triangles(mode, &corners);
            if self.mesh.triangles.len() + triangles.len() > MAX_TRIANGLES {
                return Err(ReadError::at_part(
                    part,
                    format!("more than {MAX_TRIANGLES} triangles in all"),
                ));
            }
            let mut mesh = Mesh::new(positions, triangles);
            let textures = primitive["attributes"]["TEXCOORD_0"].as_u64();
            // The shape is there without them, so a fault in them does not spoil the mesh.
            if let Some(numbers) = textures.and_then(|textures| self.buffers.numbers(textures, "VEC2", 2).ok()) {
                // Counted from the top of the texture in these files, from its bottom in all others.
                let textures: Vec<Vec2> = numbers
                    .chunks_exact(2)
                    .map(|uv| Vec2::new(uv[0] as f32, 1.0 - uv[1] as f32))
                    .collect();
                let uv = |corner: u32| textures.get(corner as usize).copied().unwrap_or_default();
                mesh.uvs = mesh.triangles.iter().map(|corners| corners.map(uv)).collect();
            }
            let mut mesh = mesh.transformed(transform);
            if let Some(material) = primitive["material"].as_u64()
                && let Some(color) = base_color(self.document, material)?
            {
                mesh.colors = vec![color; mesh.triangles.len()];
            }
            self.mesh.append(&mesh);
        }
        Ok(())
    }

    fn indices(&mut self, accessor: u64, vertices: usize, part: &str) -> Result<Vec<u32>, ReadError> {
        let numbers = self.buffers.numbers(accessor, "SCALAR", 1)?;
        let index = |&number: &f64| {
            let index = number as u32;
            if f64::from(index) == number && (index as usize) < vertices {
                Ok(index)
            } else {
                Err(ReadError::at_part(
                    part,
                    format!("index {number} names no vertex; there are {vertices}"),
                ))
            }
        };
        numbers.iter().map(index).collect()
    }
}

/// Triangles of a list, a strip or a fan (modes 4, 5 and 6).
fn triangles(mode: u64, corners: &[u32]) -> Vec<[u32; 3]> {
    match mode {
        4 => corners
            .chunks_exact(3)
            .map(|three| [three[0], three[1], three[2]])
            .collect(),
        5 => {
            let turn = |(index, three): (usize, &[u32])| match index % 2 {
                0 => [three[0], three[1], three[2]],
                _ => [three[1], three[0], three[2]],
            };
            corners.windows(3).enumerate().map(turn).collect()
        }
        _ => {
            let pairs = corners.get(1..).unwrap_or(&[]).windows(2);
            pairs.map(|pair| [corners[0], pair[0], pair[1]]).collect()
        }
    }
}

fn local_transform(node: &Value) -> Affine3A {
    if let Some(matrix) = numbers::<16>(&node["matrix"]) {
        return Affine3A::from_mat4(Mat4::from_cols_array(&matrix));
    }
    let rotation = numbers::<4>(&node["rotation"]).map(Quat::from_array);
    Affine3A::from_scale_rotation_translation(
        numbers::<3>(&node["scale"]).map_or(Vec3::ONE, Vec3::from_array),
        rotation
            .filter(|turn| turn.length_squared() > 1e-6)
            .map_or(Quat::IDENTITY, Quat::normalize),
        numbers::<3>(&node["translation"]).map_or(Vec3::ZERO, Vec3::from_array),
    )
}

fn numbers<const N: usize>(value: &Value) -> Option<[f32; N]> {
    let list: Vec<f32> = value
        .as_array()?
        .iter()
        .filter_map(Value::as_f64)
        .map(|number| number as f32)
        .collect();
    list.try_into().ok()
}
