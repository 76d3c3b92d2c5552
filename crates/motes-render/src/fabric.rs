//! How cloth looks: patterns by texture coordinates, so that stretch and shear can be seen.

use glam::{Vec2, Vec3A};

/// A pattern that repeats along both texture coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pattern {
    /// One colour.
    #[default]
    Plain,
    /// Bands along v, one of each colour in a repeat.
    Stripes,
    /// Squares like those of a chess board, two by two in a repeat.
    Checks,
    /// Threads of both colours that go over and under each other, two of each in a repeat.
    Weave,
    /// A round dot of the second colour in every repeat.
    Dots,
}

/// What cloth is made of, for the eye. The first colour is that of the instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fabric {
    /// The pattern of its front.
    pub pattern: Pattern,
    /// The second colour of the pattern, sRGB.
    pub second_color: [u8; 3],
    /// The colour of its back, sRGB, on which there is no pattern; nothing if both sides look alike.
    pub back_color: Option<[u8; 3]>,
    /// Length of one repeat of the pattern, in units of the texture coordinates.
    pub repeat: f32,
}

impl Default for Fabric {
    /// Plain, alike on both sides.
    fn default() -> Self {
        Self {
            pattern: Pattern::Plain,
            second_color: [235; 3],
            back_color: None,
            repeat: 1.0,
        }
    }
}

/// Radius of a dot, repeats.
const DOT: f32 = 0.28;

/// How dark the sides of a thread are.
const THREAD: f32 = 0.45;

impl Fabric {
    /// The colour, linear, of a pixel in whose middle the texture coordinates are `uv` and over which they change by `across`,
    /// each on its own, either way: the mean over the pixel, so that patterns too fine to see are plain.
    pub(crate) fn blend(&self, uv: Vec2, across: Vec2, first: Vec3A, second: Vec3A) -> Vec3A {
        let place = uv / self.repeat;
        let width = (across / self.repeat).max(Vec2::splat(1e-5));
        if !(place.is_finite() && width.is_finite()) {
            return first.lerp(second, if self.pattern == Pattern::Plain { 0.0 } else { 0.5 });
        }
        match self.pattern {
            Pattern::Plain => first,
            Pattern::Stripes => first.lerp(second, band(place.x, width.x)),
            Pattern::Checks => first.lerp(second, checks(place, width)),
            Pattern::Dots => first.lerp(second, dot(place, width)),
            Pattern::Weave => weave(place, width, first, second),
        }
    }
}

/// The share of a stretch of that width around a place that lies in the second halves of repeats.
fn band(place: f32, width: f32) -> f32 {
    let covered = |end: f32| 0.5 * end.floor() + (end - end.floor() - 0.5).max(0.0);
    ((covered(place + 0.5 * width) - covered(place - 0.5 * width)) / width).clamp(0.0, 1.0)
}

fn checks(place: Vec2, width: Vec2) -> f32 {
    let (a, b) = (band(place.x, width.x), band(place.y, width.y));
    a + b - 2.0 * a * b
}

fn dot(place: Vec2, width: Vec2) -> f32 {
    let width = width.max_element();
    let away = (place - place.floor() - 0.5).length();
    // A rim as wide as a pixel covers more outside than inside, which a smaller radius makes up for.
    let radius = (DOT * DOT - width * width / 12.0).max(0.0).sqrt();
    let share = ((radius - away) / width + 0.5).clamp(0.0, 1.0);
    let mean = std::f32::consts::PI * DOT * DOT;
    share + (mean - share) * fading(2.0 * width)
}

fn weave(place: Vec2, width: Vec2, first: Vec3A, second: Vec3A) -> Vec3A {
    let share = checks(place, width);
    // A thread is half a repeat wide: those along v are seen in the squares of the first colour, those along u in the others.
    let round = |place: f32| {
        let off = 4.0 * (place - place.floor());
        let off = off - 2.0 * (0.5 * off).floor() - 1.0;
        1.0 - THREAD * off * off
    };
    let mean = 1.0 - THREAD / 3.0;
    let shade = |place: f32, width: f32| {
        let shade = round(place);
        shade + (mean - shade) * fading(2.0 * width)
    };
    let (along_v, along_u) = (shade(place.x, width.x), shade(place.y, width.y));
    (first * along_v).lerp(second * along_u, share) / mean
}

/// 0 where a repeat is much wider than a pixel, 1 where several are in one.
fn fading(width: f32) -> f32 {
    let share = (width - 0.4).clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATTERNS: [Pattern; 5] = [
        Pattern::Plain,
        Pattern::Stripes,
        Pattern::Checks,
        Pattern::Weave,
        Pattern::Dots,
    ];

    fn share(pattern: Pattern, uv: Vec2, across: f32) -> f32 {
        let fabric = Fabric {
            pattern,
            repeat: 0.5,
            ..Fabric::default()
        };
        fabric.blend(uv, Vec2::splat(across), Vec3A::ZERO, Vec3A::ONE).x
    }

    #[test]
    fn patterns_lie_where_the_coordinates_say() {
        let at = |pattern, x, y| (100.0 * share(pattern, Vec2::new(x, y), 0.001)).round() / 100.0;
        assert_eq!([0.1, 0.4, 0.6].map(|x| at(Pattern::Stripes, x, 0.3)), [0.0, 1.0, 0.0]);
        assert_eq!(at(Pattern::Stripes, -0.1, 0.0), 1.0);
        let squares = [(0.1, 0.1), (0.4, 0.1), (0.4, 0.4), (0.1, 0.4)];
        assert_eq!(squares.map(|(x, y)| at(Pattern::Checks, x, y)), [0.0, 1.0, 0.0, 1.0]);
        assert_eq!(
            (at(Pattern::Dots, 0.25, 0.25), at(Pattern::Dots, 0.01, 0.01)),
            (1.0, 0.0)
        );
        assert_eq!(at(Pattern::Plain, 0.4, 0.1), 0.0);
        assert!(at(Pattern::Weave, 0.4, 0.1) > 0.5 && at(Pattern::Weave, 0.1, 0.1) < 0.1);
    }

    /// The mean over many places, each a pixel of that width.
    fn mean(pattern: Pattern, across: f32) -> f32 {
        let count = 200;
        let places = (0..count * count).map(|i| Vec2::new((i % count) as f32, (i / count) as f32) / count as f32);
        places.map(|uv| share(pattern, uv, across)).sum::<f32>() / (count * count) as f32
    }

    #[test]
    fn the_mean_does_not_depend_on_the_size_of_pixels() {
        for pattern in PATTERNS {
            let fine = mean(pattern, 0.002);
            for across in [0.05, 0.3, 0.7, 3.0] {
                assert!((mean(pattern, across) - fine).abs() < 0.02, "{pattern:?} at {across}");
            }
        }
    }

    #[test]
    fn what_is_too_fine_to_see_is_plain() {
        for pattern in PATTERNS {
            let seen: Vec<f32> = (0..50)
                .map(|i| share(pattern, Vec2::new(0.037, 0.011) * i as f32, 20.0))
                .collect();
            let (low, high) = seen.iter().fold((1.0_f32, 0.0_f32), |(low, high), &share| {
                (low.min(share), high.max(share))
            });
            assert!(high - low < 0.03, "{pattern:?}: {low} to {high}");
        }
    }

    #[test]
    fn coordinates_that_are_not_finite_give_a_color() {
        for pattern in PATTERNS {
            assert!(share(pattern, Vec2::NAN, 0.1).is_finite());
            assert!(share(pattern, Vec2::ONE, f32::INFINITY).is_finite());
        }
    }
}
