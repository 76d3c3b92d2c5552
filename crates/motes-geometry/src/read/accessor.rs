//! Buffers of a glTF file, and the numbers in them.

use serde_json::Value;

use super::component::Component;
use super::{Format, Neighbors, Place, ReadError, base64};

/// Most entries of an accessor that begin as zeros.
const MAX_ZEROS: usize = 1 << 22;

/// How numbers lie in a buffer.
#[derive(Clone, Copy)]
struct Layout {
    count: usize,
    /// Numbers per entry.
    width: usize,
    component: Component,
    /// Whether integers stand for fractions of the largest one.
    normalized: bool,
}

/// Reads numbers out of buffers that are loaded when they are first needed.
pub(super) struct Buffers<'a> {
    document: &'a Value,
    binary: Option<&'a [u8]>,
    neighbors: Neighbors<'a>,
    loaded: Vec<Option<Vec<u8>>>,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(document: &'a Value, binary: Option<&'a [u8]>, neighbors: Neighbors<'a>) -> Self {
        let count = document["buffers"].as_array().map_or(0, Vec::len);
        Self {
            document,
            binary,
            neighbors,
            loaded: vec![None; count],
        }
    }

    /// All numbers of an accessor, `width` per entry.
    pub(super) fn numbers(&mut self, index: u64, kind: &str, width: usize) -> Result<Vec<f64>, ReadError> {
        let part = format!("accessors[{index}]");
        let error = |problem: String| ReadError::at_part(&part, problem);
        let accessor = entry(self.document, "accessors", index)?;
        if accessor["type"].as_str() != Some(kind) {
            return Err(error(format!("expected type {kind}, found {}", accessor["type"])));
        }
        let count = size(accessor, "count").ok_or_else(|| error("count is missing".into()))?;
        let layout = Layout {
            count,
            width,
            component: component(&part, accessor)?,
            normalized: accessor["normalized"].as_bool().unwrap_or(false),
        };
        let sparse = &accessor["sparse"];
        let mut numbers = if !sparse.is_null() && accessor["bufferView"].is_null() {
            // No bytes of the file stand behind these zeros, so their number needs a limit of its own.
            if count > MAX_ZEROS {
                return Err(error(format!(
                    "count is {count}; without a bufferView at most {MAX_ZEROS} are possible"
                )));
            }
            vec![0.0; count * width]
        } else {
            self.block(&part, accessor, layout)?
        };
        if !sparse.is_null() {
            self.replace(&format!("{part}.sparse"), sparse, layout, &mut numbers)?;
        }
        Ok(numbers)
    }

    /// Puts the entries that a sparse accessor lists in the place of those that are there.
    fn replace(&mut self, part: &str, sparse: &Value, layout: Layout, numbers: &mut [f64]) -> Result<(), ReadError> {
        let count = size(sparse, "count").ok_or_else(|| ReadError::at_part(part, "count is missing"))?;
        let indices_part = format!("{part}.indices");
        let indices = Layout {
            count,
            width: 1,
            component: component(&indices_part, &sparse["indices"])?,
            normalized: false,
        };
        let indices = self.block(&indices_part, &sparse["indices"], indices)?;
        let values = self.block(&format!("{part}.values"), &sparse["values"], Layout { count, ..layout })?;
        for (&index, value) in indices.iter().zip(values.chunks_exact(layout.width)) {
            let row = index as usize;
            if row as f64 != index || row >= layout.count {
                let problem = format!("index {index} names no entry; there are {}", layout.count);
                return Err(ReadError::at_part(indices_part, problem));
            }
            numbers[row * layout.width..][..layout.width].copy_from_slice(value);
        }
        Ok(())
    }

    /// The numbers where the `bufferView` and `byteOffset` of an object say.
    fn block(&mut self, part: &str, object: &Value, layout: Layout) -> Result<Vec<f64>, ReadError> {
        let error = |problem: String| ReadError::at_part(part, problem);
        let Layout { count, component, .. } = layout;
        let view_index = object["bufferView"]
            .as_u64()
            .ok_or_else(|| error("bufferView is missing".into()))?;
        let view = entry(self.document, "bufferViews", view_index)?;
        if !view["extensions"]["EXT_meshopt_compression"].is_null() {
            return Err(unsupported(
                &format!("bufferViews[{view_index}]"),
                "meshopt compression",
            ));
        }
        let entry_size = layout.width * component.size();
        let stride = match size(view, "byteStride") {
            None | Some(0) => entry_size,
            Some(stride) => stride,
        };
        let (start, length) = (size_or_zero(view, "byteOffset"), size_or_zero(view, "byteLength"));
        let offset = size_or_zero(object, "byteOffset");
        let buffer = self.buffer(view["buffer"].as_u64().unwrap_or(0))?;
        let last = count.checked_sub(1).map_or(Some(0), |steps| {
            steps.checked_mul(stride)?.checked_add(offset)?.checked_add(entry_size)
        });
        let bytes = start
            .checked_add(length)
            .and_then(|end| buffer.get(start..end))
            .ok_or_else(|| error(format!("bufferViews[{view_index}] reaches past the end of its buffer")))?;
        if last.is_none_or(|end| end > bytes.len()) {
            return Err(error(format!(
                "{count} entries reach past the end of bufferViews[{view_index}]"
            )));
        }
        let mut numbers = Vec::with_capacity(count * layout.width);
        for row in 0..count {
            for column in 0..layout.width {
                let place = offset + row * stride + column * component.size();
                numbers.push(component.decode(&bytes[place..place + component.size()], layout.normalized));
            }
        }
        Ok(numbers)
    }

    fn buffer(&mut self, index: u64) -> Result<&[u8], ReadError> {
        let part = format!("buffers[{index}]");
        let buffer = entry(self.document, "buffers", index)?;
        let slot = index as usize;
        if buffer["uri"].is_null() {
            return match (self.binary, index) {
                (Some(binary), 0) => Ok(binary),
                _ => Err(ReadError::at_part(part, "the buffer has no uri and no binary chunk")),
            };
        }
        if self.loaded[slot].is_none() {
            self.loaded[slot] = Some(self.load(&part, buffer["uri"].as_str().unwrap_or(""))?);
        }
        Ok(self.loaded[slot].as_deref().unwrap_or(&[]))
    }

    fn load(&self, part: &str, uri: &str) -> Result<Vec<u8>, ReadError> {
        if let Some(data) = uri.strip_prefix("data:") {
            let encoded = data.split_once(";base64,").map(|(_, encoded)| encoded);
            return encoded
                .and_then(base64::decode)
                .ok_or_else(|| ReadError::at_part(part, "the data URI is not base64"));
        }
        let name = percent_decoded(uri);
        (self.neighbors)(&name).map_err(|cause| ReadError::File {
            path: name.into(),
            cause,
        })
    }
}

/// An entry of one of the document's lists.
pub(super) fn entry<'a>(document: &'a Value, list: &str, index: u64) -> Result<&'a Value, ReadError> {
    document[list]
        .as_array()
        .and_then(|entries| entries.get(usize::try_from(index).ok()?))
        .ok_or_else(|| ReadError::at_part(format!("{list}[{index}]"), "there is no such entry"))
}

pub(super) fn unsupported(part: &str, feature: &str) -> ReadError {
    ReadError::Unsupported {
        format: Format::Gltf,
        place: Place::Part(part.into()),
        feature: feature.into(),
    }
}

fn component(part: &str, object: &Value) -> Result<Component, ReadError> {
    let kind = &object["componentType"];
    Component::of(kind).ok_or_else(|| ReadError::at_part(part, format!("unknown componentType {kind}")))
}

fn size(value: &Value, key: &str) -> Option<usize> {
    value[key].as_u64().and_then(|size| usize::try_from(size).ok())
}

fn size_or_zero(value: &Value, key: &str) -> usize {
    size(value, key).unwrap_or(0)
}

fn percent_decoded(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let mut decoded = Vec::new();
    let mut place = 0;
    while place < bytes.len() {
        let digits = bytes
            .get(place + 1..place + 3)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if bytes[place] == b'%' => {
                decoded.push(byte);
                place += 3;
            }
            _ => {
                decoded.push(bytes[place]);
                place += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
