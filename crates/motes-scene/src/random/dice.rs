//! What a random scene draws: numbers of few digits, so that its text is short and the same on every machine.

use std::fmt;

use motes_core::random::Random;

/// A source of choices. All of its numbers come from integers by basic arithmetic.
pub(super) struct Dice(Random);

/// A number as scene files have it: rounded to a ten-thousandth.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Decimal(pub(super) f64);

/// Three of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Triple(pub(super) [f64; 3]);

impl Dice {
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        Self(Random::new(seed, stream))
    }

    /// A whole number from `low` to `high`, both included.
    pub(super) fn whole(&mut self, low: u32, high: u32) -> u32 {
        low + self.0.below((high - low + 1) as usize) as u32
    }

    /// A number between two others, in a thousand steps.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * f64::from(self.whole(0, 1000)) / 1000.0
    }

    /// Yes, with a chance in per cent.
    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.whole(1, 100) <= percent
    }

    /// One of several.
    pub(super) fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.0.below(choices.len())]
    }

    /// Three numbers of up to `reach` either way.
    pub(super) fn vector(&mut self, reach: f64) -> Triple {
        Triple([(); 3].map(|()| self.between(-reach, reach)))
    }

    /// A rotation, degrees.
    pub(super) fn rotation(&mut self) -> Triple {
        Triple([(); 3].map(|()| f64::from(self.whole(0, 359))))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.4}", self.0);
        let short = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if short == "-0" { "0" } else { short })
    }
}

impl fmt::Display for Triple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0.map(Decimal);
        write!(f, "[{x}, {y}, {z}]")
    }
}

impl Triple {
    pub(super) fn plus(self, other: [f64; 3]) -> Self {
        Self([0, 1, 2].map(|axis| self.0[axis] + other[axis]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_with_few_digits() {
        assert_eq!(Triple([0.5, -0.000_01, 12.345_678]).to_string(), "[0.5, 0, 12.3457]");
    }
}
