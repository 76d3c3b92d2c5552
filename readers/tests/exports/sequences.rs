//! OBJ and PLY, a file for each frame, read with the crates `tobj` and `ply-rs-bw`.

use glam::Vec3;
use motes_drawing::export::{MeshSequence, Paint, Snapshot, write_mtl, write_obj};
use ply_rs_bw::parser::Parser;
use ply_rs_bw::ply::{DefaultElement, Property};

use crate::{are_close, film};

/// All objects of an OBJ file with their colours.
fn read_obj(snapshot: &Snapshot) -> (Vec<tobj::Model>, Vec<tobj::Material>) {
    let (mut obj, mut mtl) = (Vec::new(), Vec::new());
    write_obj(&mut obj, snapshot, "film.mtl").expect("written");
    let paints: Vec<Paint> = snapshot.objects.iter().map(|object| object.paint).collect();
    write_mtl(&mut mtl, &paints).expect("written");
    let options = tobj::LoadOptions::default();
    let (models, materials) = tobj::load_obj_buf(&mut obj.as_slice(), &options, |path| {
        assert_eq!(path.to_str(), Some("film.mtl"));
        tobj::load_mtl_buf(&mut mtl.as_slice())
    })
    .expect("an OBJ file");
    (models, materials.expect("materials"))
}

/// The vectors of a list at all corners.
fn at_corners(numbers: &[f32], corners: &[u32]) -> Vec<Vec3> {
    let vector = |&corner: &u32| Vec3::from_slice(&numbers[3 * corner as usize..]);
    corners.iter().map(vector).collect()
}

#[test]
fn objects_of_obj_files_are_what_they_were() {
    for snapshot in &film() {
        let (models, materials) = read_obj(snapshot);
        assert_eq!(models.len(), snapshot.objects.len());
        for (model, object) in models.iter().zip(&snapshot.objects) {
            let (found, mesh) = (&model.mesh, object.geometry.placed());
            assert_eq!(model.name, object.name.replace(' ', "_"));
            // The reader numbers vertices as triangles come to them, so corners are compared.
            let corners = || mesh.triangles.as_flattened().iter().map(|&corner| corner as usize);
            let expected: Vec<Vec3> = corners().map(|corner| mesh.positions[corner]).collect();
            assert!(are_close(&at_corners(&found.positions, &found.indices), &expected));
            let expected: Vec<Vec3> = corners().map(|corner| mesh.normals[corner]).collect();
            assert!(are_close(&at_corners(&found.normals, &found.normal_indices), &expected));
            if mesh.uvs.is_empty() {
                assert!(found.texcoords.is_empty());
            } else {
                let uvs = { found.texcoord_indices.iter() }.map(|&corner| &found.texcoords[2 * corner as usize..][..2]);
                assert!(uvs.eq(corners().map(|corner| mesh.uvs[corner].to_array())));
            }
            let material = &materials[found.material_id.expect("a material")];
            let color = object.paint.color.map(|part| f32::from(part) / 255.0);
            let [red, green, blue] = material.diffuse.expect("a colour");
            assert!(Vec3::new(red, green, blue).distance(Vec3::from(color)) < 1e-3);
            assert_eq!(material.dissolve, Some(object.paint.opacity));
        }
    }
}

#[test]
fn an_empty_frame_is_an_empty_file() {
    let (models, materials) = read_obj(&Snapshot::default());
    assert!(models.iter().all(|model| model.mesh.indices.is_empty()));
    assert!(materials.iter().all(|material| material.diffuse.is_none()));
}

/// Vertices, objects they are of, and corners.
type Ply = (Vec<Vec3>, Vec<Vec3>, Vec<u32>, Vec<i64>);

fn read_ply(sequence: &MeshSequence) -> Ply {
    let mut bytes = Vec::new();
    sequence.write_ply(&mut bytes).expect("written");
    let ply = Parser::<DefaultElement>::new()
        .read_ply(&mut bytes.as_slice())
        .expect("a PLY file");
    let number = |element: &DefaultElement, name: &str| match &element[name] {
        Property::Float(value) => *value,
        other => panic!("{name} is {other:?}"),
    };
    let vertices = ply.payload.get("vertex").map_or(&[][..], |list| &list[..]);
    let faces = ply.payload.get("face").map_or(&[][..], |list| &list[..]);
    let vector = |names: [&str; 3], element| Vec3::from(names.map(|name| number(element, name)));
    let object = |element: &DefaultElement| match &element["object"] {
        Property::UInt(value) => *value,
        other => panic!("{other:?}"),
    };
    let corners = |element: &DefaultElement| match &element["vertex_indices"] {
        Property::ListUInt(list) => list.iter().map(|&corner| i64::from(corner)).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    (
        vertices.iter().map(|vertex| vector(["x", "y", "z"], vertex)).collect(),
        vertices
            .iter()
            .map(|vertex| vector(["nx", "ny", "nz"], vertex))
            .collect(),
        vertices.iter().map(object).collect(),
        faces.iter().flat_map(corners).collect(),
    )
}

#[test]
fn meshes_of_ply_files_lie_one_after_the_other() {
    let film = film();
    let mut sequence = MeshSequence::default();
    sequence.follow(&film[8]);
    let (positions, normals, objects, corners) = read_ply(&sequence);
    let (mut first, mut first_corner) = (0, 0);
    for (number, object) in film[8].objects.iter().enumerate() {
        let mesh = object.geometry.placed();
        let range = first..first + mesh.positions.len();
        assert!(are_close(&positions[range.clone()], &mesh.positions));
        assert!(are_close(&normals[range.clone()], &mesh.normals));
        assert!(objects[range].iter().all(|&object| object == number as u32));
        let expected: Vec<i64> = { mesh.triangles.as_flattened().iter() }
            .map(|&corner| first as i64 + i64::from(corner))
            .collect();
        assert_eq!(corners[first_corner..first_corner + expected.len()], expected);
        first += mesh.positions.len();
        first_corner += expected.len();
    }
    assert_eq!((first, first_corner), (positions.len(), corners.len()));
}

#[test]
fn vertices_keep_their_numbers_when_an_object_goes() {
    let film = film();
    let mut sequence = MeshSequence::default();
    sequence.follow(&film[8]);
    let (before, _, _, corners) = read_ply(&sequence);
    sequence.follow(&film[9]);
    let (after, _, objects, still) = read_ply(&sequence);
    assert_eq!(before.len(), after.len());
    assert_eq!(corners, still);
    let gone: Vec<Vec3> = after
        .iter()
        .zip(&objects)
        .filter(|(_, object)| **object == 1)
        .map(|(place, _)| *place)
        .collect();
    assert!(gone.len() == 24 && gone.iter().all(|place| *place == Vec3::ZERO));
}

#[test]
fn a_sequence_of_nothing_has_no_vertices() {
    let (positions, _, _, corners) = read_ply(&MeshSequence::default());
    assert!(positions.is_empty() && corners.is_empty());
}
