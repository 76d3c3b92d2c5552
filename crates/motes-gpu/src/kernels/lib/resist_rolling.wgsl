// Has colliders resist the rolling of a grain on them, as `resist` in `turning.rs` of motes-core: one couple, `given` or, with `back`, what brings the grain to a
// stand on them, as far as they bear it. The rim of the grain has `turned` so far.

fn resist_rolling(i: u32, run: vec2u, turned: vec4f, given: vec3f, back: f32) {
    var bound = 0.0;
    var turning = vec3f();
    for (var c = run.x; c < run.x + run.y; c++) {
        let contact = contacts[c];
        let bears = select(contact.rolling * max(contact.normal_sum + contact.pull, 0.0), 0.0, contact.normal_sum == 0.0);
        bound += bears;
        turning += bears * contact.turn;
    }
    let couple = vectors[couple_at(i)].xyz;
    var yields = TURNING;
    var radius = radius_of(i);
    if ORIENTED == 1u {
        yields = dot(vectors[yields_at(i)].xyz, vec3f(1.0)) / 3.0;
        radius = wall_radius(i, contacts[run.x].normal);
    }
    let rolled = turned.xyz - radius * turning / max(bound, 1e-37);
    let wanted = select(given, couple - rolled / yields, back > 0.0);
    let held = hold(wanted, bound, 1.0, 1.0);
    vectors[turned_at(i)] = turned + yields * vec4f(held - couple, 0.0);
    vectors[couple_at(i)] = vec4f(held, 0.0);
}
