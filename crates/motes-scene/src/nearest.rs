//! The valid name that was probably meant.

/// The candidate closest to `name`, if it is close enough to be a slip of the keyboard.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = name.chars().take(LONGEST).flat_map(char::to_lowercase).collect();
    candidates
        .into_iter()
        .map(|candidate| (distance(&wanted, &candidate.chars().collect::<Vec<_>>()), candidate))
        .filter(|(distance, candidate)| *distance <= tolerance(candidate.chars().count().max(wanted.len())))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Names longer than this are compared by their beginning only.
const LONGEST: usize = 64;

/// Slips allowed in a name: one in three letters, at least one.
fn tolerance(length: usize) -> usize {
    (length / 3).max(1)
}

/// Insertions, deletions, substitutions and swaps of neighbours between two names (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1; b.len() + 1];
        for j in 0..b.len() {
            let substituted = above[j] + usize::from(a[i] != b[j]);
            row[j + 1] = substituted.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_a_stranger_is_not() {
        let keys = ["iterations", "substeps", "up"];
        assert_eq!(nearest("iteratoins", keys), Some("iterations"));
        assert_eq!(nearest("SubSteps", keys), Some("substeps"));
        assert_eq!(nearest("pu", keys), Some("up"));
        assert_eq!(nearest("viscosity", keys), None);
    }

    #[test]
    fn a_swap_of_neighbours_counts_once() {
        let letters = |word: &str| word.chars().collect::<Vec<_>>();
        assert_eq!(distance(&letters("friciton"), &letters("friction")), 1);
        assert_eq!(distance(&letters("kitten"), &letters("sitting")), 3);
        assert_eq!(distance(&[], &letters("abc")), 3);
    }
}
