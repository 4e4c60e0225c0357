//! A picture in memory, and its colours in other terms.

/// What the samples of a pixel mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    Gray,
    Rgb,
    /// Brightness and two differences, as JPEG stores colours.
    Ycbcr,
    /// Ink: 0 is none. The files have it inverted, as Adobe's programs write them.
    Cmyk,
}

/// The most pixels of a picture: 1 GiB of CMYK. A header that says more is refused before anything is allocated.
pub(crate) const MOST_PIXELS: u64 = 1 << 28;

/// Pixels in rows from the top, each with the samples of its space.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) space: Space,
    pub(crate) data: Vec<u8>,
}

impl Space {
    /// Returns the number of samples of a pixel.
    pub(crate) const fn channels(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::Rgb | Self::Ycbcr => 3,
            Self::Cmyk => 4,
        }
    }

    /// Returns the TUPLTYPE of a PAM file.
    pub(crate) const fn tuple_type(self) -> &'static str {
        match self {
            Self::Gray => "GRAYSCALE",
            Self::Rgb => "RGB",
            Self::Ycbcr => "YCbCr",
            Self::Cmyk => "CMYK",
        }
    }
}

/// Returns the number of pixels of a picture that may be.
pub(crate) fn pixels(width: u32, height: u32) -> Result<usize, String> {
    let count = u64::from(width) * u64::from(height);
    match usize::try_from(count) {
        Ok(0) => Err(format!("a picture of {width} by {height} pixels has none")),
        Ok(pixels) if count <= MOST_PIXELS => Ok(pixels),
        _ => Err(format!("{width} by {height} pixels are more than the {MOST_PIXELS} that this program takes")),
    }
}

impl Picture {
    /// Returns the picture in another space.
    pub(crate) fn into_space(self, space: Space) -> Self {
        if self.space == space {
            return self;
        }
        let channels = self.space.channels();
        let mut data = Vec::with_capacity(self.data.len() / channels * space.channels());
        for pixel in self.data.chunks_exact(channels) {
            match (self.space, space, pixel) {
                (Space::Gray, Space::Ycbcr, &[gray]) => data.extend([gray, 128, 128]),
                (Space::Ycbcr, Space::Gray, &[y, ..]) => data.push(y),
                _ => {
                    let [r, g, b] = rgb(self.space, pixel);
                    let (y, cb, cr) = jpeg_encoder::rgb_to_ycbcr(r, g, b);
                    match space {
                        Space::Gray => data.push(y),
                        Space::Rgb => data.extend([r, g, b]),
                        Space::Ycbcr => data.extend([y, cb, cr]),
                        Space::Cmyk => data.extend([255 - r, 255 - g, 255 - b, 0]),
                    }
                }
            }
        }
        Self { space, data, ..self }
    }
}

fn rgb(space: Space, pixel: &[u8]) -> [u8; 3] {
    match (space, pixel) {
        (Space::Rgb, &[r, g, b]) => [r, g, b],
        (Space::Ycbcr, &[y, cb, cr]) => from_ycbcr(y, cb, cr),
        (Space::Cmyk, &[c, m, y, k]) => [c, m, y].map(|ink| (u32::from(255 - ink) * u32::from(255 - k) / 255) as u8),
        (_, &[gray, ..]) => [gray; 3],
        _ => [0; 3],
    }
}

/// Returns the matrix of JFIF, in 16 bits of fraction.
fn from_ycbcr(y: u8, cb: u8, cr: u8) -> [u8; 3] {
    let (y, cb, cr) = ((i32::from(y) << 16) + (1 << 15), i32::from(cb) - 128, i32::from(cr) - 128);
    [y + 91_881 * cr, y - 22_554 * cb - 46_802 * cr, y + 116_130 * cb].map(|sample| (sample >> 16).clamp(0, 255) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(from: Space, pixel: &[u8], to: Space) -> Vec<u8> {
        Picture { width: 1, height: 1, space: from, data: pixel.to_vec() }.into_space(to).data
    }

    #[test]
    fn colours_are_converted() {
        assert_eq!(one(Space::Gray, &[7], Space::Rgb), [7, 7, 7]);
        assert_eq!(one(Space::Gray, &[7], Space::Ycbcr), [7, 128, 128]);
        assert_eq!(one(Space::Rgb, &[255, 0, 0], Space::Ycbcr), [76, 85, 255]);
        assert_eq!(one(Space::Rgb, &[255, 0, 0], Space::Gray), [76]);
        assert_eq!(one(Space::Ycbcr, &[76, 85, 255], Space::Rgb), [254, 0, 0]);
        assert_eq!(one(Space::Ycbcr, &[76, 85, 255], Space::Gray), [76]);
        assert_eq!(one(Space::Cmyk, &[0, 255, 255, 0], Space::Rgb), [255, 0, 0]);
        assert_eq!(one(Space::Cmyk, &[0, 0, 0, 255], Space::Rgb), [0, 0, 0]);
        assert_eq!(one(Space::Rgb, &[1, 2, 3], Space::Rgb), [1, 2, 3]);
    }

    #[test]
    fn too_many_pixels_are_refused() {
        assert_eq!(pixels(16384, 16384), Ok(1 << 28));
        assert!(pixels(16384, 16385).is_err() && pixels(u32::MAX, u32::MAX).is_err() && pixels(0, 9).is_err());
    }
}
