//! Cloth and ropes of a world where their particles are.

use std::collections::HashMap;

use glam::{Vec2, Vec3};
use motes_core::{ParticleId, World};
use motes_geometry::cloth::DrawnSheet;
use motes_geometry::{ShadedMesh, Tube, TubeOptions};
use motes_render::{Fabric, Pattern};
use motes_scene::model::PatternWord;
use motes_scene::{ClothLook, Looks, SheetForm};
use rayon::prelude::*;

use crate::sheet::{Sheet, SheetLook};

/// All cloth and ropes of a world, in the order of its looks.
pub fn sheets(world: &World, looks: &Looks) -> Vec<Sheet> {
    let sheet = |look: &motes_scene::SheetLook| Sheet {
        name: look.name.clone(),
        surface: surface(world, look),
        look: SheetLook {
            color: look.color.0,
            opacity: 1.0,
            fabric: look.cloth.as_ref().map_or(Fabric::default(), fabric),
        },
    };
    looks.sheets.par_iter().map(sheet).collect()
}

/// The surface of a sheet. Triangles that have lost a corner are left out, and what is behind a gap in a rope.
fn surface(world: &World, look: &motes_scene::SheetLook) -> ShadedMesh {
    match &*look.form {
        SheetForm::Cloth(drawn) if look.faces.is_empty() => {
            let ids = |vertex: &u32| look.particles[*vertex as usize];
            cloth(
                world,
                &drawn.vertices.iter().map(ids).collect::<Vec<_>>(),
                drawn.triangles.clone(),
                drawn.uvs.clone(),
            )
        }
        SheetForm::Cloth(drawn) => {
            let Torn { ids, uvs, triangles } = torn(world, look, drawn);
            cloth(world, &ids, triangles, uvs)
        }
        SheetForm::Rope { closed, radius } => {
            let found = world.positions(&look.particles);
            let points: Vec<Vec3> = found.into_iter().map_while(|place| place).collect();
            let is_whole = points.len() == look.particles.len();
            let mut tube = Tube::new(TubeOptions {
                closed: *closed && is_whole,
                ..TubeOptions::default()
            });
            tube.mesh(&points, &[*radius])
        }
    }
}

/// A surface given the particle that each vertex follows.
fn cloth(world: &World, ids: &[ParticleId], triangles: Vec<[u32; 3]>, uvs: Vec<Vec2>) -> ShadedMesh {
    let found = world.positions(ids);
    let there = |corners: &[u32; 3]| corners.iter().all(|&corner| found[corner as usize].is_some());
    let triangles = triangles.into_iter().filter(there).collect();
    let positions = found.iter().map(|place| place.unwrap_or_default()).collect();
    ShadedMesh::smooth(positions, triangles, uvs)
}

/// A sheet as its faces have it, which may have been torn.
struct Torn {
    ids: Vec<ParticleId>,
    uvs: Vec<Vec2>,
    triangles: Vec<[u32; 3]>,
}

/// The vertices of a sheet as it was made, then those of particles that came to be by tears, each with the coordinates of its side.
fn torn(world: &World, look: &motes_scene::SheetLook, drawn: &DrawnSheet) -> Torn {
    let whole = |vertex: &u32| look.particles[*vertex as usize];
    let mut sheet = Torn {
        ids: drawn.vertices.iter().map(whole).collect(),
        uvs: drawn.uvs.clone(),
        triangles: Vec::with_capacity(drawn.triangles.len()),
    };
    let mut known: HashMap<(u32, ParticleId), u32> = HashMap::new();
    let faces = world.face_particles(&look.faces);
    for (corners, face) in drawn.triangles.iter().zip(faces) {
        let Some(face) = face else { continue };
        let mut triangle = *corners;
        for (corner, id) in triangle.iter_mut().zip(face) {
            if sheet.ids[*corner as usize] == id {
                continue;
            }
            let next = sheet.ids.len() as u32;
            let vertex = *known.entry((*corner, id)).or_insert(next);
            if vertex == next {
                sheet.ids.push(id);
                sheet.uvs.push(sheet.uvs[*corner as usize]);
            }
            *corner = vertex;
        }
        sheet.triangles.push(triangle);
    }
    sheet
}

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
        let whole = surface(&built.world, &cloth);
        assert_eq!(whole.positions.len(), whole.uvs.len());
        let particle = built.world.positions(&cloth.particles[3..4])[0].expect("alive");
        assert!(whole.positions.contains(&particle));
        let whole = whole.triangles.len();
        let tube = surface(&built.world, &rope);
        let long = |surface: &ShadedMesh| surface.positions.iter().map(|place| place.x).fold(0.0, f32::max);
        assert!((long(&tube) - 1.05).abs() < 0.06, "{}", long(&tube));
        built.world.remove_particles(&[cloth.particles[3], rope.particles[4]]);
        built.world.step(scene.dt());
        let torn = surface(&built.world, &cloth).triangles.len();
        assert!(torn < whole && torn + 8 >= whole, "{torn} of {whole}");
        assert!(long(&surface(&built.world, &rope)) < 0.4);
    }
}
