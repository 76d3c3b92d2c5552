//! How much work goes into one picture.

/// Sample counts and resolutions of the preview. More of each is slower and smoother; none changes what is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quality {
    /// Samples along each side of a pixel; 2 means four samples per pixel.
    pub supersampling: u32,
    /// Shadow maps spread over the key light; their average is the penumbra.
    pub key_maps: u32,
    /// Texels along the longer side of a key shadow map.
    pub key_resolution: u32,
    /// Shadow maps spread over the sky; their average is the ambient occlusion.
    pub sky_maps: u32,
    /// Texels along the longer side of a sky shadow map.
    pub sky_resolution: u32,
    /// Distance between the places where the light on the ground is found, pixels; in between it is blended.
    pub ground_spacing: u32,
}

impl Quality {
    /// For a first look: one sample per pixel and few shadow maps.
    pub fn draft() -> Self {
        Self {
            supersampling: 1,
            key_maps: 4,
            key_resolution: 512,
            sky_maps: 8,
            sky_resolution: 128,
            ground_spacing: 8,
        }
    }

    /// For the frames of a video.
    pub fn video() -> Self {
        Self {
            supersampling: 2,
            key_maps: 8,
            key_resolution: 768,
            sky_maps: 16,
            sky_resolution: 192,
            ground_spacing: 4,
        }
    }

    /// For single pictures.
    pub fn still() -> Self {
        Self {
            supersampling: 4,
            key_maps: 32,
            key_resolution: 2048,
            sky_maps: 96,
            sky_resolution: 1024,
            ground_spacing: 2,
        }
    }
}

impl Default for Quality {
    /// [`Quality::video`].
    fn default() -> Self {
        Self::video()
    }
}
