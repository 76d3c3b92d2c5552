// The table of cells: coordinates wrap around its sides, so distant cells may share an entry. The buffer holds, for each
// entry, where its particles end; then blow-ups; then the entry of each particle.

// Cell of a point in space: its coordinates times `inverse_cell`, rounded down. Worked out in integers, so that it is exact
// however far out the point lies, and neighbours are never two cells apart.
fn cell_in_space(point: vec3f) -> vec3i {
    let bits = bitcast<vec3u>(point);
    let scale = bitcast<u32>(params.inverse_cell);
    let exponent = (bits >> vec3u(23u)) & vec3u(255u);
    let x = select((bits & vec3u(0x7fffffu)) | vec3u(1u << 23u), vec3u(), exponent == vec3u());
    let y = (scale & 0x7fffffu) | (1u << 23u);
    // The product of two numbers of 24 bits, in halves of 24 bits.
    let low = (x & vec3u(0xfffu)) * (y & 0xfffu);
    let middle = (x >> vec3u(12u)) * (y & 0xfffu) + (x & vec3u(0xfffu)) * (y >> 12u) + (low >> vec3u(12u));
    let high = (x >> vec3u(12u)) * (y >> 12u) + (middle >> vec3u(12u));
    let rest = ((middle & vec3u(0xfffu)) << vec3u(12u)) | (low & vec3u(0xfffu));
    // What is left of the point is fraction.
    let drop = vec3i(276 - i32((scale >> 23u) & 255u)) - vec3i(exponent);
    let right = vec3u(clamp(drop, vec3i(), vec3i(24)));
    let left = vec3u(clamp(-drop, vec3i(), vec3i(8)));
    let whole = ((high << left) | (rest >> (vec3u(24u) - left))) >> right;
    let fraction = (rest << (vec3u(8u) + left)) | (high & ((vec3u(1u) << right) - vec3u(1u)));
    let size = vec3i(select(min(whole, vec3u(0x7fffffffu)), vec3u(0x7fffffffu), drop < vec3i(-8)));
    let below = -size - select(vec3i(), vec3i(1), fraction != vec3u());
    return select(size, below, bits >= vec3u(0x80000000u));
}

// The same, counted from where the table begins.
fn cell_of(point: vec3f) -> vec3i {
    return cell_in_space(point) - params.origin;
}

fn entry_of(cell: vec3i) -> u32 {
    let bits = params.cell_bits;
    let wrapped = vec3u(cell) & ((vec3u(1u) << bits) - vec3u(1u));
    return wrapped.x | (wrapped.y << bits.x) | (wrapped.z << (bits.x + bits.y));
}

// Particles that blew up in the frame; the lowest index among their ids follows.
fn blowup_place() -> u32 {
    return params.entry_room + 1u;
}

// Place of the entry of each particle. It stays the same when the table takes another size, or entries that were never
// used would not be empty. The sum of all lies before it.
fn key_place() -> u32 {
    return params.entry_room + BEHIND_CELLS;
}
