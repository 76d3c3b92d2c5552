//! Paths into a document, such as `grains[0].material`, and the assignments of `--set`.

use super::node::{Entry, Node, Value};
use crate::problem::{Place, Problem};

/// One step into a document.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Key(String),
    Index(usize),
}

/// The key as it stands in a path.
pub(crate) fn quoted(key: &str) -> String {
    if !key.is_empty() && key.chars().all(is_bare) {
        key.into()
    } else {
        format!("{key:?}")
    }
}

fn is_bare(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '-'
}

/// Where the value of a path was written, or the nearest table around it.
pub(crate) fn locate(document: &Node, path: &str) -> Place {
    let mut place = document.place.clone();
    let mut node = document;
    for step in steps(path).unwrap_or_default() {
        match (&step, &node.value) {
            (Step::Key(key), _) => match node.get(key) {
                Some(entry) => {
                    place = entry.key_place.clone();
                    node = &entry.node;
                }
                None => break,
            },
            (Step::Index(index), Value::Array(items)) => match items.get(*index) {
                Some(item) => {
                    place = item.place.clone();
                    node = item;
                }
                None => break,
            },
            _ => break,
        }
    }
    place
}

/// Applies `path=value` to a document; the value is TOML, or else taken as a string.
pub(crate) fn assign(document: &mut Node, assignment: &str) -> Result<(), Vec<Problem>> {
    let origin = format!("--set {assignment}");
    let refuse = |path: &str, message: String| vec![Problem::error(Place::start(&origin), path, message)];
    let Some((path, value)) = assignment.split_once('=') else {
        return Err(refuse("", "expected path=value, found no `=`".into()));
    };
    let path = path.trim();
    let Some(steps) = steps(path).filter(|steps| !steps.is_empty()) else {
        return Err(refuse(
            "",
            format!("`{}` is not a path such as grains[0].material", path.escape_debug()),
        ));
    };
    let value = value.trim();
    // A bare word is a string, as shells take the quotes away.
    let mut node = match Node::parse_value(value, &origin) {
        Ok(node) => node,
        Err(_) if !value.is_empty() && value.chars().all(|letter| is_bare(letter) || letter == '#') => Node {
            place: Place::start(&origin),
            value: Value::String(value.into()),
        },
        Err(problems) => return Err(problems),
    };
    set_place(&mut node, &Place::start(&origin));
    match replace(document, &steps, node) {
        Ok(()) => Ok(()),
        Err(message) => Err(refuse(path, message)),
    }
}

/// Columns inside the argument mean little to a reader; its beginning will do.
fn set_place(node: &mut Node, place: &Place) {
    node.place = place.clone();
    match &mut node.value {
        Value::Array(items) => items.iter_mut().for_each(|item| set_place(item, place)),
        Value::Table(entries) => {
            for entry in entries {
                entry.key_place = place.clone();
                set_place(&mut entry.node, place);
            }
        }
        _ => {}
    }
}

fn replace(node: &mut Node, steps: &[Step], value: Node) -> Result<(), String> {
    let Some((step, rest)) = steps.split_first() else {
        *node = value;
        return Ok(());
    };
    let found = node.describe();
    match (step, &mut node.value) {
        (Step::Key(key), Value::Table(entries)) => {
            let at = entries.iter().position(|entry| entry.key == *key).unwrap_or_else(|| {
                let empty = Node {
                    place: value.place.clone(),
                    value: Value::Table(Vec::new()),
                };
                entries.push(Entry {
                    key: key.clone(),
                    key_place: value.place.clone(),
                    node: empty,
                });
                entries.len() - 1
            });
            replace(&mut entries[at].node, rest, value)
        }
        (Step::Index(index), Value::Array(items)) => match items.get_mut(*index) {
            Some(item) => replace(item, rest, value),
            None => Err(format!("there is no [{index}]: it has {} elements", items.len())),
        },
        (Step::Key(key), _) => Err(format!("`{key}` is looked for in {found}")),
        (Step::Index(index), _) => Err(format!("[{index}] is looked for in {found}")),
    }
}

/// Reads a path; nothing if it is malformed.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('[') {
            let (index, after) = after.split_once(']')?;
            steps.push(Step::Index(index.parse().ok()?));
            rest = after;
        } else {
            if !steps.is_empty() {
                rest = rest.strip_prefix('.')?;
            }
            let (key, after) = match rest.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"')?,
                None => rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len())),
            };
            if key.is_empty() {
                return None;
            }
            steps.push(Step::Key(key.into()));
            rest = after;
        }
    }
    Some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Node {
        Node::parse_document(
            "[solver]\nsubsteps = 2\n[[grains]]\nname = \"a\"\n[[grains]]\nname = \"b\"\n",
            "x.toml",
        )
        .unwrap()
    }

    #[test]
    fn a_path_leads_to_the_line_of_its_key() {
        let document = document();
        assert_eq!(locate(&document, "solver.substeps").line, 2);
        assert_eq!(locate(&document, "grains[1].name").line, 6);
        assert_eq!(locate(&document, "grains[1].shape.box").line, 5);
        assert_eq!(locate(&document, "").line, 1);
    }

    #[test]
    fn an_assignment_replaces_or_adds() {
        let mut document = document();
        assign(&mut document, "grains[1].name = \"c\"").unwrap();
        assign(&mut document, "solver.iterations=7").unwrap();
        assign(&mut document, "camera.position=[1, 2, 3]").unwrap();
        assign(&mut document, "up=z").unwrap();
        assert!(matches!(&document.get("up").unwrap().node.value, Value::String(up) if up == "z"));
        let solver = &document.get("solver").unwrap().node;
        assert!(matches!(
            solver.get("iterations").unwrap().node.value,
            Value::Integer(7)
        ));
        assert!(document.get("camera").is_some());
    }

    #[test]
    fn a_bad_assignment_names_itself() {
        for bad in [
            "frames",
            "=3",
            "grains[7].name=1",
            "grains[x]=1",
            "solver.substeps.deep=1",
            "a=[1,",
        ] {
            let problems = assign(&mut document(), bad).unwrap_err();
            assert!(
                problems[0].to_string().starts_with(&format!("--set {bad}:")),
                "{problems:?}"
            );
        }
    }
}
