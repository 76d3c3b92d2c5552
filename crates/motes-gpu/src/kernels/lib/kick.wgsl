// Lines 1–5: forces and velocities; then the particle is counted into the cell that it would reach if nothing were in the
// way. Takes the velocity and the fraction of the kick (w), and returns the new velocity; a pin keeps its own. `weight` is the part of its weight that it feels. Where BODIES is 1,
// particles are counted once it is known where bodies fly.

// How strongly gravity acts on a particle of a material and a temperature, °C: gas is lifted by its warmth (motes-core's `smoke/forces.rs`).
fn gravity_share(material: u32, warmth: f32) -> f32 {
    if WARM == 0u {
        return table[material].x;
    }
    let lift = max(1.0 - SURROUNDINGS / max(warmth + ZERO_CELSIUS, 1.0), COLDEST);
    return table[material].x - table[params.gas_rows + 2u * material].x * lift;
}

fn start_substep(i: u32, position: vec4f, old: vec4f, kind: vec4u, warmth: f32, weight: f32) -> vec4f {
    var velocity = old.xyz;
    if position.w > 0.0 {
        let kick = params.h * old.w;
        var share = gravity_share(material_of(kind), warmth);
        if ORIENTED == 1u {
            share *= weight;
        }
        var change = kick * share * params.gravity;
        for (var f = 0u; f < params.fields; f++) {
            change += field_change(field_row(f), position.xyz, old.xyz, kick);
        }
        velocity = clamp_length(old.xyz + change, params.max_speed);
    }
    if BODIES == 0u {
        count_into_cell(i, candidate(position.xyz, velocity), kind);
    }
    return vec4f(velocity, 1.0);
}

// Fields follow the materials and their pairs.
fn field_row(f: u32) -> Field {
    let first = params.materials + params.materials * params.materials + FIELD_ROWS * f;
    let head = table[first];
    let place = table[first + 1u];
    let axis = table[first + 2u];
    let near = table[first + 3u];
    let far = table[first + 4u];
    let volume = Volume(near.xyz, near.w, far.xyz, bitcast<u32>(far.w));
    return Field(bitcast<u32>(head.x), head.y, head.z, head.w, place.xyz, place.w, axis.xyz, 0u, volume);
}
