use std::collections::BTreeMap;
fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut reasons: BTreeMap<String, u32> = BTreeMap::new();
    for k in 0..n {
        let text = motes_scene::random::draw(1, k, 0);
        let p = motes_scene::check::check_text(&text, "r", Default::default());
        if p.is_empty() {
            *reasons.entry("FINE".into()).or_default() += 1;
        }
        for p in p.iter().take(1) {
            let m: String = p
                .message
                .chars()
                .map(|c| if c.is_ascii_digit() { '#' } else { c })
                .collect();
            let path: String = p
                .path
                .chars()
                .map(|c| if c.is_ascii_digit() { '#' } else { c })
                .collect();
            *reasons
                .entry(format!("{path}: {}", &m.chars().take(70).collect::<String>()))
                .or_default() += 1;
        }
    }
    let mut v: Vec<_> = reasons.into_iter().collect();
    v.sort_by_key(|x| std::cmp::Reverse(x.1));
    for (r, c) in v.iter().take(60) {
        println!("{c} {r}");
    }
}
