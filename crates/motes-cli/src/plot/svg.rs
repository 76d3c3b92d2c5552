//! A chart as SVG.

use std::fmt::Write;

use super::chart::{Anchor, Canvas, Line};

/// A drawing in the making.
pub(super) struct Svg {
    text: String,
}

impl Svg {
    pub(super) fn new([width, height]: [f64; 2]) -> Self {
        Self {
            text: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n\
                 <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
            ),
        }
    }

    pub(super) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

impl Canvas for Svg {
    fn line(&mut self, points: &[[f64; 2]], line: &Line) {
        let mut path = String::new();
        for (place, [x, y]) in points.iter().enumerate() {
            let _ = write!(path, "{}{x:.2} {y:.2}", if place == 0 { 'M' } else { 'L' });
        }
        let dashes = line
            .dashes
            .map_or_else(String::new, |[on, off]| format!(" stroke-dasharray=\"{on} {off}\""));
        let _ = writeln!(
            self.text,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dashes}/>",
            hex(line.color),
            line.width
        );
    }

    fn text(&mut self, [x, y]: [f64; 2], anchor: Anchor, height: f64, color: [u8; 3], text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        // Capitals are about seven tenths of a font's size.
        let _ = writeln!(
            self.text,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{:.1}\" fill=\"{}\">{}</text>",
            height / 0.7,
            hex(color),
            escaped(text)
        );
    }
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
