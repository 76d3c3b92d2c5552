// Ages the particles, and finds those whose time is up, who are in a region that kills, or who are condemned.

@group(0) @binding(0) var<uniform> params: PopulationParams;
@group(0) @binding(1) var<storage, read> census: array<u32>;
@group(0) @binding(2) var<storage, read> positions: array<vec4f>;
@group(0) @binding(3) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(4) var<storage, read> volumes: array<Volume>;
// Seconds left, by the index of the particle's id.
@group(0) @binding(5) var<storage, read_write> lifetimes: array<f32>;
// 1 for those who live on.
@group(0) @binding(6) var<storage, read_write> places: array<u32>;
// A bit for each index of an id, twice: those who die, and those who are condemned.
@group(0) @binding(7) var<storage, read_write> deaths: array<atomic<u32>>;
// Of gas, four numbers by the index of the particle's id: last, for how long it has had no marker about it.
@group(0) @binding(8) var<storage, read> swirls: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.room {
        return;
    }
    var lives = 0u;
    if i < census[0] {
        let index = kinds[i].z;
        let condemned = atomicLoad(&deaths[arrayLength(&deaths) / 2u + index / 32u]);
        var dies = ((condemned >> (index % 32u)) & 1u) == 1u;
        if params.ages == 1u {
            let left = lifetimes[index] - params.dt;
            lifetimes[index] = left;
            dies |= left <= 0.0;
        }
        if params.leaves == 1u {
            dies |= swirls[4u * index + 3u] > params.lonely;
        }
        for (var v = 0u; v < params.volumes; v++) {
            dies |= volume_contains(volumes[v], positions[i].xyz);
        }
        if dies {
            atomicOr(&deaths[index / 32u], 1u << (index % 32u));
        } else {
            lives = 1u;
        }
    }
    places[i] = lives;
}
