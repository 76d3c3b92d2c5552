// What shape matching needs to know of parts of bodies, one workgroup for each: of a chunk of a large body the sums over its
// members, to which `match_chunks` adds the other chunks; a cluster of a soft body is matched. STARTS is 1 for the sums over
// starting positions, without clusters. FIRST is 1 for the first time in a sub-step, by where its particles are when it
// begins: the rotation that was found last is what all of its matches guess.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(4) var<storage, read> bodies: array<Body>;
@group(0) @binding(5) var<storage, read_write> chunks: array<Chunk>;
@group(0) @binding(6) var<storage, read_write> clusters: array<Cluster>;

var<workgroup> lowest: atomic<u32>;

// The members of a part are an entry of a list each, or follow one another.
fn member_at(entry: u32, listed: bool) -> u32 {
    if listed {
        return membership[entry];
    }
    return entry;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let part = group_index(thread);
    let is_chunk = part < arrayLength(&chunks);
    let exists = part - arrayLength(&chunks) < arrayLength(&clusters);
    let p = min(part, arrayLength(&chunks) - 1u);
    let c = select(min(part - arrayLength(&chunks), arrayLength(&clusters) - 1u), 0u, is_chunk);
    var first = chunks[p].first;
    var count = chunks[p].count;
    if !is_chunk {
        first = clusters[c].first;
        count = select(0u, clusters[c].count, exists);
    }
    let end = first + count;
    if thread.local == 0u {
        atomicStore(&lowest, NO_MEMBER);
    }
    workgroupBarrier();
    for (var k = first + thread.local; k < end && !is_chunk; k += WORKGROUP) {
        if membership[membership[k]] != 0u {
            atomicMin(&lowest, k);
            break;
        }
    }
    workgroupBarrier();
    let some = atomicLoad(&lowest);
    let section = select(select(predicted_at(0u), start_at(0u), STARTS == 1u), position_at(0u), FIRST == 1u);
    let b = chunks[p].body;
    var near = select(bodies[b].to_position, bodies[b].from_position, STARTS == 1u);
    if some != NO_MEMBER {
        near = vectors[section + membership[membership[some]] - 1u].xyz;
    }
    let rotation = select(bodies[b].to_rotation, bodies[b].from_rotation, STARTS == 1u);
    let rigid = is_chunk && is_a(b, RIGID);
    var sum = mat4x4f();
    for (var k = first + thread.local; k < end; k += WORKGROUP) {
        let m = member_at(k, !is_chunk);
        var member = placed(m);
        if !is_chunk {
            // A member counts in each of its clusters with its share of its mass.
            member.mass /= f32(max(body_members[owner_at(m)].z, 1u));
        }
        sum += part_of(rigid, member, section, near, rotation, bodies[b].rest_center);
    }
    let moments = sum_over_group(thread.local, sum);
    if thread.local == 0u && is_chunk {
        // The pose is noted because `match_chunks` replaces it while other workgroups begin.
        chunks[p].near = near;
        chunks[p].guess = rotation;
        if rigid && STARTS == 0u {
            chunks[p].near = bodies[b].offset;
            chunks[p].guess = vec4f(bodies[b].angular_impulse, 0.0);
        }
        chunks[p].end_position = bodies[b].to_position;
        chunks[p].end_rotation = bodies[b].to_rotation;
        chunks[p].moments = moments;
    } else if thread.local == 0u && exists {
        if FIRST == 1u {
            clusters[c].guess = clusters[c].rotation;
        }
        let found = matched(moments, near, clusters[c].guess);
        clusters[c].center = found.center;
        clusters[c].rotation = found.rotation;
        clusters[c].rest_center = found.rest_center;
    }
}
