// Replaces, in the lists of pairs that others own, the owner by the number of the pair.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> ranges: array<vec4u>;
@group(0) @binding(2) var<storage, read> pairs: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> foreign: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let mine = ranges[i].zw;
    for (var k = mine.x; k < mine.x + mine.y; k++) {
        let own = ranges[foreign[k]].xy;
        // A pair that found no room is nowhere; it then stands for the one after the last, which is always zero.
        var number = params.pair_capacity;
        for (var p = own.x; p < own.x + own.y; p++) {
            if pairs[p].y == i {
                number = p;
            }
        }
        foreign[k] = number;
    }
}
