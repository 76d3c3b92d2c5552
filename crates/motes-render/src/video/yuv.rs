//! sRGB pictures as planes of luma and chroma (ITU-R BT.709-6, limited range; 4:2:0 with chroma in the left column of each
//! 2x2 block, as H.264 decoders assume).

use openh264::formats::YUVBuffer;
use rayon::prelude::*;

use crate::Image;

// Section 3 of BT.709, times 219/255 (luma) or 224/255 (chroma), times 2^16.
const LUMA: [i32; 3] = [11966, 40254, 4064];
const BLUE: [i32; 3] = [-6596, -22189, 28785];
const RED: [i32; 3] = [28785, -26145, -2640];

/// Width and height of the planes for an image: the next even numbers.
pub(super) fn even(size: (u32, u32)) -> (u32, u32) {
    (size.0.next_multiple_of(2), size.1.next_multiple_of(2))
}

/// The planes of an image; odd sizes are padded by repeating the last column and row.
pub(super) fn planes(image: &Image) -> YUVBuffer {
    let size = even((image.width, image.height));
    let (width, height) = (size.0 as usize, size.1 as usize);
    let mut planes = vec![0; width * height * 3 / 2];
    let (luma, chroma) = planes.split_at_mut(width * height);
    let (blue, red) = chroma.split_at_mut(width * height / 4);
    let source_width = image.width as usize;
    let last_row = image.height as usize - 1;

    luma.par_chunks_exact_mut(2 * width)
        .zip(blue.par_chunks_exact_mut(width / 2))
        .zip(red.par_chunks_exact_mut(width / 2))
        .enumerate()
        .for_each(|(pair, ((luma, blue), red))| {
            let row = |y: usize| &image.pixels[y.min(last_row) * source_width..][..source_width];
            let rows = [row(2 * pair), row(2 * pair + 1)];
            for (out, row) in luma.chunks_exact_mut(width).zip(rows) {
                luma_row(out, row);
            }
            chroma_row(blue, red, rows);
        });
    YUVBuffer::from_vec(planes, width, height)
}

fn luma_row(out: &mut [u8], row: &[[u8; 4]]) {
    for (out, pixel) in out.iter_mut().zip(row) {
        let rgb = [pixel[0], pixel[1], pixel[2]].map(i32::from);
        *out = scaled(LUMA, rgb, 16, 16);
    }
    if let [.., before, last] = out
        && row.len() % 2 == 1
    {
        *last = *before;
    }
}

fn chroma_row(blue: &mut [u8], red: &mut [u8], rows: [&[[u8; 4]]; 2]) {
    let last = rows[0].len() - 1;
    for (column, (blue, red)) in blue.iter_mut().zip(red).enumerate() {
        let middle = 2 * column;
        let left = middle.saturating_sub(1);
        let right = (middle + 1).min(last);
        let mut sum = [0; 3];
        for row in rows {
            for (channel, sum) in sum.iter_mut().enumerate() {
                *sum += i32::from(row[left][channel])
                    + 2 * i32::from(row[middle][channel])
                    + i32::from(row[right][channel]);
            }
        }
        // The eight weights of the sum are three more bits to shift away.
        *blue = scaled(BLUE, sum, 19, 128);
        *red = scaled(RED, sum, 19, 128);
    }
}

fn scaled(weights: [i32; 3], rgb: [i32; 3], shift: u32, offset: i32) -> u8 {
    let sum: i32 = weights.iter().zip(rgb).map(|(w, c)| w * c).sum();
    (((sum + (1 << (shift - 1))) >> shift) + offset) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use openh264::formats::YUVSource;

    fn first(pixel: [u8; 4]) -> [u8; 3] {
        let planes = planes(&Image::filled(4, 4, pixel));
        [planes.y()[0], planes.u()[0], planes.v()[0]]
    }

    #[test]
    fn primaries_have_the_values_of_the_standard() {
        assert_eq!(first([0, 0, 0, 255]), [16, 128, 128]);
        assert_eq!(first([255, 255, 255, 255]), [235, 128, 128]);
        assert_eq!(first([255, 0, 0, 255]), [63, 102, 240]);
        assert_eq!(first([0, 255, 0, 255]), [173, 42, 26]);
        assert_eq!(first([0, 0, 255, 255]), [32, 240, 118]);
    }

    #[test]
    fn odd_sizes_repeat_the_last_column_and_row() {
        let mut image = Image::filled(3, 3, [0, 0, 0, 255]);
        for i in 0..3 {
            image.pixels[3 * i + 2] = [255; 4];
            image.pixels[6 + i] = [255; 4];
        }
        let planes = planes(&image);
        assert_eq!(planes.dimensions(), (4, 4));
        assert_eq!(planes.y()[..4], [16, 16, 235, 235]);
        assert_eq!(planes.y()[12..], [235; 4]);
        assert!(planes.u().iter().chain(planes.v()).all(|&c| c == 128));
    }
}
