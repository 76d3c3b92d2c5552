// Particles of two rigid bodies that touch with their inscribed balls, and where that acts on them: motes-core's `solids.rs` and `feet.rs`.
// INSCRIBED is 1 where any body has such balls.

fn are_solid(first: u32, second: u32) -> bool {
    if INSCRIBED == 0u {
        return false;
    }
    return vectors[inscribed_at(first)].w >= 0.0 && vectors[inscribed_at(second)].w >= 0.0;
}

// The way out of a surface that leads along an offset, where either side is out.
fn facing(out: vec3f, layer: f32, offset: vec3f) -> vec3f {
    return select(out, -out, layer <= EITHER_SIDE && dot(out, offset) < 0.0);
}

// Normal of a contact, and the gap (w).
fn touch_solids(first: u32, second: u32, offset: vec3f) -> vec4f {
    let a = vectors[inscribed_at(first)];
    let b = vectors[inscribed_at(second)];
    let field_a = vectors[field_at(first)];
    let field_b = vectors[field_at(second)];
    let out_first = facing(-field_a.xyz, field_a.w, offset);
    let out_second = facing(field_b.xyz, field_b.w, offset);
    let flat_first = all(a.xyz == vec3f());
    let flat_second = all(b.xyz == vec3f());
    let both_corners = a.w == 0.0 && b.w == 0.0;
    var way = offset + a.xyz - b.xyz;
    if (flat_first && flat_second) || both_corners {
        way = select(offset, out_first + out_second, dot(out_first, out_second) > FACING);
    } else if flat_first {
        way = out_first;
    } else if flat_second {
        way = out_second;
    }
    let normal = way / max(length(way), 1e-37);
    let radii = vec2f(radius_of(first), radius_of(second));
    let seen_first = seen_of(a, normal, radii.x);
    let seen_second = seen_of(b, -normal, radii.y);
    let between = offset + seen_first.xyz - seen_second.xyz;
    let along = dot(between, normal);
    let aside = between - along * normal;
    let wide = SIDEWAYS * 0.5 * (radii.x + radii.y);
    if dot(aside, aside) <= wide * wide {
        return vec4f(normal, along - seen_first.w - seen_second.w);
    }
    let distance = length(offset);
    return vec4f(offset / distance, distance - NEAREST * (radii.x + radii.y));
}

// From a particle to its foot.
fn foot_of(i: u32) -> vec3f {
    if INSCRIBED == 0u {
        return vec3f();
    }
    return vectors[foot_at(i)].xyz;
}

// How much further its foot goes in the sub-step than the particle was about to.
fn slip_of(i: u32) -> vec3f {
    if INSCRIBED == 0u {
        return vec3f();
    }
    return vectors[slip_at(i)].xyz;
}

// How far the foot has swung since contacts were found.
fn swung_of(i: u32) -> vec3f {
    if INSCRIBED == 0u {
        return vec3f();
    }
    return cross(vectors[twist_at(i)].xyz, vectors[foot_at(i)].xyz);
}
