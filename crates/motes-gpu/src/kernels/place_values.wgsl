// Gives particles their values of an optional property, which is kept by id: those who are born, and those who were edited.

// Words of one value and how many values there are; then, for each, the index of the id and the words.
@group(0) @binding(0) var<storage, read> given: array<u32>;
@group(0) @binding(1) var<storage, read_write> values: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    let words = given[0];
    if i >= given[1] {
        return;
    }
    let row = 2u + i * (words + 1u);
    let place = given[row] * words;
    for (var k = 0u; k < words; k++) {
        values[place + k] = given[row + 1u + k];
    }
}
