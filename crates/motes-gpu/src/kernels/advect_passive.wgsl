// Line 25: passive particles go with the particles around them, by their velocities after the solve (§7.2.1), or where nothing
// is within reach fly on their own, with drag. Of those that liquids gave off, how much liquid is around them says how they move; markers of
// smoke go with gas alone.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> passive: PassiveParams;
// Where PACKED, what `pack_carriers` has made of them.
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> cells: array<u32>;
@group(0) @binding(4) var<storage, read> counts: array<u32>;
// With their age (w).
@group(0) @binding(5) var<storage, read_write> positions: array<vec4f>;
// With their lifetime (w).
@group(0) @binding(6) var<storage, read_write> velocities: array<vec4f>;
// With their temperature.
@group(0) @binding(7) var<storage, read_write> passive_kinds: array<vec2u>;
@group(0) @binding(8) var<uniform> foam: FoamParams;
// Where ORDERED, which of them comes when: neighbouring threads then look at the same particles.
@group(0) @binding(9) var<storage, read> order: array<u32>;
@group(0) @binding(10) var<uniform> air: Air;
// Where SEES, which particles of gas have a marker of smoke about them.
@group(0) @binding(11) var<storage, read_write> seen: array<atomic<u32>>;

// Particles about the one at hand that were wanted, and those of them that are above.
var<private> neighbors: vec2f;

// By how much gas is warmer than the surroundings, weighted likewise.
var<private> warmth: f32;

fn place_of(j: u32) -> vec4f {
    if PACKED == 1u {
        return vectors[2u * j];
    }
    return vectors[predicted_at(j)];
}

fn carrier_of(j: u32) -> vec4f {
    if PACKED == 1u {
        return vectors[2u * j + 1u];
    }
    return vectors[carrier_at(j)];
}

// Sum of the velocities of some particles, each weighted by its kernel, Poly6 but for a factor that all have, and of the
// weights (w): of all, or of liquids or gases alone.
fn carried_by(first: u32, end: u32, point: vec3f, wanted: f32) -> vec4f {
    var sum = vec4f();
    for (var j = first; j < end; j++) {
        let place = place_of(j);
        let offset = place.xyz - point;
        var size = place.w;
        if PACKED == 0u || SIZES == 0u {
            size = radius_of(j);
        }
        let radius = 2.0 * passive.smoothing * size;
        let left = 1.0 - dot(offset, offset) * (1.0 / (radius * radius));
        if left > 0.0 {
            let carrier = carrier_of(j);
            if wanted != ANY {
                if MIXED == 1u && floor(0.5 * carrier.w) != wanted {
                    continue;
                }
                if SEES == 1u && wanted == OF_GAS && atomicLoad(&seen[j]) == 0u {
                    atomicStore(&seen[j], 1u);
                }
                neighbors += vec2f(1.0, select(0.0, 1.0, dot(offset, params.gravity) <= 0.0));
            }
            let scale = select(1.0, 1.0 / (radius * radius * radius), SIZES == 1u);
            let weight = scale * left * left * left;
            sum += weight * vec4f(carrier.xyz, 1.0);
            if WARM == 1u && wanted == OF_GAS {
                if PACKED == 1u {
                    warmth += weight * (place.w - AMBIENT);
                } else {
                    warmth += weight * (vectors[warmth_at(j)].w - AMBIENT);
                }
            }
        }
    }
    return sum;
}

// The same for all particles around a point (eq. 28), or for a thread's part of them.
fn velocity_around(point: vec3f, wanted: f32, part: Part) -> vec4f {
    var sum = vec4f();
    if ((passive.carriers >> u32(wanted)) & 1u) == 0u {
        return sum;
    }
    if SIZES == 1u {
        if part.number > 0u {
            return sum;
        }
        return velocity_on_levels(point, wanted);
    }
    let window = window_about(point, passive.cells);
    var warm = 0.0;
    for (var number = part.number; number < parts_of_sums(); number += SHARE) {
        warmth = 0.0;
        sum += velocity_in_part(window, point, wanted, number);
        warm += warmth;
    }
    warmth = warm;
    return sum;
}

// The same in one of so many rows of a window.
fn velocity_in_part(window: Window, point: vec3f, wanted: f32, number: u32) -> vec4f {
    var sum = vec4f();
    for (var z = 0u; z < window.sides.z; z++) {
        for (var y = 0u; y < window.sides.y; y++) {
            if ((z * window.sides.y + y) & (parts_of_sums() - 1u)) != number {
                continue;
            }
            let slots = trimmed_row(window, y, z);
            sum += carried_by(slots.x, slots.y, point, wanted);
            if slots.z < slots.w {
                sum += carried_by(slots.z, slots.w, point, wanted);
            }
        }
    }
    return sum;
}

fn velocity_on_levels(point: vec3f, wanted: f32) -> vec4f {
    var sum = vec4f();
    let aside = cells_within(passive.cells, 0);
    let cell = cell_of(point);
    for (var level = 0u; level < params.levels; level++) {
        let window = window_of(level, aside);
        for (var row = 0u; row < window.y * window.z; row++) {
            let slots = row_around(level, cell >> vec3u(level), aside, row);
            sum += carried_by(slots.x, slots.y, point, wanted) + carried_by(slots.z, slots.w, point, wanted);
        }
    }
    return sum;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let part = part_of(thread);
    let exists = part.i < counts[passive.counter];
    var i = part.i;
    var position = vec4f();
    var kind = 0u;
    var wanted = ANY;
    var around = vec4f();
    if exists {
        if ORDERED == 1u {
            i = order[i];
        }
        position = positions[i];
        kind = passive_kinds[i].x & ~FLEW;
        wanted = select(select(OF_LIQUID, OF_GAS, kind == SMOKE), ANY, kind == MARKER);
        around = velocity_around(position.xyz, wanted, part);
    }
    around = sum_of_parts(part, around);
    let more = sum_of_parts(part, vec4f(neighbors, warmth, 0.0));
    neighbors = more.xy;
    warmth = more.z;
    if !exists || part.number > 0u {
        return;
    }
    let before = velocities[i];
    if wanted == OF_LIQUID {
        move_foam(i, position, before, around);
        return;
    }
    var after = passive.decay * (before.xyz + params.h * params.gravity);
    var mean = 0.5 * (before.xyz + after);
    if around.w > 0.0 {
        after = around.xyz / around.w;
        mean = after;
    }
    if kind == SMOKE {
        var smoke = vec2u(SMOKE, bitcast<u32>(AMBIENT + warmth / max(around.w, 1e-37)));
        if around.w <= 0.0 {
            let warmer = bitcast<f32>(passive_kinds[i].y) - AMBIENT;
            smoke = vec2u(SMOKE | FLEW, bitcast<u32>(AMBIENT + warmer * exp(-params.h / STRAYS_COOL)));
            if passive.strays == 1u {
                smoke.x = SMOKE;
                after = air_velocity(position.xyz);
                mean = after;
            }
        }
        passive_kinds[i] = smoke;
    }
    positions[i] = position + params.h * vec4f(mean, 1.0);
    velocities[i] = vec4f(after, before.w);
}

fn move_foam(i: u32, position: vec4f, before: vec4f, around: vec4f) {
    let carried = around.xyz / max(around.w, 1e-37);
    var kind = FOAM;
    var after = carried;
    var ageing = 1.0;
    if neighbors.x < foam.few {
        kind = SPRAY;
        after = foam.wind + foam.flies * (before.xyz + foam.kick - foam.wind);
        ageing = SLOW_AGEING;
    } else if neighbors.y >= foam.covered {
        kind = BUBBLE;
        after = carried + foam.swims * (before.xyz - carried) + foam.lift;
        ageing = SLOW_AGEING;
    }
    passive_kinds[i].x = kind;
    positions[i] = position + params.h * vec4f(after, ageing);
    velocities[i] = vec4f(after, before.w);
}
