// Numbers as words that are in the same order, so that the greatest of them can be found word by word. 0 is below all of them.

fn word_of(number: f32) -> u32 {
    let bits = bitcast<u32>(number);
    return select(bits | 0x80000000u, ~bits, bits >= 0x80000000u);
}

// Of a word that nothing was written to, a number below all others.
fn number_of(word: u32) -> f32 {
    if word == 0u {
        return -1e30;
    }
    return bitcast<f32>(select(~word, word & 0x7fffffffu, word >= 0x80000000u));
}
