//! `[[trigger]]`: regions that notice what is in them, and do something about it.

use super::Region;
use crate::decode::limits::between;

crate::words! {
    /// What a trigger counts.
    enum CountingWord {
        /// Those that are inside.
        "inside" => Inside,
        /// All that have entered since the start.
        "entered" => Entered,
    }
}

crate::table! {
    /// A region that counts grains and bodies, removes them, or switches other things on and off. A body counts as one.
    struct TriggerTable {
        /// Name, for messages and logs.
        name: String = String::new(),
        /// Where it looks.
        within: Region,
        /// Names of grains, bodies and emitters that count; by default everything does.
        of: Vec<String> = Vec::new(),
        /// How many it takes to switch.
        count: u64 = 1 => between(1.0, 1e9),
        /// Whether those count that are inside, or all that have entered since the start.
        counting: CountingWord = CountingWord::Inside,
        /// Remove what enters, bodies as a whole.
        kill: bool = false,
        /// Names of colliders, joints and emitters that are switched on when enough have come; "NAME.surface" has the
        /// surface of a collider run.
        on: Vec<String> = Vec::new(),
        /// The same of those that are switched off.
        off: Vec<String> = Vec::new(),
        /// Switch back when fewer than this are inside; by default it stays switched.
        back_below: Option<u64> = None => between(1.0, 1e9),
    }
}
