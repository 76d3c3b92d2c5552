//! How near an edge of a sheet is to tearing.

/// The stretch of an edge over what it can bear: 1 is where it tears. By its length, not its tension: iterations that have not converged
/// pull less than they should, and what is stretched so far that anybody sees it tears all the same.
///
/// `limit` is the tension that it bears, newtons, and `softness` its compliance, m/N, by which it is `limit · softness` longer then. One
/// that is unyielding, or has a stiffness (below zero), goes by its tension: `impulse` is what it did in a sub-step of `h` seconds, kg·m, less
/// than zero if it pulled.
#[inline]
pub fn overload(length: f32, rest: f32, softness: f32, limit: f32, impulse: f32, h: f32) -> f32 {
    let bearable = softness * limit;
    if bearable > 0.0 {
        (length - rest) / bearable
    } else {
        -impulse / (limit * h * h)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_tears_where_its_tension_would_be_what_it_bears() {
        // 1 N stretches it by a millimetre; it bears 20 N, and is 20 mm longer then.
        let strained = |length: f32| overload(length, 0.1, 1e-3, 20.0, 0.0, 0.01);
        assert!((strained(0.11) - 0.5).abs() < 1e-5);
        assert!((strained(0.12) - 1.0).abs() < 1e-5);
        assert!(strained(0.09) < 0.0, "pressed together");
    }

    #[test]
    fn one_that_does_not_yield_goes_by_its_tension() {
        let h = 0.01;
        for softness in [0.0, -1.0] {
            assert!((overload(0.1, 0.1, softness, 20.0, -10.0 * h * h, h) - 0.5).abs() < 1e-5);
        }
    }
}
