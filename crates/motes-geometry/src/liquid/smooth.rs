//! Normals without the finest ripples, which are the particles' and not the liquid's.

use glam::Vec3;
use rayon::prelude::*;

use crate::shaded::ShadedMesh;

/// How often each normal becomes the mean of those around it.
const ROUNDS: usize = 4;

/// Smooths the normals of a mesh along its edges.
pub(super) fn smooth_normals(mesh: &mut ShadedMesh) {
    let mut sums = vec![Vec3::ZERO; mesh.normals.len()];
    for _ in 0..ROUNDS {
        sums.fill(Vec3::ZERO);
        for corners in &mesh.triangles {
            let sum: Vec3 = corners.iter().map(|&corner| mesh.normals[corner as usize]).sum();
            corners.iter().for_each(|&corner| sums[corner as usize] += sum);
        }
        let normals = mesh.normals.par_iter_mut().zip(&sums);
        normals.for_each(|(normal, sum)| *normal = sum.try_normalize().unwrap_or(*normal));
    }
}
