//! Vertices of a sheet by where they are.

use glam::Vec3;
use motes_core::Bounds;

use super::ClothShape;

impl ClothShape {
    /// The vertex nearest to a point, in the rest shape.
    pub fn nearest_vertex(&self, point: Vec3) -> Option<u32> {
        let distances = self
            .positions
            .iter()
            .map(|place| place.distance_squared(point))
            .zip(0..);
        distances.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, vertex)| vertex)
    }

    /// The vertices in a box, its faces included, in the rest shape.
    pub fn vertices_in(&self, bounds: &Bounds) -> Vec<u32> {
        let inside = |&vertex: &u32| bounds.contains(self.positions[vertex as usize]);
        (0..self.positions.len() as u32).filter(inside).collect()
    }

    /// The rim that passes nearest to a point, in the rest shape.
    pub fn nearest_rim(&self, point: Vec3) -> Option<&[u32]> {
        let distance = |rim: &[u32]| {
            let distances = rim
                .iter()
                .map(|&vertex| self.positions[vertex as usize].distance_squared(point));
            distances.fold(f32::INFINITY, f32::min)
        };
        let rims = self.rims.iter().map(|rim| rim.as_slice());
        rims.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::square;
    use super::*;

    #[test]
    fn vertices_are_found_by_place() {
        let shape = square(4, 1.0);
        assert_eq!(shape.nearest_vertex(Vec3::new(-3.0, 0.1, 9.0)), Some(10));
        let bounds = Bounds {
            min: Vec3::new(-0.5, 0.25, -0.1),
            max: Vec3::new(-0.2, 0.5, 0.1),
        };
        assert_eq!(shape.vertices_in(&bounds), [15, 16, 20, 21]);
        assert_eq!(shape.nearest_rim(Vec3::ONE).map(<[u32]>::len), Some(16));
    }
}
