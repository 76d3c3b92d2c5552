//! Torn cloth in drawings and exports: triangles as its faces have them, each with the coordinates of its side.

use std::collections::HashSet;

use motes_core::CpuEngine;
use motes_drawing::export::Inventory;
use motes_drawing::sheets;
use motes_geometry::ShadedMesh;
use motes_scene::Scene;

const SCENE: &str = "gravity = 0\nparticle_radius = 0.05\n[[cloth]]\nname = \"sheet\"\nsize = [1, 0.6]\n\
    cuts = [{ at = 0.05, from = [0, -1, 0], to = [0, 1, 0] }]\n";

#[test]
fn a_torn_sheet_is_drawn_and_exported_as_its_faces_have_it() {
    let scene = Scene::from_toml(SCENE, "x").expect("a scene");
    let mut built = scene.build(Box::new(CpuEngine::new())).expect("a world");
    let surface = |built: &motes_scene::Built| sheets(&built.world, &built.looks).remove(0).surface;
    let inventory = Inventory::of_scene(&scene, &built);
    let whole = surface(&built);
    for _ in 0..6 {
        built.world.step(scene.dt());
    }
    let torn = surface(&built);
    let tears = built.world.take_tears();
    assert!(tears.len() > 4, "{tears:?}");
    assert_eq!(torn.triangles.len(), whole.triangles.len());
    assert_eq!(torn.positions.len(), whole.positions.len() + tears.len());
    assert_eq!(torn.uvs.len(), torn.positions.len());
    let is_right = |corners: &[u32; 3]| {
        let across = corners.iter().map(|&corner| torn.positions[corner as usize].x);
        across.sum::<f32>() > 0.0
    };
    let vertices = |right: bool| -> HashSet<u32> {
        let own = torn.triangles.iter().filter(|corners| is_right(corners) == right);
        own.flatten().copied().collect()
    };
    assert!(vertices(true).is_disjoint(&vertices(false)), "the halves share nothing");
    let uvs = |mesh: &ShadedMesh, corners: &[u32; 3]| corners.map(|corner| mesh.uvs[corner as usize]);
    for (corners, before) in torn.triangles.iter().zip(&whole.triangles) {
        assert_eq!(uvs(&torn, corners), uvs(&whole, before));
    }
    let snapshot = inventory.snapshot(&mut built.world);
    let sheet = snapshot
        .objects
        .iter()
        .find(|object| object.name == "sheet")
        .expect("it is exported");
    assert_eq!(sheet.geometry.placed(), torn);
    assert!(snapshot.clouds.is_empty(), "new particles belong to the sheet");
}
