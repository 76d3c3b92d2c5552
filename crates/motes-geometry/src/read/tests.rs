//! What every reader promises.

use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;

use super::*;
use crate::mesh::cuboid;
use crate::write;

fn brick() -> Mesh {
    cuboid(Vec3::new(0.5, 1.0, 1.5)).transformed(&Affine3A::from_translation(Vec3::new(1.0, 2.0, 3.0)))
}

fn read(bytes: &[u8], format: Format) -> Result<Mesh, ReadError> {
    parse_mesh(bytes, format, &ReadOptions::default())
}

fn same(mesh: &Mesh) {
    assert!(mesh.is_watertight());
    assert!((mesh.volume() - 6.0).abs() < 1e-4);
    assert_eq!(mesh.bounds(), brick().bounds());
}

fn ply_text(mesh: &Mesh) -> Vec<u8> {
    let mut text = format!(
        "ply\r\nformat ascii 1.0\r\ncomment by hand\r\nelement vertex {}\r\nproperty double x\r\nproperty double y\r\n\
         property double z\r\nproperty uchar red\r\nelement face {}\r\nproperty uchar part\r\n\
         property list uchar int vertex_index\r\nend_header\r\n",
        mesh.positions.len(),
        mesh.triangles.len()
    );
    mesh.positions
        .iter()
        .for_each(|p| text.push_str(&format!("{} {} {} 255\r\n", p.x, p.y, p.z)));
    mesh.triangles
        .iter()
        .for_each(|[a, b, c]| text.push_str(&format!("7 3 {a} {b} {c}\r\n")));
    text.into_bytes()
}

fn ply_big_endian(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = format!(
        "ply\nformat binary_big_endian 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n\
         element edge 1\nproperty short a\nelement face {}\nproperty list uchar ushort vertex_indices\nend_header\n",
        mesh.positions.len(),
        mesh.triangles.len()
    )
    .into_bytes();
    for position in &mesh.positions {
        position
            .to_array()
            .iter()
            .for_each(|value| bytes.extend(value.to_be_bytes()));
    }
    bytes.extend([0, 1]);
    for triangle in &mesh.triangles {
        bytes.push(3);
        triangle
            .iter()
            .for_each(|&corner| bytes.extend((corner as u16).to_be_bytes()));
    }
    bytes
}

fn stl_text(mesh: &Mesh) -> Vec<u8> {
    let mut text = String::from("solid brick\n");
    for corners in mesh.corners() {
        text.push_str(" facet normal 0 0 0\n  outer loop\n");
        corners
            .iter()
            .for_each(|p| text.push_str(&format!("   vertex {:e} {} {}\n", p.x, p.y, p.z)));
        text.push_str("  endloop\n endfacet\n");
    }
    text.push_str("endsolid brick\n");
    text.into_bytes()
}

/// A document with two nodes, the lower of which turns and shifts the brick; indices of `component` bytes.
fn document(mesh: &Mesh, component: usize, uri: Option<&str>) -> (String, Vec<u8>) {
    let mut buffer = Vec::new();
    mesh.positions
        .iter()
        .flat_map(|p| p.to_array())
        .for_each(|value| buffer.extend(value.to_le_bytes()));
    let split = buffer.len();
    for &corner in mesh.triangles.as_flattened() {
        buffer.extend(&corner.to_le_bytes()[..component]);
    }
    let kind = match component {
        1 => 5121,
        2 => 5123,
        _ => 5125,
    };
    let uri = uri.map(|uri| format!("\"uri\":\"{uri}\",")).unwrap_or_default();
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"children":[1],"translation":[1,2,3]}},{{"mesh":0,"scale":[-1,1,1]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3"}},
        {{"bufferView":1,"componentType":{kind},"count":{},"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":{split}}},
        {{"buffer":0,"byteOffset":{split},"byteLength":{}}}],
        "buffers":[{{{uri}"byteLength":{}}}]}}"#,
        mesh.positions.len(),
        3 * mesh.triangles.len(),
        buffer.len() - split,
        buffer.len()
    );
    (text, buffer)
}

fn glb(component: usize) -> Vec<u8> {
    let (text, buffer) = document(&cuboid(Vec3::new(0.5, 1.0, 1.5)), component, None);
    to_glb(text, buffer)
}

fn to_glb(mut text: String, mut buffer: Vec<u8>) -> Vec<u8> {
    while !text.len().is_multiple_of(4) {
        text.push(' ');
    }
    buffer.resize(buffer.len().next_multiple_of(4), 0);
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + text.len() as u32 + buffer.len() as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", text.as_bytes()), (b"BIN\0", &buffer)] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(chunk);
    }
    bytes
}

fn every_format() -> Vec<(Format, Vec<u8>)> {
    vec![
        (Format::Obj, write::obj(&brick())),
        (Format::Ply, write::ply(&brick())),
        (Format::Ply, ply_text(&brick())),
        (Format::Ply, ply_big_endian(&brick())),
        (Format::Stl, write::stl(&brick())),
        (Format::Stl, stl_text(&brick())),
        (Format::Gltf, glb(1)),
        (Format::Gltf, glb(2)),
        (Format::Gltf, glb(4)),
    ]
}

#[test]
fn every_format_and_encoding_gives_the_same_brick() {
    for (format, bytes) in every_format() {
        same(&read(&bytes, format).unwrap_or_else(|error| panic!("{error}")));
    }
}

#[test]
fn written_meshes_are_read_back_bit_by_bit() {
    let mesh = brick().transformed(&Affine3A::from_quat(Quat::from_rotation_x(0.3)));
    assert_eq!(read(&write::obj(&mesh), Format::Obj).unwrap(), mesh);
    assert_eq!(read(&write::ply(&mesh), Format::Ply).unwrap(), mesh);
    assert_eq!(read(&write::stl(&mesh), Format::Stl).unwrap().volume(), mesh.volume());
}

#[test]
fn buffers_are_found_in_the_text_beside_the_file_and_nowhere_else() {
    let folder = std::env::temp_dir().join(format!("motes-read-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("data")).unwrap();
    let mesh = cuboid(Vec3::new(0.5, 1.0, 1.5));
    for (uri, is_found) in [
        ("data/brick%20a.bin", true),
        ("../brick.bin", false),
        ("/etc/passwd", false),
    ] {
        let (text, buffer) = document(&mesh, 2, Some(uri));
        std::fs::write(folder.join("brick.gltf"), text).unwrap();
        std::fs::write(folder.join("data/brick a.bin"), buffer).unwrap();
        let found = read_mesh(&folder.join("brick.gltf"), &ReadOptions::default());
        assert_eq!(found.is_ok(), is_found, "{uri}");
        found.iter().for_each(same);
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let (text, buffer) = document(&mesh, 4, Some("data:application/octet-stream;base64,@"));
    let text = text.replace('@', &to_base64(&buffer));
    same(&read(text.as_bytes(), Format::Gltf).unwrap());
}

fn to_base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let sextets = bytes.chunks(3).flat_map(|three| {
        let bits = three.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        (0..=three.len()).map(move |index| LETTERS[(bits >> (18 - 6 * index) & 63) as usize] as char)
    });
    sextets.collect()
}

#[test]
fn up_and_scale_turn_the_mesh_without_mirroring_it() {
    let options = ReadOptions {
        up: Up::Z,
        scale: 0.001,
    };
    let mesh = parse_mesh(
        &write::obj(&cuboid(Vec3::new(100.0, 200.0, 300.0))),
        Format::Obj,
        &options,
    )
    .unwrap();
    assert!((mesh.bounds().max - Vec3::new(0.1, 0.3, 0.2)).length() < 1e-6);
    assert!((mesh.volume() - 0.048).abs() < 1e-6);
    let bad = ReadOptions {
        scale: f32::NAN,
        ..options
    };
    assert!(matches!(
        parse_mesh(b"", Format::Obj, &bad),
        Err(ReadError::BadScale { .. })
    ));
}

#[test]
fn obj_faces_may_count_backwards_name_textures_and_have_many_corners() {
    let text = "o thing\nv 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 1 1 0\nvt 0 0\nvn 0 0 1\nv 0 1 0 # last\nf -4/1 -3//1 \\\n -2/1/1 -1\n";
    let mesh = read(text.as_bytes(), Format::Obj).unwrap();
    assert_eq!(mesh.triangles.len(), 2);
    assert!((mesh.area() - 1.0).abs() < 1e-6);
}

#[test]
fn texture_coordinates_come_with_the_corners() {
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 2 0\nvt 2 3\nvt 0 3\n";
    let uv = |place: Vec3| glam::Vec2::new(2.0 * place.x, 3.0 * place.y);
    let check = |mesh: &Mesh| {
        assert_eq!(mesh.uvs.len(), mesh.triangles.len());
        for (corners, uvs) in mesh.corners().zip(&mesh.uvs) {
            assert_eq!(corners.map(uv), *uvs);
        }
    };
    check(&read(format!("{square}f 1/1 2/2 3/3 4/4\n").as_bytes(), Format::Obj).unwrap());
    check(
        &read(
            format!("{square}f 1/-4/7 2/-3 4/-1\nf 2/2 3/3 4/4").as_bytes(),
            Format::Obj,
        )
        .unwrap(),
    );
    let partly = read(format!("{square}f 1 2 4\nf 2/2 3/9 4/4").as_bytes(), Format::Obj).unwrap();
    assert_eq!(
        partly.uvs,
        [
            [glam::Vec2::ZERO; 3],
            [glam::Vec2::new(2.0, 0.0), glam::Vec2::ZERO, glam::Vec2::new(0.0, 3.0)]
        ]
    );
    assert!(
        read(format!("{square}f 1 2 3").as_bytes(), Format::Obj)
            .unwrap()
            .uvs
            .is_empty()
    );
    let ply = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nproperty float s\n\
               property float t\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0 0 0\n1 0 0 2 0\n\
               1 1 0 2 3\n0 1 0 0 3\n4 0 1 2 3\n";
    check(&read(ply.as_bytes(), Format::Ply).unwrap());
    let (text, buffer) = document(&cuboid(Vec3::new(0.5, 1.0, 1.5)), 4, None);
    let textured = |text: &str, count: u32| {
        let more = format!(r#"{{"bufferView":0,"componentType":5126,"count":{count},"type":"VEC2"}},"#);
        let text = text.replace(r#""POSITION":0"#, r#""POSITION":0,"TEXCOORD_0":0"#);
        let text = text.replace(r#""POSITION":0,"TEXCOORD_0":0"#, r#""POSITION":1,"TEXCOORD_0":0"#);
        let text = text.replace(r#""indices":1"#, r#""indices":2"#);
        to_glb(
            text.replace(r#""accessors":["#, &format!(r#""accessors":[{more}"#)),
            buffer.clone(),
        )
    };
    let mesh = read(&textured(&text, 8), Format::Gltf).unwrap();
    same(&mesh);
    assert_eq!(mesh.uvs.len(), 12);
    // The coordinates are the numbers of the positions two by two: the first vertex has x and y of the first place, mirrored later.
    let corner = mesh
        .triangles
        .as_flattened()
        .iter()
        .position(|&corner| corner == 0)
        .unwrap();
    assert_eq!(mesh.uvs.as_flattened()[corner], glam::Vec2::new(-0.5, 2.0));
    assert!(
        read(&textured(&text, 800), Format::Gltf).unwrap().uvs.is_empty(),
        "faulty ones are left out"
    );
}

#[test]
fn mistakes_are_named_with_their_place() {
    let message = |bytes: &[u8], format| read(bytes, format).unwrap_err().to_string();
    assert_eq!(
        message(b"v 0 0 0\nv 1 x 0\n", Format::Obj),
        "OBJ, line 2: expected a number for y, found \"x\""
    );
    assert_eq!(
        message(b"v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n", Format::Obj),
        "OBJ, line 5: vertex 4 of a face does not exist; there are 3"
    );
    assert_eq!(message(b"v 0 0 0\n", Format::Obj), "OBJ: there are no triangles");
    let ply = write::ply(&brick());
    assert_eq!(
        message(&ply[..ply.len() - 1], Format::Ply),
        format!("PLY, byte {}: the file ends within its data", ply.len() - 4)
    );
    let text = String::from_utf8(ply_text(&brick())).unwrap();
    assert_eq!(
        message(text.replace("7 3 0", "7 3 zero").as_bytes(), Format::Ply),
        "PLY, line 21: expected a number, found \"zero\""
    );
    let stl = write::stl(&brick());
    assert!(message(&stl[..300], Format::Stl).starts_with("STL, byte 300: the file ends before"));
    assert!(message(b"\x01\x02", Format::Stl).contains("84 bytes"));
    let (text, _) = document(&brick(), 2, None);
    assert_eq!(
        message(text.as_bytes(), Format::Gltf),
        "glTF, buffers[0]: the buffer has no uri and no binary chunk"
    );
    assert!(message(b"{\n\n]", Format::Gltf).starts_with("glTF, line 3: not JSON"));
    let unknown = read_mesh(Path::new("a.step"), &ReadOptions::default()).unwrap_err();
    assert!(unknown.to_string().contains(".glb"));
}

#[test]
fn extensions_that_must_be_understood_are_named_and_harmless_ones_passed_over() {
    let requiring = |names: &str| {
        let (text, _) = document(&brick(), 2, None);
        let list = format!("{{\"extensionsRequired\":[{names}],");
        let text = text.replacen('{', &list, 1);
        read(text.as_bytes(), Format::Gltf).unwrap_err().to_string()
    };
    assert_eq!(
        requiring(r#""VENDOR_folded_space","KHR_materials_unlit""#),
        "glTF, extensionsRequired: VENDOR_folded_space is not supported; save the mesh without it"
    );
    assert!(requiring(r#""A_b","C_d""#).contains("each of A_b, C_d is not supported"));
    assert!(requiring(r#""KHR_mesh_quantization","KHR_texture_transform""#).starts_with("glTF, buffers[0]"));
}

/// A brick of two materials and a white part whose positions begin as zeros, or as another brick, and are listed one by one.
fn sparse_glb(base: &str) -> Vec<u8> {
    let mesh = cuboid(Vec3::new(0.5, 1.0, 1.5));
    let numbers = mesh.positions.iter().flat_map(|p| p.to_array());
    let mut buffer: Vec<u8> = numbers.flat_map(f32::to_le_bytes).collect();
    buffer.extend((0..8u16).flat_map(u16::to_le_bytes));
    let corners = mesh.triangles.as_flattened().iter();
    buffer.extend(corners.flat_map(|&corner| (corner as u16).to_le_bytes()));
    buffer.extend([0.0f32; 24].into_iter().flat_map(f32::to_le_bytes));
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0,"translation":[1,2,3]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"material":0}},
        {{"attributes":{{"POSITION":0}},"indices":2,"material":1}},{{"attributes":{{"POSITION":0}},"indices":3}}]}}],
        "materials":[{{"pbrMetallicRoughness":{{"baseColorFactor":[1,0.215861,0,1]}}}},{{"name":"plain"}}],
        "accessors":[{{{base}"componentType":5126,"count":8,"type":"VEC3","sparse":{{"count":8,
        "indices":{{"bufferView":1,"componentType":5123}},"values":{{"bufferView":0}}}}}},
        {{"bufferView":2,"componentType":5123,"count":12,"type":"SCALAR"}},
        {{"bufferView":2,"byteOffset":24,"componentType":5123,"count":12,"type":"SCALAR"}},
        {{"bufferView":2,"byteOffset":48,"componentType":5123,"count":12,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":96}},{{"buffer":0,"byteOffset":96,"byteLength":16}},
        {{"buffer":0,"byteOffset":112,"byteLength":72}},{{"buffer":0,"byteOffset":184,"byteLength":96}}],
        "buffers":[{{"byteLength":280}}]}}"#
    );
    to_glb(text, buffer)
}

#[test]
fn sparse_positions_replace_zeros_or_what_is_there() {
    for base in ["", r#""bufferView":3,"#] {
        let mesh = read(&sparse_glb(base), Format::Gltf).unwrap_or_else(|error| panic!("{error}"));
        assert!((mesh.volume() - 6.0).abs() < 1e-4);
        assert_eq!(mesh.bounds(), brick().bounds());
    }
    let text = String::from_utf8_lossy(&sparse_glb("")).into_owned();
    let start = text.find('{').unwrap();
    let end = start + text[start..].rfind("}]}").unwrap() + 3;
    let message = |from: &str, to: &str| {
        let mut buffer = sparse_glb("");
        buffer.drain(..buffer.len() - 280);
        let changed = text[start..end].replace(from, to);
        assert_ne!(changed, text[start..end]);
        read(&to_glb(changed, buffer), Format::Gltf).unwrap_err().to_string()
    };
    assert_eq!(
        message(r#""count":8,"type""#, r#""count":7,"type""#),
        "glTF, accessors[0].sparse.indices: index 7 names no entry; there are 7"
    );
    assert_eq!(
        message(r#""sparse":{"count":8"#, r#""sparse":{"count":9"#),
        "glTF, accessors[0].sparse.indices: 9 entries reach past the end of bufferViews[1]"
    );
    assert_eq!(
        message(r#","values":{"bufferView":0}"#, ""),
        "glTF, accessors[0].sparse.values: bufferView is missing"
    );
    assert!(message(r#""count":8,"type""#, r#""count":99999999999,"type""#).contains("without a bufferView"));
    assert_eq!(
        message("[1,0.215861,0,1]", "[1,0]"),
        "glTF, materials[0].pbrMetallicRoughness.baseColorFactor: expected four numbers, found [1,0]"
    );
    assert_eq!(
        message(r#""material":1"#, r#""material":2"#),
        "glTF, materials[2]: there is no such entry"
    );
}

#[test]
fn triangles_have_the_base_colors_of_their_materials() {
    let mesh = read(&sparse_glb(""), Format::Gltf).unwrap();
    assert_eq!(
        [0, 3, 4, 11].map(|triangle| mesh.color(triangle).unwrap()),
        [[255, 128, 0], [255, 128, 0], [255; 3], [255; 3]]
    );
    let (mended, _) = crate::repair(&mesh);
    assert_eq!(mended.colors, mesh.colors);
    assert!(read(&glb(2), Format::Gltf).unwrap().colors.is_empty());
}

#[test]
fn loops_among_nodes_and_huge_counts_are_refused() {
    let looped = br#"{"nodes":[{"children":[1]},{"children":[0]}],"scenes":[{"nodes":[0]}]}"#;
    assert!(
        read(looped, Format::Gltf)
            .unwrap_err()
            .to_string()
            .contains("more than one parent")
    );
    let head = "ply\nformat binary_little_endian 1.0\nelement vertex 18446744073709551615\n";
    let huge = format!("{head}property float x\nproperty float y\nproperty float z\nend_header\n");
    assert!(read(huge.as_bytes(), Format::Ply).is_err());
    let hollow = "ply\nformat ascii 1.0\nelement nothing 18446744073709551615\nend_header\n";
    assert!(
        read(hollow.as_bytes(), Format::Ply)
            .unwrap_err()
            .to_string()
            .contains("no properties")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn damaged_files_give_a_sound_mesh_or_an_error(
        which in 0usize..10,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..4), 1..6),
        keep in 0.0f64..1.3,
    ) {
        let mut files = every_format();
        files.push((Format::Gltf, sparse_glb("")));
        let (format, mut bytes) = files.swap_remove(which);
        for (place, byte, kind) in edits {
            let place = place.index(bytes.len());
            match kind {
                0 => bytes[place] = byte,
                1 => bytes.insert(place, byte),
                2 => { bytes.remove(place); }
                _ => bytes[place] = b"0123456789-e.{}[] \n"[byte as usize % 19],
            }
        }
        if keep < 1.0 {
            bytes.truncate((bytes.len() as f64 * keep) as usize);
        }
        if let Ok(mesh) = read(&bytes, format) {
            let vertices = mesh.positions.len();
            prop_assert!(mesh.triangles.as_flattened().iter().all(|&corner| (corner as usize) < vertices));
        }
    }
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    let text = b"\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n";
    let mesh = read(text, Format::Obj).expect("a triangle");
    assert_eq!((mesh.positions.len(), mesh.triangles.len()), (3, 1));
}

#[cfg(unix)]
#[test]
fn an_endless_file_is_refused() {
    let folder = std::env::temp_dir().join(format!("motes-endless-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("folder");
    let path = folder.join("endless.obj");
    std::os::unix::fs::symlink("/dev/zero", &path).expect("link");
    let error = read_mesh(&path, &ReadOptions::default());
    std::fs::remove_dir_all(&folder).expect("removed");
    let said = error.expect_err("endless").to_string();
    assert!(said.contains("too large for a mesh"), "{said}");
}
