//! A chart as pixels: round pens, smoothed over the pixels that they cover in part.

use motes_render::Image;

use super::chart::{Anchor, Canvas, Line};
use super::font;

/// Pixels per unit of the chart: twice as many, for screens that are as fine.
const SCALE: f64 = 2.0;

/// A picture in the making.
pub(super) struct Raster {
    image: Image,
    /// How much of each pixel the pen has covered, of the line that is being drawn.
    covered: Vec<f32>,
}

impl Raster {
    pub(super) fn new(size: [f64; 2]) -> Self {
        let [width, height] = size.map(|length| (SCALE * length).round() as u32);
        let image = Image::filled(width, height, [255; 4]);
        Self {
            covered: vec![0.0; image.pixels.len()],
            image,
        }
    }

    pub(super) fn finish(self) -> Image {
        self.image
    }

    /// Lines of one colour, each of which covers a pixel once however often it comes by.
    fn draw<'a>(&mut self, strokes: impl Iterator<Item = &'a [[f64; 2]]>, color: [u8; 3], width: f64) {
        let pen = 0.5 * SCALE * width;
        // Rows and columns that were touched.
        let mut bounds = [usize::MAX, usize::MAX, 0, 0];
        for stroke in strokes {
            let points: Vec<[f64; 2]> = stroke.iter().map(|point| point.map(|value| SCALE * value)).collect();
            match points[..] {
                [only] => self.cover(only, only, pen, &mut bounds),
                _ => points
                    .windows(2)
                    .for_each(|ends| self.cover(ends[0], ends[1], pen, &mut bounds)),
            }
        }
        let [left, top, right, bottom] = bounds;
        for row in top..bottom {
            for place in row * self.image.width as usize + left..row * self.image.width as usize + right {
                let share = std::mem::take(&mut self.covered[place]);
                let pixel = &mut self.image.pixels[place];
                for (value, ink) in pixel.iter_mut().zip(color) {
                    *value = (f32::from(*value) + share * (f32::from(ink) - f32::from(*value))).round() as u8;
                }
            }
        }
    }

    /// Covers what a round pen passes over on its way between two points.
    fn cover(&mut self, from: [f64; 2], to: [f64; 2], pen: f64, bounds: &mut [usize; 4]) {
        let size = [self.image.width as usize, self.image.height as usize];
        let reach = pen + 1.0;
        let range = |axis: usize| {
            let (low, high) = (from[axis].min(to[axis]) - reach, from[axis].max(to[axis]) + reach);
            (low.max(0.0) as usize)..(high.ceil().max(0.0) as usize).min(size[axis])
        };
        let (columns, rows) = (range(0), range(1));
        let way = [to[0] - from[0], to[1] - from[1]];
        let length = way[0] * way[0] + way[1] * way[1];
        for row in rows.clone() {
            for column in columns.clone() {
                let beside = [column as f64 + 0.5 - from[0], row as f64 + 0.5 - from[1]];
                let along = (beside[0] * way[0] + beside[1] * way[1]) / length.max(1e-12);
                let along = along.clamp(0.0, 1.0);
                let distance = (beside[0] - along * way[0]).hypot(beside[1] - along * way[1]);
                let share = (pen + 0.5 - distance).clamp(0.0, 1.0) as f32;
                let covered = &mut self.covered[row * size[0] + column];
                *covered = covered.max(share);
            }
        }
        if !columns.is_empty() && !rows.is_empty() {
            *bounds = [
                bounds[0].min(columns.start),
                bounds[1].min(rows.start),
                bounds[2].max(columns.end),
                bounds[3].max(rows.end),
            ];
        }
    }
}

impl Canvas for Raster {
    fn line(&mut self, points: &[[f64; 2]], line: &Line) {
        let pieces = line
            .dashes
            .map_or_else(|| vec![points.to_vec()], |dashes| dashed(points, dashes));
        self.draw(pieces.iter().map(Vec::as_slice), line.color, line.width);
    }

    fn text(&mut self, [x, y]: [f64; 2], anchor: Anchor, height: f64, color: [u8; 3], text: &str) {
        let width = font::width(text, height);
        let left = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - 0.5 * width,
            Anchor::End => x - width,
        };
        let strokes: Vec<font::Stroke> = { font::strokes(text, height).into_iter() }
            .map(|stroke| stroke.into_iter().map(|[across, up]| [left + across, y - up]).collect())
            .collect();
        self.draw(strokes.iter().map(Vec::as_slice), color, 0.13 * height);
    }
}

/// Pieces of a line, one after every gap.
fn dashed(points: &[[f64; 2]], [on, off]: [f64; 2]) -> Vec<Vec<[f64; 2]>> {
    let (mut pieces, mut piece, mut left, mut draws) = (Vec::new(), Vec::new(), on, true);
    for ends in points.windows(2) {
        let (mut at, to) = (ends[0], ends[1]);
        loop {
            if draws && piece.is_empty() {
                piece.push(at);
            }
            let distance = (to[0] - at[0]).hypot(to[1] - at[1]);
            if distance <= left {
                left -= distance;
                if draws {
                    piece.push(to);
                }
                break;
            }
            at = [0, 1].map(|axis| at[axis] + (to[axis] - at[axis]) * left / distance);
            if draws {
                piece.push(at);
                pieces.push(std::mem::take(&mut piece));
            }
            draws = !draws;
            left = if draws { on } else { off };
        }
    }
    pieces.push(piece);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_dark_where_the_pen_was_and_white_elsewhere() {
        let mut raster = Raster::new([20.0, 10.0]);
        let line = Line {
            color: [0, 0, 0],
            width: 2.0,
            dashes: None,
        };
        raster.line(&[[2.0, 5.0], [10.0, 5.0], [18.0, 5.0]], &line);
        let image = raster.finish();
        assert_eq!(image.pixel(20, 10), Some([0, 0, 0, 255]), "where two pieces meet");
        assert_eq!(image.pixel(20, 14), Some([255; 4]));
        assert_eq!(image.pixel(1, 10), Some([255; 4]));
    }

    #[test]
    fn what_lies_outside_is_left_out() {
        let mut raster = Raster::new([4.0, 4.0]);
        let line = Line {
            color: [0, 0, 0],
            width: 1.0,
            dashes: None,
        };
        raster.line(&[[-50.0, -9.0], [-40.0, 90.0]], &line);
        assert!(raster.finish().pixels.iter().all(|pixel| *pixel == [255; 4]));
    }

    #[test]
    fn dashes_go_on_around_corners() {
        let pieces = dashed(&[[0.0, 0.0], [3.0, 0.0], [3.0, 5.0]], [4.0, 2.0]);
        assert_eq!(
            pieces,
            [vec![[0.0, 0.0], [3.0, 0.0], [3.0, 1.0]], vec![[3.0, 3.0], [3.0, 5.0]],]
        );
    }
}
