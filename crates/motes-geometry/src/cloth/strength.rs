//! How far the springs of a sheet stretch before it tears.

use super::ClothShape;
use super::quartic::angle_to;
use super::stretch::{ClothSpring, Membrane, SpringKind};
use super::surface;

impl ClothShape {
    /// The strain at which a sheet tears along each of its [springs](Self::springs), given the one at which its threads break. A sheet bears the same force per width in all directions, as far as warp and weft are alike: where it is softer than along its threads,
    /// as all weaves are on the bias, it stretches further before it tears. Crossings, which are not edges, never do.
    pub fn breaking_strains(&self, membrane: &Membrane, springs: &[ClothSpring], of_threads: f32) -> Vec<f32> {
        let frames = surface::frames(&self.positions, &self.triangles, &self.uvs);
        let [warp, weft] = [membrane.warp, membrane.weft].map(f64::from);
        let mut edges = self.edges.iter();
        let strain = |spring: &ClothSpring| {
            let edge = match spring.kind {
                SpringKind::Edge => edges.next(),
                SpringKind::Crossing => None,
            };
            let Some(edge) = edge else { return f32::INFINITY };
            let [a, b] = edge.ends.map(|end| self.positions[end as usize].as_dvec3());
            let [normal, along] = frames[edge.left.0 as usize];
            let angle = angle_to(along, normal, b - a);
            let threads = warp * angle.cos().powi(2) + weft * angle.sin().powi(2);
            of_threads * (threads / membrane.along(angle)).max(1.0) as f32
        };
        springs.iter().map(strain).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::square;
    use super::*;

    #[test]
    fn a_weave_tears_along_its_threads_and_paper_in_all_directions() {
        let shape = square(6, 1.0);
        let limits = |membrane: &Membrane| {
            let springs = shape.springs(membrane, true);
            let strains = shape.breaking_strains(membrane, &springs, 0.1);
            let is_diagonal = |spring: &ClothSpring| spring.length > 1.01 / 6.0;
            let of = |diagonal: bool, kind: SpringKind| {
                let own = springs.iter().zip(&strains);
                let own = own.filter(move |(spring, _)| is_diagonal(spring) == diagonal && spring.kind == kind);
                own.map(|(_, &strain)| strain).fold(f32::INFINITY, f32::min)
            };
            assert_eq!(of(true, SpringKind::Crossing), f32::INFINITY);
            (of(false, SpringKind::Edge), of(true, SpringKind::Edge))
        };
        let cotton = limits(&Membrane {
            warp: 8000.0,
            weft: 5000.0,
            shear: 60.0,
        });
        assert!((cotton.0 - 0.1).abs() < 1e-6, "{cotton:?}");
        assert!(cotton.1 > 2.0, "the bias gives way: {cotton:?}");
        let uniform = limits(&Membrane::uniform(1000.0));
        assert!(
            (uniform.0 - 0.1).abs() < 1e-6 && (uniform.1 - 0.1).abs() < 1e-4,
            "{uniform:?}"
        );
    }
}
