//! The range a number of a scene file must lie in.

use serde_json::{Value as Json, json};

/// Which numbers a field accepts. Infinite numbers and NaN are refused unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    low: f64,
    high: f64,
    above_low: bool,
    infinite: bool,
}

/// Numbers beyond this overflow when squared and multiplied; no scene needs them.
const LARGE: f64 = 1e9;

impl Default for Limits {
    fn default() -> Self {
        Self {
            low: -LARGE,
            high: LARGE,
            above_low: false,
            infinite: false,
        }
    }
}

/// `low` and more.
pub(crate) fn at_least(low: f64) -> Limits {
    Limits {
        low,
        ..Limits::default()
    }
}

/// More than `low`.
pub(crate) fn above(low: f64) -> Limits {
    Limits {
        above_low: true,
        ..at_least(low)
    }
}

/// `low` to `high`, both included.
pub(crate) fn between(low: f64, high: f64) -> Limits {
    Limits { high, ..at_least(low) }
}

/// The sizes of things, metres: a micrometre to a thousand kilometres.
pub(crate) fn metres() -> Limits {
    between(1e-6, 1e6)
}

impl Limits {
    /// Also accepts `inf`.
    pub(crate) fn or_infinite(self) -> Self {
        Self { infinite: true, ..self }
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
        let infinite = if self.infinite { ", or inf" } else { "" };
        let low = if self.above_low { "above" } else { "at least" };
        match (self.low == -LARGE, self.high == LARGE) {
            (true, true) => format!("a finite number{infinite}"),
            (true, false) => format!("at most {}{infinite}", self.high),
            (false, true) => format!("a finite number {low} {}{infinite}", self.low),
            (false, false) if self.above_low => {
                format!("above {} and at most {}{infinite}", self.low, self.high)
            }
            (false, false) => format!("between {} and {}{infinite}", self.low, self.high),
        }
    }

    /// Adds the limits to the schema of a number.
    pub(crate) fn restrict(&self, schema: &mut Json) {
        if self.low != -LARGE {
            schema[if self.above_low { "exclusiveMinimum" } else { "minimum" }] = json!(self.low);
        }
        // JSON has no infinity, so an open end is left open.
        if self.high != LARGE && !self.infinite {
            schema["maximum"] = json!(self.high);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_accept_their_ends_and_refuse_nan() {
        assert!(between(0.0, 1.0).accept(0.0) && between(0.0, 1.0).accept(1.0));
        assert!(!above(0.0).accept(0.0));
        assert!(!Limits::default().accept(f64::NAN) && !Limits::default().accept(f64::INFINITY));
        assert!(at_least(0.0).or_infinite().accept(f64::INFINITY));
        assert!(!at_least(0.0).or_infinite().accept(f64::NAN));
    }

    #[test]
    fn limits_say_what_they_accept() {
        assert_eq!(above(0.0).describe(), "a finite number above 0");
        assert_eq!(between(0.0, 1.0).describe(), "between 0 and 1");
        assert_eq!(
            at_least(0.0).or_infinite().describe(),
            "a finite number at least 0, or inf"
        );
    }
}
