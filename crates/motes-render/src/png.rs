//! Images as PNG, into files that are whole or not there, or wherever bytes can be written.

use std::io::{self, Write};
use std::path::Path;

use ::png::{BitDepth, ColorType, Compression, Encoder, SrgbRenderingIntent};

use crate::unfinished::write_file_with;
use crate::{Image, RenderError};

/// Writes an image to a PNG file, sRGB without alpha.
///
/// The file appears under its name only when it is whole.
pub fn write_png(path: &Path, image: &Image) -> Result<(), RenderError> {
    check_pixel_count(path, image)?;
    write_file_with(path, |out| encode_png(out, image))
}

/// Writes an image as PNG, sRGB without alpha. One that is empty, or holds more or fewer pixels than its size says, is
/// refused.
pub fn encode_png(out: impl Write, image: &Image) -> io::Result<()> {
    let mut encoder = Encoder::new(out, image.width, image.height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    let rgb: Vec<[u8; 3]> = image.pixels.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(rgb.as_flattened())?;
    Ok(writer.finish()?)
}

pub(crate) fn check_pixel_count(path: &Path, image: &Image) -> Result<(), RenderError> {
    if image.pixels.len() as u64 == u64::from(image.width) * u64::from(image.height) {
        return Ok(());
    }
    Err(RenderError::PixelCount {
        path: path.to_owned(),
        width: image.width,
        height: image.height,
        found: image.pixels.len(),
    })
}
