//! The picture every renderer of this crate makes and every writer takes.

/// An opaque picture in sRGB, row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// `width * height` pixels: red, green, blue, alpha.
    pub pixels: Vec<[u8; 4]>,
}

impl Image {
    /// An image of one colour.
    pub fn filled(width: u32, height: u32, pixel: [u8; 4]) -> Self {
        Self {
            width,
            height,
            pixels: vec![pixel; width as usize * height as usize],
        }
    }

    /// The pixel in column `x` and row `y`, or nothing outside the image.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let inside = x < self.width && y < self.height;
        inside.then(|| self.pixels[y as usize * self.width as usize + x as usize])
    }
}
