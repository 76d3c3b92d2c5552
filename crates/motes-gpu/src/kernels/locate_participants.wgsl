// Finds the participants of distances, curvatures and faces in their slots, once they are sorted: `locate_rows` of all three.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> distances: RowParams;
@group(0) @binding(2) var<uniform> curvatures: RowParams;
@group(0) @binding(3) var<uniform> faces: RowParams;
@group(0) @binding(4) var<storage, read> kinds: array<vec4u>;
// Of each list the participant with each index of an id, and the slot of each participant, plus one; zero for the dead.
@group(0) @binding(5) var<storage, read> distance_numbers: array<u32>;
@group(0) @binding(6) var<storage, read_write> distance_slots: array<u32>;
@group(0) @binding(7) var<storage, read> curvature_numbers: array<u32>;
@group(0) @binding(8) var<storage, read_write> curvature_slots: array<u32>;
@group(0) @binding(9) var<storage, read> face_numbers: array<u32>;
@group(0) @binding(10) var<storage, read_write> face_slots: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let index = kinds[sorted_kind_at(i)].z;
    if index < distances.indices && distance_numbers[index] != NOBODY {
        distance_slots[distance_numbers[index]] = i + 1u;
    }
    if index < curvatures.indices && curvature_numbers[index] != NOBODY {
        curvature_slots[curvature_numbers[index]] = i + 1u;
    }
    if index < faces.indices && face_numbers[index] != NOBODY {
        face_slots[face_numbers[index]] = i + 1u;
    }
}
