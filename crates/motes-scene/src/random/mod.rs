//! Random scenes: what users might write, within what [`check()`](crate::check::check) accepts without a warning.
//!
//! A scene is a text, so that it can be kept, shown, run and made smaller by hand. The same seed and number give the same text
//! on every machine. What a scene can have is a list, `INGREDIENTS`: a material, a shape or a constraint joins with a
//! function that writes its tables into places of the room that are free.

mod balloons;
mod belts;
mod bodies;
mod dice;
mod draft;
mod drivers;
mod grains;
mod joints;
mod liquids;
mod material;
mod menu;
mod obstacles;
mod room;
mod rows;
mod sheets;
mod smoke;
mod tears;
mod ties;

pub use menu::{Ingredient, Menu};
pub use room::ROOM;

use dice::{Decimal, Dice};
use draft::Draft;

use crate::check::check_text;
use crate::compile::SizeLimits;

/// Writes something into a scene.
type Write = fn(&mut Draft);

/// What a scene can have besides its room: under which name it can be left out, and how often it is drawn, in lots.
const INGREDIENTS: [(Option<Ingredient>, Write, usize); 6] = [
    (Some(Ingredient::Grains), grains::write, 3),
    (None, bodies::write, 5),
    (Some(Ingredient::Joints), joints::write, 3),
    (Some(Ingredient::Obstacles), obstacles::write, 2),
    (Some(Ingredient::Emitters), drivers::emitter, 1),
    (Some(Ingredient::Fields), drivers::field, 1),
];

/// What some scenes have besides: under which name, how many of a hundred, and what is added to the seed for it. Each is drawn apart, so
/// that scenes without it stay what they were.
const EXTRAS: [(Ingredient, Write, u32, u64); 10] = [
    (Ingredient::Rows, rows::write, 25, 0x726f_7773),
    (Ingredient::Cloth, sheets::cloth, 20, 0x636c_6f74),
    (Ingredient::Ropes, sheets::rope, 15, 0x726f_7065),
    (Ingredient::Belts, belts::belt, 20, 0x6265_6c74),
    (Ingredient::Triggers, belts::trigger, 20, 0x7472_6967),
    (Ingredient::Liquids, liquids::write, 30, 0x6c69_7175),
    (Ingredient::Balloons, balloons::write, 15, 0x6261_6c6c),
    (Ingredient::Tears, tears::write, 15, 0x7465_6172),
    (Ingredient::Ties, ties::write, 20, 0x7469_6564),
    (Ingredient::Smoke, smoke::write, 25, 0x736d_6f6b),
];

/// Attempts at a scene that nothing is doubtful about. What is drawn overlaps, is too fast or too thin in a few of ten.
const ATTEMPTS: u64 = 64;

/// About how many particles a scene may have, at most.
const PARTICLES: [u32; 4] = [100, 300, 600, 1200];

/// The text of a scene in TOML, for a seed and a number.
pub fn random_scene(seed: u64, number: u64, menu: Menu) -> String {
    let mut text = String::new();
    for attempt in 0..ATTEMPTS {
        text = draw(seed, number, attempt, menu);
        if check_text(&text, "random.toml", SizeLimits::default()).is_empty() {
            break;
        }
    }
    text
}

fn draw(seed: u64, number: u64, attempt: u64, menu: Menu) -> String {
    let mut dice = Dice::new(seed, number.wrapping_mul(ATTEMPTS).wrapping_add(attempt));
    let particles = dice.one_of(&PARTICLES);
    let mut draft = Draft::new(dice, menu, particles);
    room::write(&mut draft);
    let lots = INGREDIENTS
        .iter()
        .flat_map(|ingredient| std::iter::repeat_n(ingredient, ingredient.2));
    let lots: Vec<_> = lots.collect();
    for _ in 0..draft.dice.whole(1, 9) {
        let (name, write, _) = draft.dice.one_of(&lots);
        if name.is_none_or(|name| draft.menu.has(name)) {
            write(&mut draft);
        }
    }
    let head = head(&mut draft, seed, number);
    if draft.dice.chance(25) {
        draft.pair();
    }
    for (name, write, percent, apart) in EXTRAS {
        let mut dice = Dice::new(seed ^ apart, number.wrapping_mul(ATTEMPTS).wrapping_add(attempt));
        if dice.chance(percent) && draft.menu.has(name) {
            draft.dice = dice;
            write(&mut draft);
        }
    }
    draft.finish(&head)
}

fn head(draft: &mut Draft, seed: u64, number: u64) -> String {
    let mut head = format!("name = \"random-{seed}-{number}\"\nseed = {number}\n");
    let mut key = |key: &str, value: String| head.push_str(&format!("{key} = {value}\n"));
    key("particle_radius", Decimal(draft.radius).to_string());
    if draft.dice.chance(20) {
        key("gravity", Decimal(draft.dice.between(0.0, 12.0)).to_string());
    }
    key("frames", draft.frames.to_string());
    head.push_str("\n[solver]\n");
    let mut key = |key: &str, value: String| head.push_str(&format!("{key} = {value}\n"));
    key("substeps", draft.substeps.to_string());
    key("iterations", draft.iterations.to_string());
    if draft.dice.chance(10) {
        key("mass_scaling", Decimal(draft.dice.between(0.0, 2.0)).to_string());
    }
    if draft.dice.chance(10) {
        key("stabilization_iterations", draft.dice.whole(0, 4).to_string());
    }
    if draft.dice.chance(20) {
        key("constraint_solver", "\"gauss-seidel\"".to_owned());
    }
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_gives_the_same_scene_and_another_gives_another() {
        assert_eq!(random_scene(1, 5, Menu::FULL), random_scene(1, 5, Menu::FULL));
        assert_ne!(random_scene(1, 5, Menu::FULL), random_scene(1, 6, Menu::FULL));
        assert_ne!(random_scene(1, 5, Menu::FULL), random_scene(2, 5, Menu::FULL));
    }

    #[test]
    fn scenes_are_accepted_without_a_warning() {
        for number in 0..24 {
            let text = random_scene(3, number, Menu::FULL);
            let problems = check_text(&text, "random.toml", SizeLimits::default());
            assert!(problems.is_empty(), "{text}\n{problems:?}");
        }
    }
}
