//! Universal Scene Description, read with the crate `openusd`, which composes stages.

use std::io::Cursor;

use glam::{Quat, Vec3};
use motes_drawing::export::{Geometry, Snapshot, Timeline, UsdaWriter};
use openusd::sdf::Value;
use openusd::usd::{Prim, Stage, TimeCode};

use crate::{are_close, film, timeline};

pub(crate) fn written(timeline: Timeline, film: &[Snapshot]) -> String {
    let mut writer = UsdaWriter::new(timeline, Cursor::new(Vec::new()));
    for snapshot in film {
        writer.frame(snapshot).expect("a frame");
    }
    let mut bytes = Vec::new();
    writer.finish(&mut bytes).expect("a file");
    String::from_utf8(bytes).expect("text")
}

fn opened(text: &str) -> Stage {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("film.usda");
    std::fs::write(&path, text).expect("a file");
    let stage = Stage::open(path.to_str().expect("a path")).expect("a stage");
    assert!(stage.composition_errors().is_empty());
    stage
}

/// A value at a frame, from samples or for all times.
fn value(prim: &Prim, name: &str, frame: u64) -> Option<Value> {
    let attribute = prim.attribute(name);
    let sampled = attribute.get_at::<Value>(TimeCode::new(frame as f64));
    sampled.expect(name).or_else(|| attribute.get::<Value>().expect(name))
}

fn vectors(value: Option<Value>) -> Vec<Vec3> {
    match value {
        Some(Value::Vec3fVec(list)) => list.iter().map(|v| Vec3::new(v.x, v.y, v.z)).collect(),
        other => panic!("{other:?}"),
    }
}

fn numbers(value: Option<Value>) -> Vec<i64> {
    match value {
        Some(Value::IntVec(list)) => list.into_iter().map(i64::from).collect(),
        Some(Value::Int64Vec(list)) => list,
        other => panic!("{other:?}"),
    }
}

fn is_visible(prim: &Prim, frame: u64) -> bool {
    let word = value(prim, "visibility", frame).expect("a word");
    match word.as_str() {
        Some("inherited") => true,
        Some("invisible") => false,
        other => panic!("{other:?}"),
    }
}

const PRIMS: [(&str, &str); 4] = [
    ("floor", "floor"),
    ("brick", "brick"),
    ("late ball", "late_ball"),
    ("sheet/1", "sheet_1"),
];

#[test]
fn every_frame_is_read_back_as_it_was() {
    let film = film();
    let stage = opened(&written(timeline(), &film));
    for snapshot in &film {
        let frame = snapshot.frame;
        for (name, identifier) in PRIMS {
            let prim = stage.prim(format!("/World/{identifier}").as_str());
            assert_eq!(prim.type_name().expect("a type").expect("a type").as_str(), "Mesh");
            let object = snapshot.objects.iter().find(|object| object.name == name);
            if film[..=frame as usize]
                .iter()
                .all(|s| s.objects.iter().all(|o| o.name != name))
            {
                assert!(!is_visible(&prim, frame));
                continue;
            }
            assert_eq!(is_visible(&prim, frame), object.is_some(), "{name} in frame {frame}");
            let Some(object) = object else {
                continue;
            };
            let (mut points, mut normals) = (
                vectors(value(&prim, "points", frame)),
                vectors(value(&prim, "normals", frame)),
            );
            if let Geometry::Rigid(..) = object.geometry {
                let place = match value(&prim, "xformOp:translate", frame) {
                    Some(Value::Vec3d(v)) => Vec3::new(v.x as f32, v.y as f32, v.z as f32),
                    other => panic!("{other:?}"),
                };
                let turn = match value(&prim, "xformOp:orient", frame) {
                    Some(Value::Quatf(q)) => Quat::from_xyzw(q.x, q.y, q.z, q.w),
                    other => panic!("{other:?}"),
                };
                points.iter_mut().for_each(|point| *point = place + turn * *point);
                normals.iter_mut().for_each(|normal| *normal = turn * *normal);
            }
            let mesh = object.geometry.placed();
            assert!(are_close(&points, &mesh.positions), "{name} in frame {frame}");
            assert!(are_close(&normals, &mesh.normals), "{name} in frame {frame}");
            let corners: Vec<i64> = mesh.triangles.as_flattened().iter().map(|&c| i64::from(c)).collect();
            assert_eq!(numbers(value(&prim, "faceVertexIndices", frame)), corners);
            assert_eq!(
                numbers(value(&prim, "faceVertexCounts", frame)),
                vec![3; mesh.triangles.len()]
            );
            if !mesh.uvs.is_empty() {
                let Some(Value::Vec2fVec(uvs)) = value(&prim, "primvars:st", frame) else {
                    panic!("no texture coordinates");
                };
                let uvs: Vec<[f32; 2]> = uvs.iter().map(|uv| [uv.x, uv.y]).collect();
                assert_eq!(uvs, mesh.uvs.iter().map(|uv| uv.to_array()).collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn topology_has_a_sample_only_where_it_changes() {
    let stage = opened(&written(timeline(), &film()));
    let sheet = stage.prim("/World/sheet_1");
    let times = |name: &str| sheet.attribute(name).time_sample_times().expect(name);
    assert_eq!(times("faceVertexIndices"), [0.0, 6.0]);
    assert_eq!(times("faceVertexCounts"), [0.0]);
    assert_eq!(times("points").len(), 11);
    // The brick rests from frame 5 on.
    let brick = stage.prim("/World/brick").attribute("xformOp:translate");
    assert_eq!(
        brick.time_sample_times().expect("times"),
        [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    );
}

#[test]
fn units_and_times_are_said() {
    let stage = opened(&written(timeline(), &film()));
    assert_eq!((stage.start_time_code(), stage.end_time_code()), (0.0, 11.0));
    assert_eq!(stage.time_codes_per_second(), 24.0);
    assert_eq!(stage.default_prim().expect("a prim").as_str(), "World");
    let said = |stage: &Stage, name: &str| stage.stage_metadata(name).expect(name).expect(name);
    assert_eq!(said(&stage, "metersPerUnit"), Value::Double(1.0));
    assert_eq!(said(&stage, "upAxis").as_str(), Some("Y"));
    let upright = Timeline {
        z_up: true,
        ..timeline()
    };
    assert_eq!(said(&opened(&written(upright, &film())), "upAxis").as_str(), Some("Z"));
}

#[test]
fn grains_are_points_with_widths_and_ids() {
    let film = film();
    let stage = opened(&written(timeline(), &film));
    let grains = stage.prim("/World/grains");
    assert_eq!(grains.type_name().expect("a type").expect("a type").as_str(), "Points");
    assert!(!is_visible(&grains, 0));
    for snapshot in &film[1..] {
        let cloud = &snapshot.clouds[0];
        assert!(is_visible(&grains, snapshot.frame));
        assert!(are_close(
            &vectors(value(&grains, "points", snapshot.frame)),
            &cloud.positions
        ));
        let ids: Vec<i64> = cloud.ids.iter().map(|&id| i64::from(id)).collect();
        assert_eq!(numbers(value(&grains, "ids", snapshot.frame)), ids);
        assert_eq!(
            value(&grains, "widths", snapshot.frame),
            Some(Value::FloatVec(vec![0.1]))
        );
    }
}

#[test]
fn colors_are_bound() {
    let stage = opened(&written(timeline(), &film()));
    let sheet = stage.prim("/World/sheet_1");
    let target = sheet.relationship("material:binding").targets().expect("targets");
    let material = target[0].as_str().to_owned();
    let shader = stage.prim(format!("{material}/Surface").as_str());
    let Some(Value::Vec3f(color)) = value(&shader, "inputs:diffuseColor", 0) else {
        panic!("no colour");
    };
    assert!((color.z - 0.578).abs() < 1e-3, "{color:?}");
    assert_eq!(value(&shader, "inputs:opacity", 0), Some(Value::Float(0.5)));
}

#[test]
fn runs_of_nothing_and_of_one_frame_are_stages() {
    for frames in [0, 1] {
        let stage = opened(&written(timeline(), &film()[..frames]));
        assert_eq!(stage.end_time_code(), 0.0);
    }
    opened(&written(timeline(), &[Snapshot::default()]));
}
