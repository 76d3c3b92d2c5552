// Adds passive particles behind those there are, as long as there is room.

@group(0) @binding(0) var<uniform> passive: PassiveParams;
// Position and age, then velocity and lifetime, then kind and temperature, of each that is added.
@group(0) @binding(1) var<storage, read> born: array<vec4f>;
// How many there are, before and after; at 3, how many of these found no room so far.
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> positions: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> velocities: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> passive_kinds: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    let before = counts[1u - passive.counter];
    let added = min(passive.births, max(passive.most, before) - before);
    if i == 0u {
        counts[passive.counter] = before + added;
        counts[3] += passive.births - added;
    }
    if i < added {
        let row = 3u * (passive.first + i);
        positions[before + i] = born[row];
        velocities[before + i] = born[row + 1u];
        passive_kinds[before + i] = vec2u(u32(born[row + 2u].x), bitcast<u32>(born[row + 2u].y));
    }
}
