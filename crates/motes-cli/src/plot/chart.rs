//! Lines over time: where everything goes, on whatever it is drawn.

use super::font;

const SIZE: [f64; 2] = [900.0, 500.0];
/// Space to the left, to the right and below the lines.
const LEFT: f64 = 84.0;
const RIGHT: f64 = 24.0;
const BOTTOM: f64 = 52.0;
/// Heights of capitals: of the title, and of everything else.
const TITLE: f64 = 12.0;
const LETTERS: f64 = 9.0;
/// Height of a row of the legend, and length of the sample of a line in it.
const LEGEND_ROW: f64 = 20.0;
const SAMPLE: f64 = 22.0;
const INK: [u8; 3] = [40, 40, 44];
const GRID: [u8; 3] = [224, 226, 230];
const FRAME: [u8; 3] = [150, 152, 158];
/// Colours that the colour-blind tell apart too (Okabe and Ito 2008).
const COLORS: [[u8; 3]; 6] = [
    [0x00, 0x72, 0xb2],
    [0xd5, 0x5e, 0x00],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
];
const DASHES: [f64; 2] = [7.0, 5.0];

/// Where a text begins, has its middle or ends.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a line looks.
pub(super) struct Line {
    pub(super) color: [u8; 3],
    pub(super) width: f64,
    /// Lengths of dashes and of gaps between them.
    pub(super) dashes: Option<[f64; 2]>,
}

/// What a chart is drawn on: x to the right, y down.
pub(super) trait Canvas {
    fn line(&mut self, points: &[[f64; 2]], line: &Line);
    /// A text on its base line, its capitals that high.
    fn text(&mut self, at: [f64; 2], anchor: Anchor, height: f64, color: [u8; 3], text: &str);
}

/// Lines over time.
pub(super) struct Chart {
    pub(super) title: String,
    /// Seconds.
    pub(super) times: Vec<f64>,
    /// Names and values.
    pub(super) lines: Vec<(String, Vec<f64>)>,
}

impl Chart {
    /// Width and height that it needs: every row of its legend makes it higher.
    pub(super) fn size(&self) -> [f64; 2] {
        [SIZE[0], SIZE[1] + LEGEND_ROW * self.legend().1 as f64]
    }

    pub(super) fn draw(&self, canvas: &mut impl Canvas) {
        let [width, height] = self.size();
        let (places, rows) = self.legend();
        let top = 64.0 + LEGEND_ROW * rows as f64;
        let (low, high) = (height - BOTTOM, width - RIGHT);
        let across = range(self.times.iter().copied());
        let up = roomy(range(self.lines.iter().flat_map(|(_, values)| values.iter().copied())));
        let x = |time: f64| LEFT + (high - LEFT) * (time - across[0]) / (across[1] - across[0]);
        let y = |value: f64| low - (low - top) * (value - up[0]) / (up[1] - up[0]);
        canvas.text([LEFT, 28.0], Anchor::Start, TITLE, INK, &self.title);
        let thin = |color: [u8; 3]| Line {
            color,
            width: 1.0,
            dashes: None,
        };
        for tick in ticks(across) {
            canvas.line(&[[x(tick), top], [x(tick), low]], &thin(GRID));
            canvas.text([x(tick), low + 20.0], Anchor::Middle, LETTERS, INK, &shortest(tick));
        }
        for tick in ticks(up) {
            canvas.line(&[[LEFT, y(tick)], [high, y(tick)]], &thin(GRID));
            let at = [LEFT - 9.0, y(tick) + 0.5 * LETTERS];
            canvas.text(at, Anchor::End, LETTERS, INK, &shortest(tick));
        }
        canvas.line(&[[LEFT, top], [LEFT, low], [high, low]], &thin(FRAME));
        canvas.text([high, height - 12.0], Anchor::End, LETTERS, INK, "time, s");
        if let Some(unit) = self.unit() {
            canvas.text([LEFT - 9.0, top - 12.0], Anchor::End, LETTERS, INK, unit);
        }
        for (number, (name, values)) in self.lines.iter().enumerate() {
            let line = Line {
                color: COLORS[number % COLORS.len()],
                width: 1.8,
                dashes: (number >= COLORS.len()).then_some(DASHES),
            };
            let points = self.times.iter().zip(values).map(|(time, value)| [x(*time), y(*value)]);
            for piece in pieces(points) {
                canvas.line(&piece, &line);
            }
            let [left, base] = places[number];
            let middle = base - 0.5 * LETTERS;
            canvas.line(&[[left, middle], [left + SAMPLE, middle]], &line);
            canvas.text([left + SAMPLE + 7.0, base], Anchor::Start, LETTERS, INK, name);
        }
    }

    /// Where the names of the lines go, as many in a row as fit, and how many rows that makes.
    fn legend(&self) -> (Vec<[f64; 2]>, usize) {
        let (mut places, mut left, mut row) = (Vec::new(), LEFT, 0);
        for (name, _) in &self.lines {
            // Fonts of others are wider than ours at times.
            let needs = SAMPLE + 7.0 + 1.12 * font::width(name, LETTERS);
            if left > LEFT && left + needs > SIZE[0] - RIGHT {
                (left, row) = (LEFT, row + 1);
            }
            places.push([left, 52.0 + LEGEND_ROW * row as f64]);
            left += needs + 22.0;
        }
        (places, row + usize::from(!self.lines.is_empty()))
    }

    /// The unit that all lines have, by the last words of their names.
    fn unit(&self) -> Option<&'static str> {
        let mut units = self.lines.iter().map(|(name, _)| unit(name));
        let first = units.next()??;
        units.all(|other| other == Some(first)).then_some(first)
    }
}

/// Unit of a column of a log.
fn unit(name: &str) -> Option<&'static str> {
    let name = name
        .strip_suffix(['x', 'y', 'z'])
        .and_then(|rest| rest.strip_suffix('.'))
        .unwrap_or(name);
    let quantity = name.rsplit('.').next().unwrap_or(name);
    Some(match quantity {
        "kinetic_energy" | "potential_energy" | "energy" => "J",
        "momentum" => "kg·m/s",
        "angular_momentum" => "kg·m²/s",
        "force" => "N",
        "torque" => "N·m",
        "center" => "m",
        "velocity" => "m/s",
        "angular_velocity" => "rad/s",
        _ => return None,
    })
}

/// From the least to the greatest number, never empty.
fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let finite = values.filter(|value| value.is_finite());
    let [low, high] = finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    });
    if low > high {
        [0.0, 1.0]
    } else if low == high {
        let around = (0.5 * low.abs()).max(0.5);
        [low - around, high + around]
    } else {
        [low, high]
    }
}

/// A range with a little room at either end, so that no line runs along the edge.
fn roomy([low, high]: [f64; 2]) -> [f64; 2] {
    let room = 0.03 * (high - low);
    [low - room, high + room]
}

/// Round numbers in a range, four to nine.
fn ticks([low, high]: [f64; 2]) -> Vec<f64> {
    let rough = (high - low) / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = steps.into_iter().find(|step| *step >= 0.7 * rough).unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|k| k as f64 * step).collect()
}

/// A number with as few digits as a tick needs.
fn shortest(value: f64) -> String {
    if value == 0.0 || (1e-3..1e6).contains(&value.abs()) {
        let text = format!("{value:.4}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.1e}")
    }
}

/// Lines through points; one begins again after what is none.
fn pieces(points: impl Iterator<Item = [f64; 2]>) -> Vec<Vec<[f64; 2]>> {
    let mut pieces = vec![Vec::new()];
    for point in points {
        match (point.iter().all(|value| value.is_finite()), pieces.last_mut()) {
            (true, Some(piece)) => piece.push(point),
            _ => pieces.push(Vec::new()),
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use super::super::raster::Raster;
    use super::super::svg::Svg;
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks([0.0, 1.0]), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(shortest(0.6000000000000001), "0.6");
        assert_eq!(shortest(-1.5e7), "-1.5e7");
    }

    #[test]
    fn a_line_begins_again_after_what_is_no_number() {
        let points = [[0.0, 1.0], [1.0, f64::NAN], [2.0, 3.0], [3.0, 4.0]];
        let expected = [vec![[0.0, 1.0]], vec![[2.0, 3.0], [3.0, 4.0]]];
        assert_eq!(pieces(points.into_iter()), expected);
    }

    #[test]
    fn lines_have_a_unit_if_they_share_it() {
        let chart = |names: &[&str]| Chart {
            title: String::new(),
            times: vec![0.0],
            lines: names.iter().map(|name| ((*name).to_owned(), vec![1.0])).collect(),
        };
        assert_eq!(chart(&["floor.force.x", "joint 0 of lamp.force.z"]).unit(), Some("N"));
        assert_eq!(chart(&["energy", "floor.force.x"]).unit(), None);
        assert_eq!(chart(&["particles"]).unit(), None);
    }

    #[test]
    fn a_chart_of_nothing_that_is_finite_is_still_a_picture() {
        let chart = Chart {
            title: "a < b".into(),
            times: vec![0.0],
            lines: vec![("energy".into(), vec![f64::NAN])],
        };
        let mut svg = Svg::new(chart.size());
        chart.draw(&mut svg);
        let svg = svg.finish();
        assert!(
            svg.contains("a &lt; b") && svg.ends_with("</svg>\n") && !svg.contains("NaN"),
            "{svg}"
        );
        let mut raster = Raster::new(chart.size());
        chart.draw(&mut raster);
        assert!(raster.finish().pixels.iter().any(|pixel| *pixel != [255; 4]));
    }

    #[test]
    fn names_that_do_not_fit_beside_each_other_go_below() {
        let chart = |count: usize| Chart {
            title: String::new(),
            times: vec![0.0, 1.0],
            lines: vec![("joint 3 of the wrecking ball.force.x".to_owned(), vec![0.0, 1.0]); count],
        };
        assert_eq!(chart(2).legend().1, 1);
        assert!(chart(6).legend().1 > 1 && chart(6).size()[1] > chart(2).size()[1]);
    }
}
