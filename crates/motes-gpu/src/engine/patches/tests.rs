use motes_core::glam::Vec3;

use super::{Net, Partition, Patch, PatchRoom};

/// A square sheet of so many particles a side: threads, diagonals, and curvatures of cells.
fn sheet(side: u32, shift: Vec3) -> Net {
    let mut net = Net::default();
    let number = |x: u32, y: u32| y * side + x;
    for y in 0..side {
        for x in 0..side {
            net.places.push(shift + Vec3::new(x as f32, y as f32, 0.0));
            let inside = |dx: u32, dy: u32| x + dx < side && y + dy < side;
            for [dx, dy] in [[1, 0], [0, 1], [1, 1]] {
                if inside(dx, dy) {
                    net.rows
                        .push((2 * net.rows.len() as u32, [number(x, y), number(x + dx, y + dy)]));
                }
            }
            if inside(1, 1) {
                let corners = [number(x, y), number(x + 1, y), number(x, y + 1), number(x + 1, y + 1)];
                net.bends.push((net.bends.len() as u32, corners));
                net.weights.push([0.0, 1.0, 2.0, 3.0]);
            }
            if inside(2, 0) {
                let [a, b, c] = [0, 1, 2].map(|step| number(x + step, y));
                net.bends.push((net.bends.len() as u32, [b, a, c, c]));
                net.weights.push([0.0, 1.0, 2.0, 3.0]);
            }
        }
    }
    net
}

fn append(net: &mut Net, other: Net) {
    let [places, rows, bends] = [net.places.len(), net.rows.len(), net.bends.len()].map(|count| count as u32);
    net.places.extend(other.places);
    let moved = other.rows.into_iter();
    net.rows
        .extend(moved.map(|(row, pair)| (2 * rows + row, pair.map(|i| i + places))));
    let moved = other.bends.into_iter();
    net.bends
        .extend(moved.map(|(bend, four)| (bends + bend, four.map(|i| i + places))));
    net.weights.extend(other.weights);
}

fn locals<'a>(made: &'a Partition, patch: &Patch) -> &'a [u32] {
    &made.members[patch.first as usize..][..patch.locals as usize]
}

/// What is listed of a particle: so many entries, each so many apart.
fn listed(made: &Partition, first: u32, number: usize, count: u32, apart: u32) -> Vec<u32> {
    let place = |entry: u32| made.lists[(first + entry * apart) as usize + number];
    (0..count).map(place).collect()
}

fn check(net: &Net, room: PatchRoom, made: &Partition) {
    let mut owners = vec![0; net.places.len()];
    for patch in &made.patches {
        assert!(patch.owned > 0 && patch.owned <= patch.ring && patch.ring <= patch.locals);
        assert!(patch.locals as usize <= room.locals && (patch.rows.max(3 * patch.bends)) as usize <= room.notes);
        let locals = locals(made, patch);
        let rows = &made.rows[patch.first_row as usize..][..patch.rows as usize];
        let bends = &made.bends[patch.first_bend as usize..][..patch.bends as usize];
        for (number, &particle) in locals[..patch.owned as usize].iter().enumerate() {
            owners[particle as usize] += 1;
            let count = made.lists[patch.counts as usize + number] >> 16;
            let entries = listed(made, patch.row_list, number, count, patch.owned);
            let found = entries.iter().map(|entry| {
                let [place, pair] = rows[(entry & 0xffff) as usize];
                let [a, b] = [pair & 0xffff, pair >> 16].map(|local| locals[local as usize]);
                assert_eq!(locals[(entry >> 16) as usize], a + b - particle, "the other end");
                (place, [a, b])
            });
            let wanted = net.rows.iter().copied().filter(|(_, pair)| pair.contains(&particle));
            assert!(found.eq(wanted), "all rows of {particle}, in order");
        }
        for (number, &particle) in locals[..patch.ring as usize].iter().enumerate() {
            let count = made.lists[patch.counts as usize + number] & 0xffff;
            assert!(count <= patch.most_bends);
            let entries = listed(made, patch.bend_list, number, count, patch.ring);
            let weights = listed(
                made,
                patch.bend_list + patch.most_bends * patch.ring,
                number,
                count,
                patch.ring,
            );
            let found = entries.iter().zip(weights).map(|(entry, weight)| {
                assert_eq!(
                    f32::from_bits(weight),
                    (entry >> 16) as f32,
                    "the weight of that particle"
                );
                let [place, first, second, _] = bends[(entry & 0xffff) as usize];
                let four = [first & 0xffff, first >> 16, second & 0xffff, second >> 16];
                (place, four.map(|local| locals[local as usize]), entry >> 16)
            });
            let wanted = net.bends.iter().flat_map(|&(place, four)| {
                let which = (0..).zip(four).filter(move |&(_, other)| other == particle);
                which.map(move |(which, _)| (place, four, which))
            });
            assert!(found.eq(wanted), "all curvatures of {particle}, in order");
        }
        let ring = &locals[..patch.ring as usize];
        let partners = rows.iter().flat_map(|[_, pair]| [pair & 0xffff, pair >> 16]);
        assert!(partners.into_iter().all(|local| (local as usize) < ring.len()));
    }
    assert!(owners.iter().all(|&count| count == 1), "every particle has one owner");
}

#[test]
fn patches_know_all_that_moves_what_they_own() {
    for side in [1, 2, 7, 30, 61] {
        let net = sheet(side, Vec3::ZERO);
        let (room, made) = net.partition().expect("no particle has many rows");
        check(&net, room, &made);
    }
}

#[test]
fn small_sheets_stay_whole() {
    let mut net = Net::default();
    for number in 0..700 {
        let place = Vec3::new((number % 9) as f32, (number / 9) as f32, 0.0);
        append(&mut net, sheet(6, 3.0 * place));
    }
    let (room, made) = net.partition().expect("no particle has many rows");
    check(&net, room, &made);
    let alone = made.patches.iter().all(|patch| patch.owned == patch.locals);
    assert!(alone, "no patch looks at what others own");
    assert!(
        made.patches.len() < 400,
        "several of them in a patch, {} in all",
        made.patches.len()
    );
}

#[test]
fn large_sheets_come_in_compact_patches() {
    let net = sheet(200, Vec3::ZERO);
    let (_, made) = net.partition().expect("no particle has many rows");
    let known = made.members.len() as f32 / net.places.len() as f32;
    assert!(known < 2.8, "a patch knows {known} particles for each that it owns");
}

#[test]
fn pins_of_many_tethers_have_larger_patches() {
    let mut net = sheet(40, Vec3::ZERO);
    let rows = net.rows.len() as u32;
    net.rows.extend((1..=280).map(|other| (2 * rows + other, [0, other])));
    let (room, made) = net.partition().expect("a patch has room for some hundred");
    assert_ne!(room, super::ROOMS[0]);
    check(&net, room, &made);
}

#[test]
fn hubs_fit_no_patch() {
    let mut net = sheet(40, Vec3::ZERO);
    let rows = net.rows.len() as u32;
    net.rows.extend((1..600).map(|other| (2 * rows + other, [0, other])));
    assert!(net.partition().is_none());
}
