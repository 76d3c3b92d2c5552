// What a particle of gas is made of. Where neighbours find what they need of each other, in `flow`: its place, and its thermal diffusivity (w); what walls there are
// about it, or how full it is about it (w); its temperature in turn, or what of its vortex strength passes on, and 1 if it is gas (w).

fn is_gas(i: u32) -> bool {
    return (phase_of(kinds[sorted_kind_at(i)]) & GAS) != 0u;
}

// One of the two rows with what drives a gas: expansion, drag, baroclinity, diffusivity; cooling.
fn driven_by(i: u32, row: u32) -> vec4f {
    return table[params.gas_rows + 2u * material_of(kinds[sorted_kind_at(i)]) + row];
}
