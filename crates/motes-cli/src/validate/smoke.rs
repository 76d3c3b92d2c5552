//! Smoke: a room that stays full, markers that are not lost, a plume that rises as plumes do, alike at any step, and eddies at its rim.

mod eddies;
mod plume;
mod room;

use super::Case;
use super::lab::furthest_from_one;
use plume::{Plumes, at_steps};
use room::Room;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "smoke/a room stays full",
            source: "exact: volume of gas that is heated from below over that of its room after 60 s, 2 x 4",
            reference: 1.0,
            band: [0.99, 1.01],
            unit: "",
            quick: false,
            measure: |engine| Room::heated().run(engine, 60.0).volume,
            control_name: "a tenth more gas",
            control: |engine| {
                Room {
                    layers: 11,
                    ..Room::heated()
                }
                .run(engine, 60.0)
                .volume
            },
        },
        Case {
            name: "smoke/markers stay in a room",
            source: "exact: markers inside after 60 s over those at the start, 2 x 4",
            reference: 1.0,
            band: [1.0, 1.0],
            unit: "",
            quick: false,
            measure: |engine| Room::heated().run(engine, 60.0).markers,
            control_name: "no lid",
            control: |engine| {
                Room {
                    has_lid: false,
                    ..Room::heated()
                }
                .run(engine, 60.0)
                .markers
            },
        },
        Case {
            name: "smoke/starting plume, exponent",
            source: "Turner 1962: the front of a starting plume rises as t^(3/4); the furthest off of three steps",
            reference: 0.75,
            band: [0.65, 0.85],
            unit: "",
            quick: false,
            measure: |engine| {
                let found = at_steps(engine, Plumes::rising()).map(|run| run.exponent());
                0.75 * furthest_from_one(found.map(|exponent| exponent / 0.75))
            },
            control_name: "no drag of the air",
            control: |engine| {
                at_steps(
                    engine,
                    Plumes {
                        drag: 0.0,
                        ..Plumes::rising()
                    },
                )[0]
                .exponent()
            },
        },
        Case {
            name: "smoke/rise at any step",
            source: "exact: height of a plume after 8 s at 2 x 4, 4 x 4 and 8 x 8, largest over smallest",
            reference: 1.0,
            band: [1.0, 1.1],
            unit: "",
            quick: false,
            measure: |engine| spread(at_steps(engine, Plumes::rising()).map(|run| run.height())),
            control_name: "drag that grows with the sub-steps",
            control: |engine| {
                let growing = Plumes {
                    grows: true,
                    ..Plumes::rising()
                };
                spread(at_steps(engine, growing).map(|run| run.height()))
            },
        },
        Case {
            name: "smoke/eddies of a rim",
            source: "Macklin et al. 2014, section 7.2.3: enstrophy with baroclinity over that without, the least of three steps",
            reference: 2.0,
            band: [2.0, 1000.0],
            unit: "",
            quick: false,
            measure: |engine| eddies::gained(engine, 1.0),
            control_name: "no baroclinity",
            control: |engine| eddies::gained(engine, 0.0),
        },
    ]
}

fn spread(heights: [f64; 3]) -> f64 {
    let most = heights.into_iter().fold(0.0, f64::max);
    most / heights.into_iter().fold(f64::MAX, f64::min)
}
