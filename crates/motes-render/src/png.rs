//! PNG files, written whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use ::png::{BitDepth, ColorType, Compression, Encoder, SrgbRenderingIntent};

use crate::unfinished::Unfinished;
use crate::{Image, RenderError};

/// Writes an image to a PNG file, sRGB without alpha.
///
/// The file appears under its name only when it is whole.
pub fn write_png(path: &Path, image: &Image) -> Result<(), RenderError> {
    check_pixel_count(path, image)?;
    let (unfinished, file) = Unfinished::create(path)?;
    encode(file, image).map_err(|cause| unfinished.error(cause))?;
    unfinished.keep()
}

fn encode(file: File, image: &Image) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    let mut encoder = Encoder::new(&mut out, image.width, image.height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    let rgb: Vec<[u8; 3]> = image.pixels.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(rgb.as_flattened())?;
    writer.finish()?;
    out.flush()
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
