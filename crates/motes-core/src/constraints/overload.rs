//! How near an edge of a sheet is to tearing.

/// Tension and stretch over what an edge can bear, whichever is less: 1 is where it tears. Iterations that have not converged leave an edge too long
/// that carries little, and an impact has a short one carry much for a sub-step; neither tears it.
///
/// `limit` is the tension that it bears, newtons; `softness` its compliance, m/N, by which it is `limit · softness` longer then, or a
/// stiffness below zero, which says nothing of forces. `impulse` is what it did in a sub-step of `h` seconds, kg·m, less than
/// zero if it pulled.
#[inline]
pub fn overload(length: f32, rest: f32, softness: f32, limit: f32, impulse: f32, h: f32) -> f32 {
    let by_tension = -impulse / (limit * h * h);
    let bearable = softness * limit;
    if bearable > 0.0 {
        by_tension.min((length - rest) / bearable)
    } else {
        by_tension
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 N stretches it by a millimetre; it bears 20 N, and is 20 mm longer then.
    fn strained(length: f32, tension: f32) -> f32 {
        let h = 0.01;
        overload(length, 0.1, 1e-3, 20.0, -tension * h * h, h)
    }

    #[test]
    fn an_edge_in_equilibrium_is_as_near_by_its_length_as_by_its_tension() {
        assert!((strained(0.11, 10.0) - 0.5).abs() < 1e-5);
        assert!((strained(0.12, 20.0) - 1.0).abs() < 1e-5);
    }

    #[test]
    fn neither_length_nor_tension_alone_tears() {
        assert!(strained(0.2, 4.0) < 0.21, "too long, because iterations were few");
        assert!(strained(0.101, 1000.0) < 0.051, "an impact");
        assert!(strained(0.09, -5.0) < 0.0, "pressed together");
    }

    #[test]
    fn what_never_breaks_is_never_near() {
        assert_eq!(overload(9.0, 0.1, 1e-3, f32::INFINITY, -1.0, 0.01), 0.0);
        assert!((overload(9.0, 0.1, -1.0, 2.0, -1e-4, 0.01) - 0.5).abs() < 1e-5);
    }
}
