// Where the clusters of a member want it, on average; `otherwise` if it is in none.
fn cluster_goal(m: u32, rest: vec3f, otherwise: vec3f) -> vec3f {
    let owner = body_members[owner_at(m)];
    if owner.z == 0u {
        return otherwise;
    }
    var sum = vec3f();
    for (var k = owner.y; k < owner.y + owner.z; k++) {
        let c = membership[k];
        sum += turn(clusters[c].rotation, rest - clusters[c].rest_center) + clusters[c].center;
    }
    return sum / f32(owner.z);
}
