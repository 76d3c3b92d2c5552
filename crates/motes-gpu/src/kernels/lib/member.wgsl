// Links between members and slots: the slot of each member, plus one, and zero for the dead; then the member with each index
// of an id; then the members of clusters and the clusters of members.

fn member_of(kind: vec4u) -> u32 {
    if kind.z >= params.indices {
        return NO_MEMBER;
    }
    return membership[params.members + kind.z];
}
