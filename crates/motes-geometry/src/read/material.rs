//! Colours of the materials of a glTF file.

use serde_json::Value;

use super::ReadError;
use super::accessor::entry;

/// The base colour of a material, sRGB. None if a texture has it: that is not read.
pub(super) fn base_color(document: &Value, index: u64) -> Result<Option<[u8; 3]>, ReadError> {
    let material = &entry(document, "materials", index)?["pbrMetallicRoughness"];
    if !material["baseColorTexture"].is_null() {
        return Ok(None);
    }
    let factor = &material["baseColorFactor"];
    if factor.is_null() {
        return Ok(Some([255; 3]));
    }
    let shares: Option<Vec<f64>> = factor
        .as_array()
        .filter(|shares| shares.len() == 4)
        .and_then(|shares| shares.iter().map(Value::as_f64).collect());
    match shares.as_deref() {
        Some(&[red, green, blue, _]) => Ok(Some([red, green, blue].map(encoded))),
        _ => Err(ReadError::at_part(
            format!("materials[{index}].pbrMetallicRoughness.baseColorFactor"),
            format!("expected four numbers, found {factor}"),
        )),
    }
}

/// A share of light as a byte of sRGB (IEC 61966-2-1).
fn encoded(share: f64) -> u8 {
    let share = share.clamp(0.0, 1.0);
    let value = if share <= 0.003_130_8 {
        12.92 * share
    } else {
        1.055 * share.powf(1.0 / 2.4) - 0.055
    };
    (255.0 * value).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_is_encoded_as_the_standard_says() {
        assert_eq!([0.0, 0.002, 0.215_861, 1.0, 7.0].map(encoded), [0, 7, 128, 255, 255]);
    }
}
