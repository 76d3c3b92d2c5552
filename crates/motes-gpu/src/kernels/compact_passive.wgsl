// Stream compaction of passive particles: the living to the front of other arrays, in their order.

@group(0) @binding(0) var<uniform> passive: PassiveParams;
// How many live on before each, and behind them how many in all.
@group(0) @binding(1) var<storage, read> places: array<u32>;
@group(0) @binding(2) var<storage, read> positions: array<vec4f>;
@group(0) @binding(3) var<storage, read> velocities: array<vec4f>;
@group(0) @binding(4) var<storage, read> passive_kinds: array<vec2u>;
@group(0) @binding(5) var<storage, read_write> positions_left: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> velocities_left: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> kinds_left: array<vec2u>;
@group(0) @binding(8) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= passive.room {
        return;
    }
    let place = places[i];
    if places[i + 1u] != place {
        positions_left[place] = positions[i];
        velocities_left[place] = velocities[i];
        kinds_left[place] = passive_kinds[i];
    }
    if i == 0u {
        counts[passive.counter] = places[passive.room];
    }
}
