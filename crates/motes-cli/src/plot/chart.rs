//! Lines over time, as SVG.

use std::fmt::Write;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 480.0;
/// Space to the left, above, to the right and below the lines.
const MARGINS: [f64; 4] = [80.0, 40.0, 20.0, 50.0];
/// Colours that the colour-blind tell apart too (Okabe and Ito 2008).
const COLORS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/// Lines over time.
pub(super) struct Chart {
    pub(super) title: String,
    /// Seconds.
    pub(super) times: Vec<f64>,
    /// Names and values.
    pub(super) lines: Vec<(String, Vec<f64>)>,
}

impl Chart {
    pub(super) fn to_svg(&self) -> String {
        let [left, top, right, bottom] = MARGINS;
        let across = range(self.times.iter().copied());
        let up = range(self.lines.iter().flat_map(|(_, values)| values.iter().copied()));
        let x = |time: f64| left + (WIDTH - left - right) * (time - across[0]) / (across[1] - across[0]);
        let y = |value: f64| HEIGHT - bottom - (HEIGHT - top - bottom) * (value - up[0]) / (up[1] - up[0]);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
             <text x=\"{left}\" y=\"22\" font-size=\"16\">{}</text>\n",
            escaped(&self.title)
        );
        let (low, high) = (HEIGHT - bottom, WIDTH - right);
        for tick in ticks(across) {
            let (x, label) = (x(tick), shortest(tick));
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {top}V{low}\" stroke=\"#ddd\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
                low + 18.0
            );
        }
        for tick in ticks(up) {
            let (y, label) = (y(tick), shortest(tick));
            let _ = writeln!(
                svg,
                "<path d=\"M{left} {y:.1}H{high}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                left - 8.0,
                y + 4.0
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{high}\" y=\"{:.1}\" text-anchor=\"end\">time, s</text>",
            HEIGHT - 10.0
        );
        for (number, (name, values)) in self.lines.iter().enumerate() {
            let color = COLORS[number % COLORS.len()];
            let dashes = if number < COLORS.len() {
                ""
            } else {
                " stroke-dasharray=\"6 4\""
            };
            let points = self.times.iter().zip(values).map(|(time, value)| (*time, *value));
            let path = path(points.map(|(time, value)| (x(time), y(value))));
            let _ = writeln!(
                svg,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"{dashes}/>"
            );
            let height = top + 16.0 * (number as f64 + 1.0);
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{height:.1}\" text-anchor=\"end\" fill=\"{color}\">{}</text>",
                high - 8.0,
                escaped(name)
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
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
        [low - 0.5, high + 0.5]
    } else {
        [low, high]
    }
}

/// Round numbers in a range, about six.
fn ticks([low, high]: [f64; 2]) -> Vec<f64> {
    let rough = (high - low) / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = steps.into_iter().find(|step| *step >= rough).unwrap_or(rough);
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

/// A line through points, which begins again after those that are none.
fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let (mut path, mut draws) = (String::new(), false);
    for (x, y) in points {
        let is_point = x.is_finite() && y.is_finite();
        if is_point {
            let _ = write!(path, "{}{x:.2} {y:.2}", if draws { 'L' } else { 'M' });
        }
        draws = is_point;
    }
    path
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks([0.0, 1.0]), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(shortest(0.6000000000000001), "0.6");
        assert_eq!(shortest(-1.5e7), "-1.5e7");
    }

    #[test]
    fn a_line_begins_again_after_what_is_no_number() {
        let points = [(0.0, 1.0), (1.0, f64::NAN), (2.0, 3.0), (3.0, 4.0)];
        assert_eq!(path(points.into_iter()), "M0.00 1.00M2.00 3.00L3.00 4.00");
    }

    #[test]
    fn a_chart_of_nothing_that_is_finite_is_still_a_picture() {
        let chart = Chart {
            title: "a < b".into(),
            times: vec![0.0],
            lines: vec![("energy".into(), vec![f64::NAN])],
        };
        let svg = chart.to_svg();
        assert!(
            svg.contains("a &lt; b") && svg.ends_with("</svg>\n") && !svg.contains("NaN"),
            "{svg}"
        );
    }
}
