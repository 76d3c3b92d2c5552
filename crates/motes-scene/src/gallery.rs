//! The scenes that come with motes: one registry for the program, the tests, the benchmarks and the pictures.

use std::path::Path;

use crate::check::check_draft;
use crate::compile::SizeLimits;
use crate::nearest::nearest;
use crate::problem::{Place, Problem, SceneError};
use crate::scene::{Draft, Scene};

/// A scene of the gallery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// One sentence about it.
    pub caption: &'static str,
    /// The scene file.
    pub text: &'static str,
}

/// The scene that runs when none is named.
pub const DEFAULT: &str = "splash";

macro_rules! entries {
    ($($name:literal: $caption:literal),* $(,)?) => {
        &[$(Entry {
            name: $name,
            caption: $caption,
            text: include_str!(concat!("../gallery/", $name, ".toml")),
        }),*]
    };
}

const ENTRIES: &[Entry] = entries! {
    "splash": "A dam breaks, and the wave sweeps a rabbit and her toys along",
    "sandcastle": "A castle of 73 000 moist grains stands, battlements and all",
    "marbles": "Glass marbles pour over a field of every collider shape",
    "column-collapse": "A tall column of coloured sand is let go",
    "hourglass": "Sand runs through a glass hourglass",
    "digger": "A blade ploughs a furrow through two layers of sand",
    "brazil-nut": "Large grains at the bottom of a shaken box of small ones rise to the top",
    "gravel": "Sand, gravel and stones are poured side by side and run into each other",
    "fountain": "Four jets of grains are caught in a vortex",
    "bunny-pile": "Eleven hundred rabbits of 40 particles each are poured into a crate",
    "stack": "Ten boxes at one iteration: with mass scaling they stand, without it they fall",
    "interlock": "Bodies that start inside each other come apart",
    "plastic-bunnies": "Balls of iron fall on clay rabbits, which keep their dents",
    "jelly": "Jellies from limp to firm drop onto the table",
    "dominoes": "A ball sets off a long winding row of dominoes",
    "buggy": "A buggy with motors in its wheels and springs above them drives over bumps and a seesaw",
    "wrecking-ball": "A ball of steel swings on its chain through a wall of bricks",
    "sorting-plant": "Belts and a screen of rollers sort gravel by size, scales open hatches, and a rabbit rides along",
    "sand-and-bodies": "Toys drop into a sandpit: some sink in, some stay on top",
    "melting": "Rabbits of wax on plates from cold to hot, and one that is cast in a mould",
    "melting-rabbits": "Rabbits of ice, chocolate and wax on warm plates end as puddles",
    "flag": "A flag of cotton flies in gusty wind",
    "curtain-and-ball": "A ball goes through a pleated curtain of silk, and comes back",
    "cloth-stack": "Four sheets of 64 by 64 particles fall on a ball, one on the other",
    "parachutes": "Crates come down under parachutes, and one without",
    "tent": "A tent is pitched, and stands in a storm",
    "net": "A net of knotted cords catches what falls into it",
    "pasta": "Twenty strings of pasta fall into a bowl",
    "trampoline": "A rabbit, a crate and a ball jump on a trampoline",
    "fabrics": "Silk, cotton, denim, leather, rubber and paper on round tables",
    "drape": "A disc of cotton drapes over a round table, as in Cusick's test",
    "balloons": "Balloons and an inflated rabbit in a crate, squeezed by a plate of glass",
    "tear": "A ball flies through three sheets of cotton and leaves them torn",
    "sandbag": "A sheet full of pumice is slit open",
    "dam-break": "A dam breaks, and the water carries the crates along",
    "sph-dam-break": "The forces of SPH, fourteen sub-steps a frame, drive a dam break against a pillar",
    "bunny-splash": "A rabbit drops into a pool, and the water flies",
    "wave-pool": "A wall makes waves, which break on a beach",
    "buoyancy": "Balls of five densities in a tank: each floats as deep as Archimedes says, or sinks",
    "bunny-bath": "Rabbits jump into a bath",
    "bunny-drop": "A rabbit of water falls into a pool and is one with it",
    "armadillo-splash": "A beast stands where two waves meet",
    "water-balloons": "Three balloons full of water are slit one after the other",
    "splashdown": "Rabbits come down under parachutes into a pool",
    "washing": "Washing tumbles in a drum half full of water",
    "sand-castle-and-tide": "The tide takes a sand castle",
    "faucet-and-cups": "Three cups are filled under a faucet, one after the other, and carried on",
    "honey": "Honey runs over a stack of pancakes",
    "two-fluids": "Oil and water crash into each other; in the end the oil is on top",
    "rayleigh-taylor": "A liquid falls in fingers through another of a quarter of its density",
    "smoke-plume": "Smoke rises from two hot vents: on the left as it is, on the right with eddies rolling up its rim",
    "smoke-box": "Air in a box, warmed from below, carries smoke about: a slice of a closed room",
    "smoke-cloth": "A sheet falls, knocks over what stands there, and meets a plume of smoke",
    "smoke-rings": "A piston blows smoke rings out of a pipe, in a room full of air",
    "chimney": "A house has its stove lit on a windy day",
    "kettle": "Water boils in a kettle of glass, and the steam leaves by its neck",
    "candle-hall": "Twenty candles burn in a dark hall, and a draught goes through it",
    "dust": "A ball of iron falls into a heap of fine sand, and the dust flies",
    "octopus": "An octopus of 300 oriented particles drops onto a rock and holds on",
    "octopus-pile": "Three octopuses fall into a dish and tangle",
    "reef": "A fish swims among water plants; only the path of its head is scripted",
    "twisted-rope": "A cord that is a chain of ellipsoids is twisted at one end until it coils up",
    "ragdolls": "Dolls of oriented particles tumble down a flight of stairs",
    "settling": "A block of 100 000 grains settles under its weight: the benchmark",
};

/// Every scene of the gallery.
pub fn gallery() -> &'static [Entry] {
    ENTRIES
}

/// A scene by its name in the gallery, or else by its file name, changed by assignments such as `solver.substeps=4`.
pub fn find(name_or_path: &str, assignments: &[impl AsRef<str>]) -> Result<Scene, SceneError> {
    find_draft(name_or_path, assignments).and_then(Draft::finish)
}

/// Everything wrong with or doubtful about a scene, named as in [`find`].
pub fn check(name_or_path: &str, assignments: &[impl AsRef<str>]) -> Vec<Problem> {
    check_draft(find_draft(name_or_path, assignments), SizeLimits::default())
}

fn find_draft(name_or_path: &str, assignments: &[impl AsRef<str>]) -> Result<Draft, SceneError> {
    if let Some(entry) = ENTRIES.iter().find(|entry| entry.name == name_or_path) {
        return Scene::draft(entry.text, &format!("gallery/{}.toml", entry.name), assignments);
    }
    let looks_like_a_file = name_or_path.contains(['/', '\\', '.']);
    if looks_like_a_file || Path::new(name_or_path).exists() {
        return Scene::load_draft(Path::new(name_or_path), assignments);
    }
    let names = ENTRIES.iter().map(|entry| entry.name);
    let help = match nearest(name_or_path, names.clone()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("the gallery has {}", names.collect::<Vec<_>>().join(", ")),
    };
    let problem = Problem::error(
        Place::start(name_or_path),
        "",
        "neither a scene of the gallery nor a file",
    );
    Err(problem.with_help(help).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_reads_and_carries_its_name_and_caption() {
        for entry in gallery() {
            let scene = find(entry.name, &[] as &[&str]).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(scene.name, entry.name);
            assert_eq!(scene.caption, entry.caption);
            assert!(scene.camera.is_some());
            assert!(entry.text.lines().count() < 100, "{}", entry.name);
        }
        assert!(gallery().iter().any(|entry| entry.name == DEFAULT));
    }

    #[test]
    fn a_slip_in_a_name_is_recognised() {
        let error = find("sandcaslte", &[] as &[&str]).unwrap_err();
        assert!(error.to_string().contains("did you mean `sandcastle`?"), "{error}");
        let error = find("no/such/file.toml", &[] as &[&str]).unwrap_err();
        assert!(error.to_string().contains("cannot be read"), "{error}");
    }
}
