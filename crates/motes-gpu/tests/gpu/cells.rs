//! The table of cells: exact however far out, and always of the size that the particles call for.

use motes_core::glam::{Vec3, Vec4Swizzles};
use motes_core::{CpuEngine, Engine, Group, Material, ParticleId, Settings, World};
use motes_gpu::{Buffer, GpuEngine, Kernel, Source};

const DT: f32 = 1.0 / 60.0;
const INVERSE_CELL: f32 = 9.523_8;

#[test]
fn cells_are_exact_however_far_out() {
    const CELL_OF: Source = Source::foreign(
        "cell_of",
        &[],
        concat!(
            "struct Params { origin: vec3i, inverse_cell: f32, cell_bits: vec3u, count: u32, entry_room: u32 }\n",
            "@group(0) @binding(0) var<storage, read> params: Params;\n",
            "@group(0) @binding(1) var<storage, read> points: array<vec4f>;\n",
            "@group(0) @binding(2) var<storage, read_write> cells: array<vec4i>;\n",
            "@compute @workgroup_size(WORKGROUP) fn main(@builtin(global_invocation_id) id: vec3u) {\n",
            "    if id.x < arrayLength(&points) { cells[id.x] = vec4i(cell_of(points[id.x].xyz), 0); }\n",
            "}\n",
            include_str!("../../src/kernels/lib/cells.wgsl"),
        ),
    )
    .with_shared_constants();
    let Some(gpu) = crate::gpu() else { return };
    let mut points = vec![
        [0.0_f32, -0.0, f32::MAX, 0.0],
        [f32::MIN, 1.0 / INVERSE_CELL, -1e-30, 0.0],
    ];
    let mut random = motes_core::random::Random::new(3, 0);
    for k in 0..4000 {
        let size = (k as f32 / 4000.0 * 60.0 - 20.0).exp2();
        points.push([0; 4].map(|_| random.signed() * size));
    }
    // Right at the walls between cells.
    for k in 0..1000 {
        let wall = (k * k * 17) as f32 / INVERSE_CELL;
        points.push([wall, f32::from_bits(wall.to_bits() + 1), -wall, 0.0]);
    }
    let kernel = Kernel::new(&gpu, &CELL_OF, &[]).expect("kernel");
    let params = Buffer::from_slice(
        &gpu,
        "params",
        &[0.0, 0.0, 0.0, INVERSE_CELL, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    )
    .expect("buffer");
    let given = Buffer::from_slice(&gpu, "points", &points).expect("buffer");
    let found = Buffer::<[i32; 4]>::new(&gpu, "cells", points.len()).expect("buffer");
    let bindings = kernel.bind(&gpu, &[params.binding(), given.binding(), found.binding()]);
    crate::run(&gpu, |pass| kernel.launch(pass, &bindings, points.len() as u32));
    let found = found.read(0..points.len()).expect("a read").wait().expect("cells");
    for (point, found) in points.iter().zip(&found) {
        for axis in 0..3 {
            // A product of two f32 is exact in f64.
            let expected = (f64::from(point[axis]) * f64::from(INVERSE_CELL)).floor() as i32;
            assert_eq!(found[axis], expected, "{:e}", point[axis]);
        }
    }
}

/// A block of grains that overlap a little.
fn block(corner: Vec3) -> Vec<Vec3> {
    (0..64)
        .map(|i| corner + 0.093_75 * Vec3::new((i % 4) as f32, (i / 4 % 4) as f32, (i / 16) as f32))
        .collect()
}

/// Has all of them fly to the middle: what only overlaps has no force to report.
pub(crate) fn press(world: &mut World, ids: &[ParticleId], places: &[Vec3]) {
    let middle = places[0].midpoint(places[places.len() - 1]);
    let inward: Vec<(ParticleId, Vec3)> = ids
        .iter()
        .zip(places)
        .map(|(&id, &place)| (id, 40.0 * (middle - place)))
        .collect();
    world.set_velocities(&inward).expect("alive");
}

fn world(engine: Box<dyn Engine>, blocks: &[Vec3]) -> World {
    let settings = Settings {
        gravity: Vec3::ZERO,
        substeps: 1,
        stabilization_iterations: 0,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, engine).expect("settings");
    let sand = world.add_material(Material::SAND).expect("material");
    let group = world.add_group(Group::grains("grains", sand)).expect("group");
    for &corner in blocks {
        let places = block(corner);
        let ids = world.add_particles(group, &places, Vec3::ZERO).expect("block");
        press(&mut world, &ids, &places);
    }
    world
}

fn contacts(world: &mut World) -> Vec<(ParticleId, String)> {
    let contacts = world.particle_contacts();
    let mut parties: Vec<_> = contacts
        .iter()
        .map(|contact| (contact.particle, format!("{:?}", contact.other)))
        .collect();
    parties.sort_unstable();
    parties
}

#[test]
fn clusters_far_from_each_other_and_from_the_origin_keep_their_contacts() {
    let Some(gpu) = crate::gpu() else { return };
    let far = [
        vec![Vec3::ZERO],
        vec![Vec3::new(1e5, 0.0, 0.0)],
        vec![Vec3::new(-1e5, 1e5, -1e5)],
        (0..30).map(|k| Vec3::splat(2.2e5 + 0.7 * k as f32)).collect(),
        vec![Vec3::ZERO, Vec3::new(1e5, -3e4, 1e5), Vec3::new(7.0, 1e5, 0.0)],
    ];
    let mut counts = Vec::new();
    for blocks in &far {
        let mut on_cpu = world(Box::new(CpuEngine::new()), blocks);
        let mut on_gpu = world(Box::new(GpuEngine::new(&gpu).expect("engine")), blocks);
        on_cpu.step(DT);
        on_gpu.step(DT);
        let (expected, found) = (contacts(&mut on_cpu), contacts(&mut on_gpu));
        assert_eq!(found, expected, "{blocks:?}");
        counts.push(found.len());
    }
    assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
}

/// Particles in the 27 entries around each, on average.
fn candidates(positions: &[Vec3], bits: &[u32]) -> f64 {
    let entry = |cell: [i64; 3]| {
        let wrapped = [0, 1, 2].map(|axis| cell[axis] & ((1 << bits[axis]) - 1));
        (wrapped[0] | wrapped[1] << bits[0] | wrapped[2] << (bits[0] + bits[1])) as usize
    };
    let cells: Vec<[i64; 3]> = positions
        .iter()
        .map(|position| (*position * INVERSE_CELL).floor().to_array().map(|x| x as i64))
        .collect();
    let mut filled = vec![0_u64; 1 << bits.iter().sum::<u32>()];
    cells.iter().for_each(|&cell| filled[entry(cell)] += 1);
    let around = |cell: [i64; 3]| -> u64 {
        (0..27)
            .map(|k| filled[entry([cell[0] + k % 3 - 1, cell[1] + k / 3 % 3 - 1, cell[2] + k / 9 - 1])])
            .sum()
    };
    cells.iter().map(|&cell| around(cell)).sum::<u64>() as f64 / cells.len() as f64
}

#[test]
fn a_block_that_spreads_is_searched_as_fast_as_one_that_starts_wide() {
    let Some(gpu) = crate::gpu() else { return };
    let settings = Settings {
        gravity: Vec3::ZERO,
        max_speed: f32::INFINITY,
        ..Settings::default()
    };
    let tight: Vec<Vec3> = (0..1000)
        .map(|i| 0.03 * Vec3::new((i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32))
        .collect();
    let wide: Vec<Vec3> = tight.iter().map(|&place| 10.0 * place).collect();
    let run = |places: &[Vec3], speed: f32| {
        let engine = GpuEngine::new(&gpu).expect("engine");
        let census = engine.count_buffer();
        let mut world = World::with_engine(settings.clone(), Box::new(engine)).expect("settings");
        let sand = world.add_material(Material::SAND).expect("material");
        let ghosts = Group {
            flags: 0,
            ..Group::grains("ghosts", sand)
        };
        let group = world.add_group(ghosts).expect("group");
        let ids = world.add_particles(group, places, Vec3::ZERO).expect("particles");
        let velocities: Vec<_> = ids
            .iter()
            .zip(places)
            .map(|(&id, &place)| (id, speed * place))
            .collect();
        world.set_velocities(&velocities).expect("alive");
        let mut bits = Vec::new();
        for _ in 0..10 {
            world.step(DT);
            bits.push(census.read(1..4).expect("a read").wait().expect("bits"));
        }
        let positions: Vec<Vec3> = world
            .particles()
            .positions
            .iter()
            .map(|position| position.xyz())
            .collect();
        (positions, bits)
    };
    let (spread, bits) = run(&tight, 54.0);
    let (fresh, fresh_bits) = run(&wide, 0.0);
    let searched = candidates(&spread, &bits[9]);
    let expected = candidates(&fresh, &fresh_bits[9]);
    let unchanged = candidates(&spread, &bits[0]);
    println!("candidates: {searched} spread, {expected} fresh, {unchanged} in the table of the start");
    assert!(searched <= 1.1 * expected, "{searched} {expected}");
    assert!(unchanged > 1.5 * expected, "the size of the table matters");
}
