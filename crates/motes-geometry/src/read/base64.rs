//! Base 64, as data in glTF files is written (RFC 4648).

/// The bytes that a text stands for; nothing if it has letters of another alphabet.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for letter in text.trim_end_matches('=').bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'\n' | b'\r' => continue,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_texts_are_decoded() {
        assert_eq!(decode("TW90ZXM="), Some(b"Motes".to_vec()));
        assert_eq!(decode("YQ=="), Some(b"a".to_vec()));
        assert_eq!(decode(""), Some(vec![]));
        assert_eq!(decode("a*b"), None);
    }
}
