use glam::{Vec3, Vec4Swizzles};
use motes_core::colliders::Plane;
use motes_core::random::Random;
use motes_core::*;
const RADIUS: f32 = 0.01;
const WIDTH: f32 = 0.4;
const DEPTH: f32 = 0.103;
fn front(positions: &[Vec3]) -> f32 {
    let bin = 4.0 * RADIUS;
    let full_layer = bin * DEPTH / (4.0 * RADIUS * RADIUS);
    let mut counts = vec![0f32; 400];
    for position in positions {
        if let Some(count) = counts.get_mut((position.x / bin).max(0.0) as usize) { *count += 1.0; }
    }
    let bins = counts.iter().position(|&count| count < 0.5 * full_layer).unwrap_or(counts.len());
    bins as f32 * bin
}
fn height_at_wall(positions: &[Vec3]) -> f32 {
    let mut heights: Vec<f32> = positions.iter().filter(|p| p.x < 6.0 * RADIUS).map(|p| p.y).collect();
    heights.sort_by(f32::total_cmp);
    let top = &heights[heights.len() - heights.len().div_ceil(20)..];
    top.iter().sum::<f32>() / top.len().max(1) as f32 + RADIUS
}
fn main() {
    for dev in std::env::args().skip(1) {
        let mut settings = Settings { particle_radius: RADIUS, ..Settings::default() };
        let mut mu = 0.5f32; let mut scale = 1.0f32; let mut muk = f32::NAN;
        for part in dev.split(',') {
            let (key, value) = part.split_once('=').unwrap();
            let v: f32 = value.parse().unwrap();
            match key { "s" => settings.substeps = v as u32, "i" => settings.iterations = v as u32, "k" => settings.mass_scaling = v,
             "w" => settings.relaxation = v, "st" => settings.stabilization_iterations = v as u32, "m" => settings.collision_margin = v, "z" => settings.sleep_speed = v, "cm" => settings.contact_memory = v, "a" => settings.averaging = [Averaging::None, Averaging::Count, Averaging::Directional][v as usize], "mu" => mu = v, "R" => { scale = v; settings.gravity = Vec3::new(0.0, -9.81 / v, 0.0); }, "muk" => muk = v, _ => {} }
        }
        if muk.is_nan() { muk = mu; }
        let mut world = World::new(settings).unwrap();
        let sand = world.add_material(Material { static_friction: mu, kinetic_friction: muk, ..Material::SAND }).unwrap();
        let slip = world.add_material(Material::FRICTIONLESS).unwrap();
        let group = world.add_group(Group::grains("g", sand)).unwrap();
        let wall = |w: &mut World, p: Vec3, n: Vec3, m| w.add_collider(Collider::new("w", Shape::Plane(Plane::new(n, 0.0).unwrap()), m, Pose::at(p))).unwrap();
        wall(&mut world, Vec3::ZERO, Vec3::Y, sand);
        wall(&mut world, Vec3::ZERO, Vec3::X, slip);
        wall(&mut world, Vec3::ZERO, Vec3::Z, slip);
        wall(&mut world, Vec3::new(0.0, 0.0, DEPTH), Vec3::NEG_Z, slip);
        let gate = wall(&mut world, Vec3::new(WIDTH, 0.0, 0.0), Vec3::NEG_X, slip);
        let mut random = Random::new(5, 0);
        let spacing = 2.0 * RADIUS * 1.02;
        let mut positions = Vec::new();
        let count = |length: f32| (length / spacing) as usize;
        for y in 0..count(2.9 * WIDTH) { for z in 0..count(DEPTH) { for x in 0..count(WIDTH) {
            let jitter = 0.1 * RADIUS * Vec3::new(random.signed(), random.signed(), random.signed());
            positions.push(spacing * (Vec3::new(x as f32, y as f32, z as f32) + 0.5) + jitter);
        } } }
        world.add_particles(group, &positions, Vec3::ZERO).unwrap();
        let get = |w: &mut World| -> Vec<Vec3> { w.particles().positions.iter().map(|p| p.xyz()).collect() };
        for _ in 0..(60.0*scale.sqrt()) as usize { world.step(1.0/60.0); }
        let p = get(&mut world);
        let filled = height_at_wall(&p) / WIDTH;
        let over: Vec<ParticleId> = { let p = world.particles(); (0..p.len()).filter(|&k| p.positions[k].y > 2.0 * WIDTH).map(|k| p.ids()[k]).collect() };
        world.remove_particles(&over);
        world.remove_collider(gate).unwrap();
        let t = std::time::Instant::now();
        for _ in 0..(180.0*scale.sqrt()) as usize { world.step(1.0/60.0); }
        let p = get(&mut world);
        let ke: f32 = world.particles().velocities.iter().map(|v| v.xyz().length_squared()).sum::<f32>() / p.len() as f32;
        let w = height_at_wall(&p) / WIDTH; let f = (front(&p) - WIDTH)/WIDTH;
        println!("{dev:28} n {} filled {filled:.3} runout {f:.2} wall {w:.3}  area~{:.2} vrms {:.4} m/s  {:.1} s", p.len(), 0.5*(1.0+f)*w, ke.sqrt(), t.elapsed().as_secs_f32());
    }
}
