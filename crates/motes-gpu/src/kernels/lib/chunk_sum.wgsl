// What the chunks of a body add up to, by one workgroup for each chunk: all of them come to the same bits. The threads below
// LEADERS find out where the body is, the others each have a member meanwhile.

const FOLLOWERS = WORKGROUP - LEADERS;
const STRANDS = WORKGROUP / 16u;

var<workgroup> strands: array<f32, WORKGROUP>;

// The sum over the chunks of a body, number by number: for the first thread.
fn sum_over_chunks(local: u32, chunk: u32) -> mat4x4f {
    let number = local % 16u;
    let first = chunks[chunk].sibling;
    let end = first + chunks[chunk].siblings;
    var sum = 0.0;
    for (var k = first + local / 16u; k < end; k += STRANDS) {
        sum += chunks[k].moments[number / 4u][number % 4u];
    }
    strands[local] = sum;
    workgroupBarrier();
    if local < 16u {
        for (var strand = 1u; strand < STRANDS; strand++) {
            sum += strands[local + 16u * strand];
        }
        strands[local] = sum;
    }
    workgroupBarrier();
    return mat4x4f(total_at(0u), total_at(4u), total_at(8u), total_at(12u));
}

fn total_at(first: u32) -> vec4f {
    return vec4f(strands[first], strands[first + 1u], strands[first + 2u], strands[first + 3u]);
}
