// Tightens strands, rows that follow one another: a workgroup has one, and a thread a link and the particle where it begins (motes-core's
// `strand.rs`).

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> slots: array<u32>;
// How many strands there are; four words of each: where its rows begin, how many, where its participants begin, and how many strands its first and, in the high 16
// bits, its last participant end. A row has BACKWARDS where it leads from its second particle to its first.
@group(0) @binding(3) var<storage, read> lists: array<u32>;
@group(0) @binding(4) var<storage, read> ends: array<vec4u>;
@group(0) @binding(5) var<storage, read> ends_of_row: array<vec2u>;
@group(0) @binding(6) var<storage, read_write> impulses: array<f32>;
@group(0) @binding(7) var<storage, read_write> changes: array<f32>;
// Where strands move particles that several of them end at: two of each.
@group(0) @binding(8) var<storage, read_write> end_moves: array<vec4f>;

struct Link {
    rest: f32,
    compliance: f32,
    impulse: f32,
    // It takes no part.
    idle: bool,
}

// Links in units of their lengths, and how much each changes (w).
var<workgroup> units: array<vec4f, WORKGROUP>;
var<workgroup> held: array<u32, WORKGROUP>;
var<workgroup> header: vec4u;
var<workgroup> pushes: atomic<u32>;
// How far to go with all: so that numbers can tell differences, and so that no link is turned around.
var<workgroup> tellable: atomic<u32>;
var<workgroup> straight: atomic<u32>;
var<workgroup> is_left: u32;

// The part of what is asked for that may be had, as bits, which are in the order of such numbers.
fn part_of(most: f32, asked: f32) -> u32 {
    return bitcast<u32>(select(1.0, most / asked, asked > most));
}

// Whether an end knows its row.
fn knows(e: u32, mobility: f32) -> bool {
    return mobility > 0.0 && ends[e].w != 0u;
}

fn link_of(row: u32, mobilities: vec2f) -> Link {
    var link = Link(0.0, 0.0, 0.0, true);
    let r = row & ~BACKWARDS;
    if COLORED == 1u {
        let answers = ends[2u * r + 1u];
        let asked = bitcast<vec2f>(ends[2u * r].zw);
        // A stated stiffness is not for strands.
        link = Link(asked.x, asked.y, impulses[r], answers.x == 0u || answers.y == 1u);
    } else {
        let both = select(ends_of_row[r].xy, ends_of_row[r].yx, row >= BACKWARDS);
        let first = knows(both.x, mobilities.x);
        if first || knows(both.y, mobilities.y) {
            let e = select(both.y, both.x, first);
            let asked = bitcast<vec2f>(ends[e].yz);
            link = Link(asked.x, asked.y, impulses[e], asked.y < 0.0);
        }
    }
    return link;
}

fn change(row: u32, mobilities: vec2f, more: f32) {
    let r = row & ~BACKWARDS;
    if COLORED == 1u {
        impulses[r] += more;
        return;
    }
    let both = select(ends_of_row[r].xy, ends_of_row[r].yx, row >= BACKWARDS);
    if knows(both.x, mobilities.x) {
        impulses[both.x] += more;
        changes[both.x] = 0.0;
    }
    if knows(both.y, mobilities.y) {
        impulses[both.y] += more;
        changes[both.y] = 0.0;
    }
}

// What the particle between two links means for the equation of one: the sum of its row (x), what it takes of the other (y), and what that wants of it (z).
fn meet(i: u32, other: u32, there: bool, mobility: f32) -> vec3f {
    if !there {
        return vec3f(mobility, 0.0, 0.0);
    }
    let crossing = mobility * dot(units[i].xyz, units[other].xyz);
    if held[other] == 1u {
        return vec3f(mobility, 0.0, crossing * units[other].w);
    }
    let bent = units[i].xyz - units[other].xyz;
    return vec3f(0.5 * mobility * dot(bent, bent), crossing, 0.0);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread.local;
    let s = group_index(thread);
    if i == 0u {
        header = vec4u();
        if s < lists[0] {
            header = vec4u(lists[4u * s + 1u], lists[4u * s + 2u], lists[4u * s + 3u], lists[4u * s + 4u]);
        }
        atomicStore(&pushes, 0u);
        atomicStore(&tellable, bitcast<u32>(1.0));
        atomicStore(&straight, bitcast<u32>(1.0));
    }
    let own = workgroupUniformLoad(&header);
    let count = own.y;
    if count == 0u {
        return;
    }
    // The particle of the thread, and the next.
    let shared_by = vec2u(extractBits(own.w, 0u, 16u), extractBits(own.w, 16u, 16u));
    var slot = 0u;
    var place = vec4f();
    if i <= count {
        slot = slots[lists[own.z + i]];
        place = select(vec4f(), vectors[predicted_at(max(slot, 1u) - 1u)], slot > 0u);
    }
    var ending = 1.0;
    if i == 0u {
        ending = f32(shared_by.x);
    } else if i == count {
        ending = f32(shared_by.y);
    }
    if ending > 1.0 {
        end_moves[2u * s + u32(i == count)] = vec4f();
    }
    let mobility = place.w * ending;
    wants[i] = vec4f(place.xyz, mobility);
    workgroupBarrier();
    var next = vec4f();
    if i < count {
        next = wants[i + 1u];
    }
    let row = lists[own.x + min(i, count - 1u)];
    let mobilities = vec2f(mobility, next.w);
    let way = next.xyz - place.xyz;
    let length = sqrt(dot(way, way));
    var link = link_of(row, mobilities);
    let idle = i >= count || link.idle || length <= SAME_PLACE || mobility + next.w + link.compliance <= 0.0;
    units[i] = vec4f(way / max(length, SAME_PLACE), 0.0);
    held[i] = u32(idle);
    workgroupBarrier();

    // What it is not shortened below: `shortest` there.
    var shortest = 0.0;
    if !idle {
        let other = slots[lists[own.z + i + 1u]] - 1u;
        let began = vectors[start_at(other)].xyz - vectors[start_at(slot - 1u)].xyz;
        let began_long = sqrt(dot(began, began));
        let parting = dot(vectors[before_at(other)].xyz - vectors[before_at(slot - 1u)].xyz, began) / max(began_long, SAME_PLACE);
        let over = max(began_long - link.rest, 0.0);
        shortest = began_long - params.h * max(abs(parting), STRAND_CLOSING * over);
    }
    var lacks = link.rest - length - link.compliance * link.impulse;
    var compliance = link.compliance;
    let most = max(-link.impulse, 0.0);
    for (var round = 0u; round < 2u; round++) {
        let is_held = held[i] == 1u;
        var equation = vec4f(1.0, 0.0, 0.0, 0.0);
        var wanted = units[i].w;
        if !is_held {
            let before = meet(i, max(i, 1u) - 1u, i > 0u, mobility);
            let after = meet(i, i + 1u, i + 1u < count, next.w);
            equation = vec4f(compliance + STRAND_YIELDS * (mobility + next.w) + before.x + after.x, before.y, after.y, 0.0);
            wanted = lacks + before.z + after.z;
        }
        let found = answer(i, count, equation, vec3f(wanted, 0.0, 0.0)).x;
        if !is_held {
            units[i].w = min(found, most);
            if found > most {
                // What is too long itself may pull once those beside it do not push.
                held[i] = u32(lacks >= 0.0);
                atomicStore(&pushes, 1u);
            } else if link.rest - max(compliance, 0.0) * (link.impulse + found) < shortest {
                // Where its tension would have it shorter than that it is as long as that.
                lacks = shortest - length;
                compliance = 0.0;
                atomicStore(&pushes, 1u);
            }
        }
        workgroupBarrier();
        if i == 0u {
            is_left = atomicLoad(&pushes);
        }
        if workgroupUniformLoad(&is_left) == 0u {
            break;
        }
    }

    let reach = max(link.rest, length);
    atomicMin(&tellable, part_of(STRAND_MOST * reach, select(0.0, abs(units[i].w) * (mobility + next.w), i < count)));
    workgroupBarrier();
    var more = select(0.0, units[i].w * bitcast<f32>(atomicLoad(&tellable)), i < count);
    if more != 0.0 {
        // All say the same.
        atomicStore(&pushes, 2u);
    }
    // What a link does to its particles, and how stiff it is sideways.
    let taut = max(max(-link.impulse, -link.impulse - more), 0.0) / max(length, SAME_PLACE);
    let is_link = i < count && !idle;
    wants[i] = vec4f(units[i].xyz * more, select(0.0, taut, is_link));
    workgroupBarrier();
    if i == 0u {
        is_left = atomicLoad(&pushes);
    }
    if workgroupUniformLoad(&is_left) != 2u {
        return;
    }
    var pushed_before = vec4f();
    var sum = vec3f();
    if i > 0u && i <= count {
        pushed_before = wants[i - 1u];
        sum = units[i - 1u].xyz;
    }
    let pushed_after = wants[i];
    if i < count {
        sum += units[i].xyz;
    }
    workgroupBarrier();
    let along = normal_or_zero(sum);
    let moved = mobility * (pushed_before.xyz - pushed_after.xyz);
    let kept = dot(moved, along) * along;
    let equation = vec4f(1.0, mobility * pushed_before.w, mobility * pushed_after.w, 0.0);
    let goes = kept + answer(i, count + 1u, equation, moved - kept);
    wants[i] = vec4f(goes, 0.0);
    workgroupBarrier();
    if i < count && !link.idle {
        let apart = wants[i + 1u].xyz - goes;
        let stretched = dot(apart, units[i].xyz);
        let aside = apart - stretched * units[i].xyz;
        let room = STRAND_TURN * reach;
        atomicMin(&straight, min(part_of(room, sqrt(dot(aside, aside))), part_of(length + room, -stretched)));
    }
    workgroupBarrier();
    let part = bitcast<f32>(atomicLoad(&straight));
    more *= part;
    if more != 0.0 {
        change(row, mobilities, more);
    }
    if i > count || slot == 0u || place.w == 0.0 {
        return;
    }
    if ending > 1.0 {
        end_moves[2u * s + u32(i == count)] = vec4f(part * goes / ending, 0.0);
    } else {
        vectors[predicted_at(slot - 1u)] = vec4f(place.xyz + part * goes, place.w);
    }
}
