// Adds passive particles behind those there are.

@group(0) @binding(0) var<uniform> passive: PassiveParams;
// Position and age, then velocity and lifetime, of each that is added.
@group(0) @binding(1) var<storage, read> born: array<vec4f>;
// How many there are, before and after.
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> positions: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> velocities: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> passive_kinds: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= passive.births {
        return;
    }
    let before = counts[1u - passive.counter];
    positions[before + i] = born[2u * i];
    velocities[before + i] = born[2u * i + 1u];
    passive_kinds[before + i] = MARKER;
    if i == 0u {
        counts[passive.counter] = before + passive.births;
    }
}
