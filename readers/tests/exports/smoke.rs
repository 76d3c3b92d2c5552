//! Smoke on a grid, read with the crates `vdb-rs` and `vtkio`; markers, read with `ply-rs-bw`.

use std::collections::HashMap;
use std::io::Cursor;

use glam::{IVec3, UVec3, Vec3};
use motes_drawing::SmokeMarker;
use motes_drawing::export::{SmokeGrid, write_smoke_ply, write_vdb, write_vti};
use ply_rs_bw::parser::Parser;
use ply_rs_bw::ply::{DefaultElement, Property};
use vdb_rs::{Grid, Map, VdbLevel, VdbReader};
use vtkio::model::{Attribute, DataSet, Extent, Piece};

/// Two clouds of smoke on either side of the origin.
fn markers() -> Vec<SmokeMarker> {
    let marker = |i: u32| {
        let side = if i < 300 { -1.5 } else { 1.0 };
        SmokeMarker {
            position: Vec3::new(
                side + (i % 17) as f32 * 0.03,
                (i % 23) as f32 * 0.04 - 0.3,
                (i % 5) as f32 * 0.1,
            ),
            velocity: Vec3::new(0.01 * i as f32, 1.0, -2.0),
            age: 0.5,
            lifetime: 2.0,
            radius: 0.04 + 0.0001 * i as f32,
            opacity: 0.3,
            temperature: 20.0 + i as f32,
        }
    };
    (0..500).map(marker).collect()
}

fn grid() -> SmokeGrid {
    SmokeGrid::new(&markers(), None)
}

/// What a grid has where there is smoke, by number of the voxel.
fn voxels(grid: &SmokeGrid) -> HashMap<IVec3, usize> {
    let smoky = (0..grid.len()).filter(|&voxel| grid.density[voxel] > 0.0);
    let place = |voxel: usize| {
        let size = grid.size.as_usizevec3();
        let place = UVec3::new(
            (voxel % size.x) as u32,
            (voxel / size.x % size.y) as u32,
            (voxel / (size.x * size.y)) as u32,
        );
        grid.first + place.as_ivec3()
    };
    smoky.map(|voxel| (place(voxel), voxel)).collect()
}

#[test]
fn fields_of_vdb_files_are_what_they_were() {
    let grid = grid();
    let mut bytes = Vec::new();
    write_vdb(&mut bytes, &grid).expect("written");
    let mut reader = VdbReader::new(Cursor::new(bytes)).expect("a VDB file");
    let mut names = reader.available_grids();
    names.sort();
    assert_eq!(names, ["density", "temperature", "velocity"]);
    let expected = voxels(&grid);
    assert!(expected.keys().any(|voxel| voxel.x < 0) && expected.keys().any(|voxel| voxel.x > 0));
    let field = |found: &Grid<f32>, value: &dyn Fn(usize) -> f32| {
        let mut count = 0;
        for (place, number, level) in found.iter() {
            let place = IVec3::new(place.x as i32, place.y as i32, place.z as i32);
            assert!(matches!(level, VdbLevel::Voxel));
            let voxel = *expected.get(&place).unwrap_or_else(|| panic!("no smoke at {place}"));
            assert_eq!(number, value(voxel), "{place}");
            count += 1;
        }
        assert_eq!(count, expected.len());
        let Map::UniformScaleMap { voxel_size, .. } = &found.transform else {
            panic!("another transform");
        };
        assert_eq!(voxel_size.x as f32, grid.voxel);
    };
    let density = reader.read_grid::<f32>("density").expect("a field");
    field(&density, &|voxel| grid.density[voxel]);
    let temperature = reader.read_grid::<f32>("temperature").expect("a field");
    field(&temperature, &|voxel| grid.temperature[voxel] + 273.15);
    let sum: f64 = density.iter().map(|(_, number, _)| f64::from(number)).sum();
    let whole: f64 = markers()
        .iter()
        .map(|marker| f64::from(marker.puff([0; 3]).extinction()))
        .sum();
    let side = f64::from(grid.voxel);
    assert!((sum * side.powi(3) / whole - 1.0).abs() < 1e-5, "{sum} {whole}");
}

#[test]
fn fields_of_vti_files_are_what_they_were() {
    let grid = grid();
    let mut bytes = Vec::new();
    write_vti(&mut bytes, &grid).expect("written");
    let file = vtkio::Vtk::parse_xml(bytes.as_slice()).expect("a VTI file");
    let DataSet::ImageData {
        extent,
        origin,
        spacing,
        pieces,
        ..
    } = file.data
    else {
        panic!("another kind of data");
    };
    let Extent::Ranges(ranges) = extent else {
        panic!("another extent");
    };
    let counts = ranges.map(|range| (range.end() - range.start() + 1) as u32);
    assert_eq!(UVec3::from_array(counts), grid.size);
    assert_eq!(spacing, [grid.voxel; 3]);
    assert!((Vec3::from_array(origin) - grid.first.as_vec3() * grid.voxel).length() < 1e-5);
    let Piece::Inline(piece) = &pieces[0] else {
        panic!("data elsewhere");
    };
    let numbers = |name: &str| -> Vec<f32> {
        let named = piece.data.point.iter().find_map(|attribute| match attribute {
            Attribute::DataArray(array) if array.name == name => array.data.clone().cast_into::<f32>(),
            _ => None,
        });
        named.unwrap_or_else(|| panic!("no {name}"))
    };
    assert_eq!(numbers("density"), grid.density);
    assert_eq!(numbers("temperature"), grid.temperature);
    let velocities: Vec<f32> = grid.velocity.iter().flat_map(|velocity| velocity.to_array()).collect();
    assert_eq!(numbers("velocity"), velocities);
}

#[test]
fn markers_of_ply_files_are_what_they_were() {
    let markers = markers();
    let mut bytes = Vec::new();
    write_smoke_ply(&mut bytes, &markers).expect("written");
    let ply = Parser::<DefaultElement>::new().read_ply(&mut bytes.as_slice());
    let ply = ply.expect("a PLY file");
    let rows = &ply.payload["vertex"];
    assert_eq!(rows.len(), markers.len());
    let number = |row: &DefaultElement, name: &str| match &row[name] {
        Property::Float(value) => *value,
        other => panic!("{name} is {other:?}"),
    };
    for (row, marker) in rows.iter().zip(&markers) {
        let vector = |names: [&str; 3]| Vec3::from_array(names.map(|name| number(row, name)));
        assert_eq!(vector(["x", "y", "z"]), marker.position);
        assert_eq!(vector(["vx", "vy", "vz"]), marker.velocity);
        assert_eq!(
            [number(row, "age"), number(row, "lifetime")],
            [marker.age, marker.lifetime]
        );
        assert_eq!(
            [number(row, "radius"), number(row, "opacity")],
            [marker.radius, marker.opacity]
        );
        assert_eq!(number(row, "temperature"), marker.temperature);
    }
}
