// Marks particles that somebody removes: `mark_dead` counts them among the dead.

// How many there are, then the indices of their ids.
@group(0) @binding(0) var<storage, read> doomed: array<u32>;
// A bit for each index of an id, twice: those who die, and those who are condemned, who may be dead already.
@group(0) @binding(1) var<storage, read_write> deaths: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i < doomed[0] {
        let index = doomed[i + 1u];
        atomicOr(&deaths[arrayLength(&deaths) / 2u + index / 32u], 1u << (index % 32u));
    }
}
