//! Letters as strokes of a pen, for pictures that have no fonts to rely on.

/// Height of capitals above the base line, in the units of strokes.
const CAPITAL: f64 = 6.0;
/// Space after every letter, in the same units.
const GAP: f64 = 1.5;

/// A line from point to point: x to the right, y up from the base line.
pub(super) type Stroke = Vec<[f64; 2]>;

/// Width of a text whose capitals are that high.
pub(super) fn width(text: &str, height: f64) -> f64 {
    let advance: f64 = text.chars().map(|letter| glyph(letter).1 + GAP).sum();
    (advance - GAP).max(0.0) * height / CAPITAL
}

/// The strokes of a text whose capitals are that high, from the origin on.
pub(super) fn strokes(text: &str, height: f64) -> Vec<Stroke> {
    let scale = height / CAPITAL;
    let (mut all, mut at) = (Vec::new(), 0.0);
    for letter in text.chars() {
        let (strokes, width) = glyph(letter);
        for stroke in strokes {
            all.push(stroke.into_iter().map(|[x, y]| [scale * (x + at), scale * y]).collect());
        }
        at += width + GAP;
    }
    all
}

/// Strokes and width of a letter.
fn glyph(letter: char) -> (Vec<Stroke>, f64) {
    let strokes: Vec<Stroke> = described(letter)
        .split(' ')
        .filter(|text| !text.is_empty())
        .map(stroke)
        .collect();
    let reach = strokes.iter().flatten().map(|[x, _]| *x).fold(0.0, f64::max);
    (strokes, if letter == ' ' { 1.5 } else { reach })
}

/// A stroke of pairs of digits, x and y + 2. One that begins with `~` is rounded at its corners.
fn stroke(text: &str) -> Stroke {
    let digits = text.trim_start_matches('~');
    let value = |byte: u8| f64::from(byte) - f64::from(b'0');
    let points: Stroke = { digits.as_bytes().chunks_exact(2) }
        .map(|pair| [value(pair[0]), value(pair[1]) - 2.0])
        .collect();
    let rounds = if digits.len() < text.len() { 4 } else { 0 };
    (0..rounds).fold(points, |points, _| cut_corners(&points))
}

/// Chaikin's corner cutting: in place of every corner two, a quarter of the way to the next. What ends where it began is closed.
fn cut_corners(points: &[[f64; 2]]) -> Stroke {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else {
        return Vec::new();
    };
    let mix =
        |pair: &[[f64; 2]], share: f64| [0, 1].map(|axis| pair[0][axis] + share * (pair[1][axis] - pair[0][axis]));
    let mut cut: Stroke = { points.windows(2) }
        .flat_map(|pair| [mix(pair, 0.25), mix(pair, 0.75)])
        .collect();
    if first == last {
        cut.extend(cut.first().copied());
    } else {
        cut.insert(0, first);
        cut.push(last);
    }
    cut
}

/// What letters are drawn as; those that are not known are boxes.
fn described(letter: char) -> &'static str {
    match letter {
        ' ' => "",
        '!' => "0804 0202",
        '"' => "0806 2826",
        '#' => "1218 3238 0444 0646",
        '$' => "~4748080545420203 2921",
        '%' => "0248 ~0818170708 ~3343423233",
        '&' => "~42160828260402223244",
        '\'' => "0806",
        '(' => "~19070311",
        ')' => "~09171301",
        '*' => "2428 0547 0745",
        '+' => "2226 0444",
        ',' => "1201",
        '-' => "0434",
        '.' => "0202",
        '/' => "0139",
        '0' => "~0802424808",
        '1' => "072822",
        '2' => "~070848460302 0242",
        '3' => "~0708484525 ~2545420203",
        '4' => "380444 3832",
        '5' => "480805 ~0546420203",
        '6' => "~4748080242460604",
        '7' => "084812",
        '8' => "~0805454808 ~0502424505",
        '9' => "~0302424808044446",
        ':' => "0202 0505",
        ';' => "1515 1201",
        '<' => "360432",
        '=' => "0333 0535",
        '>' => "063402",
        '?' => "~070848452524 2222",
        'A' => "022842 1434",
        'B' => "0802 ~08484505 ~05454202",
        'C' => "~474808024243",
        'D' => "0802 ~08484202",
        'E' => "48080242 0535",
        'F' => "480802 0535",
        'G' => "~474808024244 4424",
        'H' => "0802 4842 0545",
        'I' | 'l' => "0802",
        'J' => "~38320203",
        'K' => "0802 4804 1542",
        'L' => "080242",
        'M' => "0208244842",
        'N' => "02084248",
        'O' => "~0802424808",
        'P' => "0802 ~08484404",
        'Q' => "~0802424808 2442",
        'R' => "0802 ~08484505 2542",
        'S' => "~4748080545420203",
        'T' => "0848 2822",
        'U' => "~08024248",
        'V' => "082248",
        'W' => "0812375268",
        'X' => "0842 4802",
        'Y' => "082548 2522",
        'Z' => "08480242",
        '[' => "19090111",
        '\\' => "0931",
        ']' => "09191101",
        '^' => "062846",
        '_' => "0141",
        '`' => "0817",
        'a' => "~0602323606 3632",
        'b' => "~0602323606 0802",
        'c' => "~353606023233",
        'd' => "~0602323606 3832",
        'e' => "0434 ~343606023233",
        'f' => "~281812 0626",
        'g' => "~0602323606 ~36300001",
        'h' => "0802 ~04063632",
        'i' => "0602 0808",
        'j' => "~161000 1818",
        'k' => "0802 3604 1532",
        'm' => "0602 ~04062622 ~24264642",
        'n' => "0602 ~04063632",
        'o' => "~0602323606",
        'p' => "~0602323606 0600",
        'q' => "~0602323606 3630",
        'r' => "0602 ~040626",
        's' => "~3536060434320203",
        't' => "~181222 0626",
        'u' => "~06023236 3632",
        'v' => "062246",
        'w' => "0612365266",
        'x' => "0632 3602",
        'y' => "0622 4610",
        'z' => "06360232",
        '{' => "~29191505151121",
        '|' => "0901",
        '}' => "~09191525151101",
        '~' => "~04163446",
        '·' => "0404",
        '²' => "~0809191806 0616",
        _ => "0208484202",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_letter_of_ascii_is_drawn_and_none_like_another() {
        let letters: Vec<char> = ('!'..='~').filter(|letter| *letter != '@').collect();
        for (place, &letter) in letters.iter().enumerate() {
            assert_ne!(described(letter), described('\u{1}'), "{letter}");
            // A capital I and a small l are one stroke each, as are a capital O and a zero one ring.
            let alike = letters[place + 1..]
                .iter()
                .filter(|other| described(**other) == described(letter));
            assert!(alike.clone().all(|other| ['l', 'O'].contains(other)), "{letter}");
            let (strokes, width) = glyph(letter);
            assert!(strokes.iter().all(|stroke| !stroke.is_empty()), "{letter}");
            assert!((0.0..=6.0).contains(&width), "{letter}");
        }
    }

    #[test]
    fn a_text_is_as_wide_as_its_strokes_reach() {
        let strokes = strokes("time, s", 12.0);
        let reach = strokes.iter().flatten().map(|point| point[0]).fold(0.0, f64::max);
        assert!((reach - width("time, s", 12.0)).abs() < 1e-9);
    }
}
