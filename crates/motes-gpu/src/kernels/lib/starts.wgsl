// Where the particles of an entry of the table of cells begin: where those of the one before end.

fn begin_of(entry: u32) -> u32 {
    return select(cells[max(entry, 1u) - 1u], 0u, entry == 0u);
}
