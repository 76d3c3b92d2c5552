// What the contacts of each member do to each of its rigid parts: `Σ JᵀJ` with `J = (n, r × n)`, one thread for each member in a part.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> creature_params: CreatureParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> ranges: array<vec4u>;
@group(0) @binding(4) var<storage, read> pair_members: array<u32>;
// The owners of pairs with the particle, until `begin_solve` puts the numbers of these pairs there.
@group(0) @binding(5) var<storage, read> foreign: array<u32>;
@group(0) @binding(6) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(7) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(8) var<storage, read_write> loads: array<PartLoad>;

fn add_contact(load: ptr<function, PartLoad>, i: u32, normal: vec3f) {
    let place = vectors[predicted_at(i)].xyz - ellipsoid_point(outline_of(i), normal);
    let arm = place - (*load).center;
    let crossed = cross_matrix(arm);
    let normals = mat3x3f(normal * normal.x, normal * normal.y, normal * normal.z);
    let turning = crossed * normals;
    (*load).normals += normals;
    (*load).turning += turning;
    (*load).about += turning * transpose(crossed);
    (*load).everywhere += crossed * transpose(crossed);
    (*load).arms += arm;
    (*load).count += 1.0;
}

// Normal of the contact of two particles, towards the first, if they come near enough (w).
fn near_normal(first: u32, second: u32) -> vec4f {
    let offset = vectors[predicted_at(first)].xyz - vectors[predicted_at(second)].xyz;
    let touch = touch_ellipsoids(offset, outline_of(first), outline_of(second));
    let is_near = touch.w <= INSCRIBED_NEAR * min(radius_of(first), radius_of(second));
    return vec4f(touch.xyz, select(0.0, 1.0, is_near));
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let entry = thread_index(thread);
    if entry >= creature_params.part_entries || loads[entry].slot == 0u {
        return;
    }
    let i = loads[entry].slot - 1u;
    var load = PartLoad();
    load.slot = loads[entry].slot;
    load.center = loads[entry].center;
    let start = vectors[sorted_at(i)].xyz;
    let end = vectors[predicted_at(i)].xyz;
    let run = contact_ranges[i];
    for (var c = run.x; c < run.x + run.y; c++) {
        let normal = contacts[c].normal;
        let radius = wall_radius(i, normal);
        let before = dot(start - (contacts[c].point - contacts[c].travel), normal) - radius;
        let after = dot(end - contacts[c].point, normal) - radius;
        if min(before, after) <= INSCRIBED_NEAR * radius {
            add_contact(&load, i, normal);
        }
    }
    let range = ranges[i];
    for (var k = 0u; k < range.y + range.w; k++) {
        var touch = vec4f();
        if k < range.y {
            touch = near_normal(i, pair_members[range.x + k]);
        } else {
            touch = near_normal(foreign[range.z + k - range.y], i);
            touch = vec4f(-touch.xyz, touch.w);
        }
        if touch.w > 0.0 {
            add_contact(&load, i, touch.xyz);
        }
    }
    loads[entry] = load;
}
