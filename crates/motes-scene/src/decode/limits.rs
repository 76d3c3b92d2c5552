//! The range a number of a scene file must lie in.

use serde_json::{Value as Json, json};

/// Which numbers a field accepts. Infinite numbers and NaN are refused unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    low: f64,
    high: f64,
    above_low: bool,
    infinite: bool,
    unit: &'static str,
}

/// Numbers without limits of their own, of either sign. Squared and multiplied with each other they do not overflow.
const LARGE: f64 = 1e6;

impl Default for Limits {
    fn default() -> Self {
        within(LARGE)
    }
}

/// `low` to `high`, both included.
pub(crate) fn between(low: f64, high: f64) -> Limits {
    Limits {
        low,
        high,
        above_low: false,
        infinite: false,
        unit: "",
    }
}

/// More than 0, and at most `high`.
pub(crate) fn positive(high: f64) -> Limits {
    Limits {
        above_low: true,
        ..between(0.0, high)
    }
}

/// Up to `size` on either side of 0.
pub(crate) fn within(size: f64) -> Limits {
    between(-size, size)
}

/// The sizes of things, metres: a micrometre to a thousand kilometres.
pub(crate) fn metres() -> Limits {
    between(1e-6, 1e6).of("m")
}

/// Places, metres: up to a thousand kilometres from the origin.
pub(crate) fn places() -> Limits {
    within(1e6).of("m")
}

/// Times, seconds: up to the longest run there can be.
pub(crate) fn seconds() -> Limits {
    between(0.0, 1e7).of("s")
}

/// Temperatures, °C, from absolute zero on.
pub(crate) fn celsius() -> Limits {
    between(-273.15, 1e6).of("°C")
}

/// Velocities along an axis, m/s.
pub(crate) fn velocities() -> Limits {
    within(1e5).of("m/s")
}

/// Speeds, m/s.
pub(crate) fn speeds() -> Limits {
    between(0.0, 1e5).of("m/s")
}

/// Accelerations along an axis, m/s².
pub(crate) fn accelerations() -> Limits {
    within(1e5).of("m/s²")
}

/// Angles, degrees: a hundred turns either way.
pub(crate) fn degrees() -> Limits {
    within(36_000.0).of("degrees")
}

impl Limits {
    /// Also accepts `inf`.
    pub(crate) fn or_infinite(self) -> Self {
        Self { infinite: true, ..self }
    }

    /// The same limits, excluding the lower.
    pub(crate) fn but_not_lowest(self) -> Self {
        Self {
            above_low: true,
            ..self
        }
    }

    /// The same limits with a unit, for messages.
    pub(crate) fn of(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// Whether the number is accepted.
    pub(crate) fn accept(&self, number: f64) -> bool {
        let high_enough = if self.above_low {
            number > self.low
        } else {
            number >= self.low
        };
        high_enough && (number <= self.high || (self.infinite && number == f64::INFINITY))
    }

    /// What is accepted, in words.
    pub(crate) fn describe(&self) -> String {
        let [low, high] = [self.low, self.high].map(short);
        let range = if self.above_low {
            format!("above {low} and at most {high}")
        } else {
            format!("between {low} and {high}")
        };
        let space = if self.unit.is_empty() { "" } else { " " };
        let infinite = if self.infinite { ", or inf" } else { "" };
        format!("a number {range}{space}{}{infinite}", self.unit)
    }

    /// Adds the limits to the schema of a number.
    pub(crate) fn restrict(&self, schema: &mut Json) {
        schema[if self.above_low { "exclusiveMinimum" } else { "minimum" }] = json!(self.low);
        // JSON has no infinity, so an open end is left open.
        if !self.infinite {
            schema["maximum"] = json!(self.high);
        }
    }
}

/// A number without long rows of zeros.
fn short(number: f64) -> String {
    if number != 0.0 && !(1e-4..1e5).contains(&number.abs()) {
        format!("{number:e}")
    } else {
        number.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_accept_their_ends_and_refuse_nan() {
        assert!(between(0.0, 1.0).accept(0.0) && between(0.0, 1.0).accept(1.0));
        assert!(!positive(1.0).accept(0.0));
        assert!(!Limits::default().accept(f64::NAN) && !Limits::default().accept(f64::INFINITY));
        assert!(speeds().or_infinite().accept(f64::INFINITY));
        assert!(!speeds().or_infinite().accept(f64::NAN));
    }

    #[test]
    fn limits_say_what_they_accept() {
        assert_eq!(metres().describe(), "a number between 1e-6 and 1e6 m");
        assert_eq!(between(0.0, 1.0).describe(), "a number between 0 and 1");
        assert_eq!(
            positive(1e6).of("1/s").or_infinite().describe(),
            "a number above 0 and at most 1e6 1/s, or inf"
        );
    }
}
