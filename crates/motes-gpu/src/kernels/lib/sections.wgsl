// Where a particle has its vectors: section by section in one buffer, and its kinds in another. `position_at` and the other
// functions that find them are declared in Rust, by `sections!` in `engine/arrays.rs`, and written before the kernels that name
// this file; `Source::text` shows them.
