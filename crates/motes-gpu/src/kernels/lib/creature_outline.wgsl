// Notes the shape of a member as it is turned now.

fn note_outline(m: u32, i: u32) {
    let shape = turned_ellipsoid(members[m].rotation, members[m].radii * members[m].radii);
    vectors[outline_at(i)] = vec4f(shape.diagonal, select(ALONE, IN_PART, is_rigid(m)));
    vectors[outline_mixed_at(i)] = vec4f(shape.mixed, members[m].weight);
}
