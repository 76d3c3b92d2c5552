fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let frames: usize = args[0].parse().unwrap();
    let scene = motes_scene::gallery::find("sandcastle", &args[1..]).unwrap();
    let mut world = scene.build(Box::new(motes_core::CpuEngine::new())).unwrap().world;
    let t = std::time::Instant::now();
    for f in 0..=frames {
        if f % (frames / 5).max(1) == 0 {
            let p = world.particles();
            let mut y: Vec<f32> = p.positions.iter().map(|p| p.y).collect();
            y.sort_by(f32::total_cmp);
            let v = (p.velocities.iter().map(|v| v.truncate().length_squared()).sum::<f32>() / y.len() as f32).sqrt();
            print!("{:.3} (v {:.3})  ", y[y.len() - 1 - y.len() / 200], v);
        }
        world.step(scene.dt());
    }
    println!(" n {}  {:.0} ms/frame  {}", world.particle_count(), t.elapsed().as_secs_f32() * 1e3 / frames as f32, args[1..].join(" "));
}
