//! The tables of a glTF document.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::super::snapshot::{Paint, Timeline};

/// Tables as they grow. Views and accessors, of which there are many, are kept small.
#[derive(Default)]
pub(super) struct Tables {
    views: Vec<(u64, u64, Option<u32>)>,
    accessors: Vec<Accessor>,
    materials: Vec<Value>,
    paints: HashMap<String, usize>,
    meshes: Vec<Value>,
    /// Meshes by primitive and material.
    known: HashMap<String, usize>,
    nodes: Vec<Value>,
    /// Numbers of nodes that hang on another than the root, in ascending order.
    hanging: Vec<usize>,
    skins: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

struct Accessor {
    view: usize,
    component: u32,
    count: usize,
    kind: &'static str,
    bounds: Option<(Vec<f32>, Vec<f32>)>,
}

/// What is animated of a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Path {
    Translation,
    Rotation,
    Scale,
    Weights,
}

impl Tables {
    pub(super) fn view(&mut self, start: u64, length: u64, target: Option<u32>) -> usize {
        self.views.push((start, length, target));
        self.views.len() - 1
    }

    pub(super) fn accessor(
        &mut self,
        view: usize,
        component: u32,
        count: usize,
        kind: &'static str,
        bounds: Option<(Vec<f32>, Vec<f32>)>,
    ) -> usize {
        self.accessors.push(Accessor {
            view,
            component,
            count,
            kind,
            bounds,
        });
        self.accessors.len() - 1
    }

    pub(super) fn material(&mut self, paint: Paint) -> usize {
        let name = paint.name();
        if let Some(&known) = self.paints.get(&name) {
            return known;
        }
        let [red, green, blue] = paint.linear();
        let opacity = paint.opacity.clamp(0.0, 1.0);
        let mut material = json!({
            "name": name,
            "pbrMetallicRoughness": {
                "baseColorFactor": [red, green, blue, opacity], "metallicFactor": 0.0, "roughnessFactor": 0.8,
            },
            "doubleSided": paint.two_sided,
        });
        if opacity < 1.0 {
            material["alphaMode"] = "BLEND".into();
        }
        self.materials.push(material);
        self.paints.insert(name, self.materials.len() - 1);
        self.materials.len() - 1
    }

    /// A mesh of one primitive; the same one for the same primitive.
    pub(super) fn mesh(&mut self, mut primitive: Value, material: usize, weights: usize) -> usize {
        primitive["material"] = material.into();
        let mut mesh = json!({ "primitives": [primitive] });
        if weights > 0 {
            mesh["weights"] = vec![0.0; weights].into();
            self.meshes.push(mesh);
            return self.meshes.len() - 1;
        }
        let text = mesh.to_string();
        let next = self.meshes.len();
        let number = *self.known.entry(text).or_insert(next);
        if number == next {
            self.meshes.push(mesh);
        }
        number
    }

    /// Adds a node; returns its number, which is one more than its place, as the root comes first.
    pub(super) fn node(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len()
    }

    /// Adds a node that is a child of another than the root; returns its number.
    pub(super) fn hanging(&mut self, node: Value) -> usize {
        let number = self.node(node);
        self.hanging.push(number);
        number
    }

    pub(super) fn skin(&mut self, skin: Value) -> usize {
        self.skins.push(skin);
        self.skins.len() - 1
    }

    /// Animates a node between keys, or from key to key in steps.
    pub(super) fn animate(&mut self, node: usize, path: Path, [times, values]: [usize; 2], steps: bool) {
        let path = match path {
            Path::Translation => "translation",
            Path::Rotation => "rotation",
            Path::Scale => "scale",
            Path::Weights => "weights",
        };
        let interpolation = if steps { "STEP" } else { "LINEAR" };
        self.samplers
            .push(json!({ "input": times, "output": values, "interpolation": interpolation }));
        let sampler = self.samplers.len() - 1;
        self.channels
            .push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }

    /// The whole document; `length` is that of the data, bytes. Tables without entries are not allowed and left out.
    pub(super) fn document(self, timeline: &Timeline, length: u64) -> Value {
        let mut root = json!({ "name": timeline.name });
        if !self.nodes.is_empty() {
            let own = (1..=self.nodes.len()).filter(|node| self.hanging.binary_search(node).is_err());
            root["children"] = own.collect::<Vec<_>>().into();
        }
        if timeline.z_up {
            // y points up in glTF: a quarter turn about x.
            let half = std::f32::consts::FRAC_1_SQRT_2;
            root["rotation"] = json!([-half, 0.0, 0.0, half]);
        }
        let nodes: Vec<Value> = std::iter::once(root).chain(self.nodes).collect();
        let mut document = json!({
            "asset": { "version": "2.0", "generator": "motes" },
            "extras": { "frames_per_second": timeline.frames_per_second },
            "scene": 0,
            "scenes": [{ "name": timeline.name, "nodes": [0] }],
            "nodes": nodes,
        });
        let mut add = |name: &str, table: Vec<Value>| {
            if !table.is_empty() {
                document[name] = table.into();
            }
        };
        add("materials", self.materials);
        add("meshes", self.meshes);
        add("skins", self.skins);
        if length > 0 {
            add("buffers", vec![json!({ "byteLength": length })]);
        }
        let view = |(start, length, target): (u64, u64, Option<u32>)| {
            let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": length });
            if let Some(target) = target {
                view["target"] = target.into();
            }
            view
        };
        add("bufferViews", self.views.into_iter().map(view).collect());
        add("accessors", self.accessors.into_iter().map(Accessor::entry).collect());
        if !self.channels.is_empty() {
            let animation = json!({ "name": timeline.name, "samplers": self.samplers, "channels": self.channels });
            add("animations", vec![animation]);
        }
        document
    }
}

impl Accessor {
    fn entry(self) -> Value {
        let mut entry = json!({
            "bufferView": self.view, "componentType": self.component, "count": self.count, "type": self.kind,
        });
        if let Some((min, max)) = self.bounds {
            entry["min"] = min.into();
            entry["max"] = max.into();
        }
        entry
    }
}
