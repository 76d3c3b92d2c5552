// A part of a soft body.

struct Cluster {
    // Where it is matched: its centre, and that of its rest shape.
    center: vec3f,
    // Its first entry among the membership, and how many there are.
    first: u32,
    rest_center: vec3f,
    count: u32,
    // From the rest pose: as found last, and as found in the last sub-step.
    rotation: vec4f,
    guess: vec4f,
}
