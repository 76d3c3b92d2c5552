//! Cloth and ropes where their particles are.

use glam::{Affine3A, Vec2, Vec3};
use motes_core::World;
use motes_geometry::{Tube, TubeOptions};
use motes_render::{Fabric, Mesh, Pattern};
use motes_scene::model::PatternWord;
use motes_scene::{ClothLook, SheetForm, SheetLook};

/// The surface of a cloth or a rope at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SheetSurface {
    /// Vertices, metres.
    pub positions: Vec<Vec3>,
    /// Vertices of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Coordinates on the cloth, metres; around and along a rope.
    pub uvs: Vec<Vec2>,
    /// Normals of a rope; those of cloth are left to whoever draws it.
    pub normals: Option<Vec<Vec3>>,
}

impl SheetSurface {
    /// The surface of a sheet. Triangles that have lost a corner are left out, and what is behind a gap in a rope.
    pub fn of(world: &World, look: &SheetLook) -> Self {
        let found = world.positions(&look.particles);
        match &*look.form {
            SheetForm::Cloth(drawn) => {
                let place = |vertex: &u32| found.get(*vertex as usize).copied().flatten();
                let there = |corner: &u32| place(&drawn.vertices[*corner as usize]).is_some();
                Self {
                    positions: { drawn.vertices.iter() }
                        .map(|vertex| place(vertex).unwrap_or_default())
                        .collect(),
                    triangles: { drawn.triangles.iter().copied() }
                        .filter(|corners| corners.iter().all(there))
                        .collect(),
                    uvs: drawn.uvs.clone(),
                    normals: None,
                }
            }
            SheetForm::Rope { closed, radius } => {
                let points: Vec<Vec3> = found.into_iter().map_while(|place| place).collect();
                let whole = points.len() == look.particles.len();
                let mut tube = Tube::new(TubeOptions {
                    closed: *closed && whole,
                    ..TubeOptions::default()
                });
                let made = tube.mesh(&points, &[*radius]);
                Self {
                    positions: made.positions,
                    triangles: made.triangles,
                    uvs: made.uvs,
                    normals: Some(made.normals),
                }
            }
        }
    }

    /// As a mesh of the renderer.
    pub(crate) fn mesh(self, cloth: Option<&ClothLook>) -> Mesh {
        let mesh = match &self.normals {
            Some(normals) => Mesh::with_normals(self.positions, self.triangles, normals),
            None => Mesh::new(self.positions, self.triangles, true),
        };
        match cloth {
            Some(cloth) => mesh.with_fabric(fabric(cloth), self.uvs),
            None => mesh,
        }
    }
}

/// Sheets are drawn where they are.
pub(crate) const POSE: Affine3A = Affine3A::IDENTITY;

fn fabric(cloth: &ClothLook) -> Fabric {
    Fabric {
        pattern: match cloth.pattern {
            PatternWord::Plain => Pattern::Plain,
            PatternWord::Stripes => Pattern::Stripes,
            PatternWord::Checks => Pattern::Checks,
            PatternWord::Weave => Pattern::Weave,
            PatternWord::Dots => Pattern::Dots,
        },
        second_color: cloth.second_color.0,
        back_color: cloth.back_color.map(|color| color.0),
        repeat: cloth.repeat,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use motes_core::CpuEngine;
    use motes_scene::Scene;

    const SCENE: &str = "particle_radius = 0.05\n[[cloth]]\nsize = [1, 0.6]\npattern = \"checks\"\npins = [\"top\"]\n\
        [[rope]]\npoints = [[0, 2, 0], [1, 2, 0]]\npins = [\"start\"]\n";

    #[test]
    fn surfaces_are_where_the_particles_are_and_lose_what_these_lose() {
        let scene = Scene::from_toml(SCENE, "x").expect("a scene");
        let mut built = scene.build(Box::new(CpuEngine::new())).expect("a world");
        for _ in 0..10 {
            built.world.step(scene.dt());
        }
        let [cloth, rope] = [0, 1].map(|number| built.looks.sheets[number].clone());
        let surface = SheetSurface::of(&built.world, &cloth);
        assert_eq!(surface.positions.len(), surface.uvs.len());
        let particle = built.world.positions(&cloth.particles[3..4])[0].expect("alive");
        assert!(surface.positions.contains(&particle));
        let whole = surface.triangles.len();
        let tube = SheetSurface::of(&built.world, &rope);
        let long = |surface: &SheetSurface| surface.positions.iter().map(|place| place.x).fold(0.0, f32::max);
        assert!((long(&tube) - 1.05).abs() < 0.06, "{}", long(&tube));
        built.world.remove_particles(&[cloth.particles[3], rope.particles[4]]);
        built.world.step(scene.dt());
        let torn = SheetSurface::of(&built.world, &cloth).triangles.len();
        assert!(torn < whole && torn + 8 >= whole, "{torn} of {whole}");
        assert!(long(&SheetSurface::of(&built.world, &rope)) < 0.4);
    }
}
