//! No kernel writes down what Rust knows.

use std::collections::BTreeSet;

use super::SHARED;
use super::Value::Word;
use crate::engine::arrays;
use crate::kernels::ALL;

/// Constants of literals that mean nothing outside of the kernels that declare them.
const KERNELS_OWN: [&str; 23] = [
    "ANY",
    "OF_LIQUID",
    "OF_GAS",
    "MOVED_OUT",
    "MOVED_BY_JOINTS",
    "NO_TASK",
    "FOLLOW",
    "LOOK",
    "LOOK_ALONE",
    "NOTES",
    "NOT_NOTED",
    "NOWHERE",
    "COUNT",
    "WRITE",
    "KEPT",
    "NO_COLLIDER",
    "NONE",
    "FACE",
    "EDGE",
    "CORNER",
    "SLICE",
    "SCALE",
    "IS_LIQUID",
];

/// Name and text of every file of WGSL, without comments.
fn files() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/kernels");
    let mut files = Vec::new();
    for folder in [folder.to_owned(), format!("{folder}/lib")] {
        for entry in std::fs::read_dir(folder).expect("the kernels are there") {
            let path = entry.expect("a file").path();
            if path.extension().is_some_and(|ending| ending == "wgsl") {
                let text = std::fs::read_to_string(&path).expect("text");
                let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
                files.push((path.display().to_string(), code.collect::<Vec<_>>().join("\n")));
            }
        }
    }
    assert!(files.len() > 80);
    files
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

/// Name and value of every constant that a file declares.
fn declared(code: &str) -> impl Iterator<Item = (&str, &str)> {
    let declarations = code.lines().filter_map(|line| line.trim().strip_prefix("const "));
    declarations.filter_map(|declaration| declaration.split_once('='))
}

#[test]
fn no_kernel_declares_a_constant_that_rust_may_know() {
    let injected: BTreeSet<&str> = SHARED
        .iter()
        .map(|(name, _)| *name)
        .chain(ALL.iter().flat_map(|kernel| kernel.constants).map(|(name, _)| *name))
        .chain(["WORKGROUP"])
        .collect();
    let mut own = BTreeSet::new();
    for (file, code) in &files() {
        for (name, value) in declared(code) {
            let name = words(name).next().unwrap_or_default();
            assert!(!injected.contains(name), "{file} declares {name}, which Rust injects");
            let derived = words(value).any(|word| injected.contains(word));
            assert!(
                derived || KERNELS_OWN.contains(&name),
                "{file}: {name} belongs into kernels/shared.rs, or into KERNELS_OWN if Rust has no use for it"
            );
            if !derived {
                own.insert(name.to_owned());
            }
        }
    }
    assert_eq!(
        own,
        KERNELS_OWN.map(str::to_owned).into(),
        "all of those that are listed"
    );
}

#[test]
fn every_shared_constant_has_one_name_and_a_use() {
    let files = files();
    let mut names = BTreeSet::new();
    for (name, _) in SHARED {
        assert!(names.insert(name), "{name} is there twice");
        let used = files.iter().any(|(_, code)| words(code).any(|word| word == *name));
        assert!(used, "no kernel reads {name}");
    }
}

#[test]
fn no_kernel_spells_out_a_shared_word() {
    // Masks, bits and limits that are not written for anything else by chance. All bits set means many things.
    let telling = |word: u32| word > 1000 && word != u32::MAX;
    let number = |word: &str| {
        let digits = word.strip_suffix('u').unwrap_or(word);
        match digits.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => digits.parse().ok(),
        }
    };
    for (name, value) in SHARED {
        let Word(value) = *value else { continue };
        for (file, code) in files().iter().filter(|_| telling(value)) {
            let spelt = words(code).any(|word| number(word) == Some(value));
            assert!(!spelt, "{file} spells out {name}, {value:#x}");
        }
    }
}

#[test]
fn every_section_is_found_by_a_function_that_rust_declares_and_kernels_use() {
    let (files, accessors) = (files(), super::accessors());
    for accessor in arrays::VECTORS.iter().chain(arrays::KIND_SECTIONS) {
        let name = accessor.name;
        assert!(accessors.contains(&format!("fn {name}(")), "{name}");
        let used = files.iter().any(|(_, code)| words(code).any(|word| word == name));
        assert!(used, "no kernel uses {name}");
        let own = files.iter().find(|(_, code)| code.contains(&format!("fn {name}(")));
        assert!(own.is_none(), "{own:?} declares {name}");
    }
    assert_eq!(
        [arrays::POSITIONS, arrays::BEFORE, arrays::FIELDS, arrays::SORTED_KINDS],
        [0, 5, 6, 1]
    );
}
