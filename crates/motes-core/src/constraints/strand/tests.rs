use glam::Vec3;

use super::*;

/// One strand, and what tightening it comes to.
#[derive(Clone)]
struct Strand {
    ways: Vec<Vec3>,
    rest: f32,
    compliances: Vec<f32>,
    impulses: Vec<f32>,
    mobilities: Vec<f32>,
    changes: Vec<f32>,
    moves: Vec<Vec3>,
}

impl Strand {
    fn fill(&self, lane: usize, strands: &mut Strands) {
        for (mobilities, mobility) in strands.mobilities.iter_mut().zip(&self.mobilities) {
            mobilities[lane] = *mobility;
        }
        for (i, way) in self.ways.iter().enumerate() {
            let link = &mut strands.links[i];
            (0..3).for_each(|axis| link.way[axis][lane] = way[axis]);
            (link.rest[lane], link.compliance[lane], link.impulse[lane]) =
                (self.rest, self.compliances[i], self.impulses[i]);
        }
    }

    fn take(&mut self, lane: usize, strands: &Strands) {
        let count = self.ways.len();
        self.changes = strands.changes[..count].iter().map(|change| change[lane]).collect();
        let moves = strands.moves[..=count].iter();
        self.moves = moves
            .map(|moved| Vec3::from_array(moved.map(|axis| axis[lane])))
            .collect();
    }

    fn tighten(&mut self) {
        let mut strands = Strands::default();
        strands.resize(self.ways.len());
        self.fill(3, &mut strands);
        strands.tighten();
        self.take(3, &strands);
    }
}

/// A strand through some places, between particles of some inverse masses, whose links should be as long as that.
fn strand(places: &[Vec3], mobilities: &[f32], rest: f32) -> Strand {
    let ways: Vec<Vec3> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    Strand {
        rest,
        compliances: vec![0.0; ways.len()],
        impulses: vec![0.0; ways.len()],
        ways,
        mobilities: mobilities.to_vec(),
        changes: Vec::new(),
        moves: Vec::new(),
    }
}

#[test]
fn strands_side_by_side_do_not_know_of_each_other() {
    let mut alone: Vec<Strand> = (0..SIDE)
        .map(|lane| {
            let count = 5 + 9 * lane;
            let places: Vec<Vec3> = (0..count)
                .map(|i| Vec3::new((0.9 * i as f32).sin(), (0.3 * (i * lane) as f32).cos(), 0.2 * i as f32))
                .collect();
            strand(&places, &vec![1.0 + lane as f32; count], 0.3 + 0.1 * lane as f32)
        })
        .collect();
    let mut strands = Strands::default();
    strands.resize(alone.iter().map(|strand| strand.ways.len()).max().unwrap_or(0));
    let mut together = alone.clone();
    for (lane, strand) in together.iter().enumerate() {
        strand.fill(lane, &mut strands);
    }
    strands.tighten();
    for (lane, (alone, together)) in alone.iter_mut().zip(&mut together).enumerate() {
        alone.tighten();
        together.take(lane, &strands);
        assert!(
            alone.moves == together.moves && alone.changes == together.changes,
            "{lane}"
        );
        assert!(alone.moves.iter().any(|&moved| moved != Vec3::ZERO));
    }
}

fn row_of(count: usize, spacing: f32) -> Vec<Vec3> {
    (0..count).map(|i| spacing * i as f32 * Vec3::X).collect()
}

#[test]
fn a_weight_ten_thousand_times_as_heavy_is_held_at_once() {
    let mut places = row_of(101, 1.0);
    places[100].x += 0.5;
    let mut mobilities = [1e4; 101];
    (mobilities[0], mobilities[100]) = (0.0, 1.0);
    let mut strand = strand(&places, &mobilities, 1.0);
    strand.tighten();
    assert!((strand.moves[100].x + 0.5).abs() < 0.01, "{}", strand.moves[100]);
    assert!(
        strand.changes.iter().all(|change| (change + 0.5).abs() < 0.01),
        "{:?}",
        strand.changes
    );
}

#[test]
fn momentum_stays_whatever_the_shape() {
    let places: Vec<Vec3> = (0..40)
        .map(|i| Vec3::new((0.7 * i as f32).sin(), (1.3 * i as f32).cos(), 0.1 * i as f32))
        .collect();
    let mobilities: Vec<f32> = (0..40).map(|i| 1.0 + (i % 7) as f32).collect();
    let mut strand = strand(&places, &mobilities, 0.6);
    strand.tighten();
    let momentum: Vec3 = strand.moves.iter().zip(&mobilities).map(|(moved, w)| *moved / *w).sum();
    let size: f32 = strand
        .moves
        .iter()
        .zip(&mobilities)
        .map(|(moved, w)| moved.length() / w)
        .sum();
    assert!(size > 1.0 && momentum.length() < 1e-5 * size, "{momentum} of {size}");
}

#[test]
fn nothing_pushes_and_what_pulled_lets_go() {
    let mut slack = strand(&row_of(10, 0.9), &[1.0; 10], 1.0);
    slack.tighten();
    assert!(slack.changes.iter().all(|&change| change == 0.0) && slack.moves.iter().all(|&moved| moved == Vec3::ZERO));
    slack.impulses[4] = -0.001;
    slack.tighten();
    let changes: Vec<f32> = slack.changes.clone();
    assert_eq!(changes[4], 0.001);
    assert!(
        changes.iter().enumerate().all(|(i, &change)| i == 4 || change <= 0.0),
        "{changes:?}"
    );
    // One that is too long among those that are too short moves none but its own particles.
    let mut places = row_of(10, 0.9);
    places.iter_mut().skip(5).for_each(|place| place.x += 0.5);
    let mut one = strand(&places, &[1.0; 10], 1.0);
    one.tighten();
    let moved: Vec<usize> = (0..10).filter(|&i| one.moves[i] != Vec3::ZERO).collect();
    assert_eq!(moved, [4, 5]);
}

/// A taut string that is plucked does not gain, however long the sub-step: explicit springs would double within a few of them.
#[test]
fn what_is_taut_does_not_overshoot_sideways() {
    let mut places = row_of(21, 1.0);
    for (i, place) in places.iter_mut().enumerate() {
        place.y = if i % 2 == 1 && i < 20 { 1e-3 } else { 0.0 };
    }
    places[20].x += 0.2;
    let mut mobilities = [1000.0; 21];
    (mobilities[0], mobilities[20]) = (0.0, 1.0);
    let mut strand = strand(&places, &mobilities, 1.0);
    strand.tighten();
    for (i, (moved, place)) in strand.moves.iter().zip(&places).enumerate() {
        assert!(
            (moved.y + place.y).abs() <= 1e-3,
            "{i}: {} to {}",
            place.y,
            place.y + moved.y
        );
    }
}

#[test]
fn between_two_pins_where_nothing_helps_all_stays_finite() {
    let mut mobilities = [1.0; 30];
    (mobilities[0], mobilities[29]) = (0.0, 0.0);
    let mut strand = strand(&row_of(30, 1.1), &mobilities, 1.0);
    strand.tighten();
    assert!(
        strand.moves.iter().all(|moved| moved.length() < 0.1),
        "{:?}",
        strand.moves
    );
    assert!(strand.changes.iter().all(|change| change.is_finite()));
}

#[test]
fn rows_that_do_nothing_part_a_strand() {
    let mut mobilities = [1.0; 10];
    mobilities[0] = 0.0;
    let mut parted = strand(&row_of(10, 1.1), &mobilities, 1.0);
    parted.compliances[4] = -1.0;
    parted.tighten();
    assert_eq!(parted.changes[4], 0.0);
    assert!((parted.moves[4].x + 0.4).abs() < 1e-3, "{:?}", parted.moves);
    let second: Vec3 = parted.moves[5..].iter().sum();
    assert!(second.length() < 1e-5);
}

#[test]
fn a_strand_of_no_links_or_at_one_place_does_nothing() {
    for links in [0, 5] {
        let mut strand = strand(&vec![Vec3::ONE; links + 1], &vec![1.0; links + 1], 1.0);
        strand.tighten();
        assert!(strand.moves.iter().all(|&moved| moved == Vec3::ZERO));
    }
}
