// Finds the passive particles whose time is up or who are in a region that kills.

@group(0) @binding(0) var<uniform> passive: PassiveParams;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read> positions: array<vec4f>;
@group(0) @binding(3) var<storage, read> velocities: array<vec4f>;
@group(0) @binding(4) var<storage, read> volumes: array<Volume>;
// 1 for those who live on.
@group(0) @binding(5) var<storage, read_write> places: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= passive.room {
        return;
    }
    var lives = false;
    if i < counts[passive.counter] {
        let position = positions[i];
        lives = position.w + passive.dt < velocities[i].w && all(abs(position.xyz) < vec3f(FARTHEST));
        for (var v = 0u; v < passive.volumes; v++) {
            lives &= !volume_contains(volumes[v], position.xyz);
        }
    }
    places[i] = select(0u, 1u, lives);
}
