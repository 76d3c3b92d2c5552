//! Materials: every preset, coefficients of their own within limits, and pairs.

use motes_core::Material;

use super::draft::Draft;
use super::menu::Ingredient;

impl Draft {
    /// Writes the material of an object as the value of its key, and as a table of its own if it is no preset. The table is
    /// returned, to be written before the object.
    pub(super) fn material(&mut self) -> (String, String) {
        let solids = Material::PRESETS.iter().filter(|(_, material)| !material.is_fluid());
        let (preset, _) = *self.dice.one_of(&solids.collect::<Vec<_>>());
        let rebounds = self.menu.has(Ingredient::Rebounds);
        let is_lively = Material::preset(preset).is_some_and(|material| material.restitution > 0.0);
        if self.dice.chance(50) && (rebounds || !is_lively) {
            return (preset.to_owned(), String::new());
        }
        let number = self.next_material();
        let name = format!("stuff{number}");
        let mut table = format!("\n[material.{name}]\nbase = \"{preset}\"\n");
        let mut set = |key: &str, value: f64| table.push_str(&format!("{key} = {}\n", super::dice::Decimal(value)));
        if self.dice.chance(50) {
            set("density", self.dice.between(200.0, 6000.0));
        }
        if self.dice.chance(50) {
            let held = self.dice.between(0.0, 1.5);
            set("static_friction", held);
            set("kinetic_friction", held * self.dice.between(0.5, 1.0));
        }
        if !rebounds {
            set("restitution", 0.0);
        } else if self.dice.chance(50) {
            set("restitution", self.dice.between(0.0, 1.0));
        }
        if self.dice.chance(20) {
            set("cohesion", self.dice.between(0.0, 5000.0));
        }
        if self.dice.chance(20) {
            set("adhesion", self.dice.between(0.0, 5000.0));
        }
        if self.dice.chance(20) {
            set("damping", self.dice.between(0.0, 3.0));
        }
        if self.dice.chance(10) {
            set("gravity_scale", self.dice.between(0.5, 1.5));
        }
        // Every third turns. By its number, so that all else is as the dice fall.
        if number.is_multiple_of(3) {
            set("rolling_resistance", 0.05 * f64::from(number / 3 % 8));
        }
        (name, table)
    }

    /// Opens a table of an object that has a material.
    pub(super) fn open(&mut self, list: &str, name: &str) {
        let (material, table) = self.material();
        if !table.is_empty() {
            self.line(table.trim_end());
        }
        self.line(&format!("\n[[{list}]]\nname = \"{name}\"\nmaterial = \"{material}\""));
        self.used.push(material);
    }

    /// Has two materials of the scene, or one with itself, behave otherwise than they combine.
    pub(super) fn pair(&mut self) {
        if self.used.is_empty() {
            return;
        }
        let last = self.used.len() as u32 - 1;
        let [a, b] = [0; 2].map(|_| self.dice.whole(0, last) as usize);
        let between = format!("between = [\"{}\", \"{}\"]", self.used[a], self.used[b]);
        self.line(&format!("\n[[material_pair]]\n{between}"));
        let held = self.dice.between(0.0, 1.5);
        self.number("static_friction", held);
        let kinetic = held * self.dice.between(0.5, 1.0);
        self.number("kinetic_friction", kinetic);
        if self.menu.has(Ingredient::Rebounds) {
            let restitution = self.dice.between(0.0, 1.0);
            self.number("restitution", restitution);
        }
    }
}
