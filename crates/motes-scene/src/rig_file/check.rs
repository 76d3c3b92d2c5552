//! What can be wrong with a model file although each of its values can be read.

use std::collections::{BTreeMap, BTreeSet};

use motes_geometry::Mesh;

use super::RigTable;
use crate::issues::Issues;

/// Most particles that a vertex follows.
const FOLLOWED: usize = 4;

/// Longest radius over the shortest from which a particle is a needle or a plate that collides badly.
const SLENDER: f32 = 6.0;

/// Notes everything that is wrong with a table; the mesh is the one it is about, if that could be read.
pub(super) fn check(table: &RigTable, mesh: Option<&Mesh>, issues: &mut Issues<'_>) {
    if table.particles.is_empty() && issues.known("particles") {
        issues.error("particles", "a model needs at least one particle");
    }
    particles(table, issues);
    edges(table, issues);
    groups(table, issues);
    weights(table, mesh, issues);
    if let Some(mesh) = mesh {
        places(table, mesh, issues);
    }
}

fn particles(table: &RigTable, issues: &mut Issues<'_>) {
    let each = table.particles.iter().enumerate();
    issues.errors(each.filter_map(|(index, particle)| {
        let length: f32 = particle.orientation.iter().map(|part| part * part).sum();
        (length <= 1e-12).then(|| {
            let path = format!("particles[{index}].orientation");
            (path, "a quaternion of length 0 turns nothing".to_owned())
        })
    }));
    for (index, particle) in table.particles.iter().enumerate() {
        let path = format!("particles[{index}].radii");
        let ratio = particle.radii.max_element() / particle.radii.min_element();
        if ratio > SLENDER && issues.sound(&path) {
            let message = format!("the longest radius is {ratio:.1} times the shortest: it will collide badly");
            issues.warning_with_help(&path, message, "two is usual");
        }
    }
}

/// What to say of a particle that does not exist.
fn missing(index: u32, count: usize) -> String {
    match count {
        0 => format!("there is no particle {index}: there are none"),
        _ => format!("there is no particle {index}: they are 0 to {}", count - 1),
    }
}

fn edges(table: &RigTable, issues: &mut Issues<'_>) {
    let count = table.particles.len();
    let mut seen: BTreeMap<[u32; 2], usize> = BTreeMap::new();
    let mut mistakes = Vec::new();
    for (index, &[a, b]) in table.edges.iter().enumerate() {
        let path = format!("edges[{index}]");
        if !issues.sound(&path) {
            continue;
        }
        if let Some(&lost) = [a, b].iter().find(|&&end| end as usize >= count) {
            mistakes.push((path, missing(lost, count)));
        } else if a == b {
            mistakes.push((path, format!("joins particle {a} with itself")));
        } else if let Some(first) = seen.insert([a.min(b), a.max(b)], index) {
            mistakes.push((
                path,
                format!("particles {a} and {b} are joined already, by edges[{first}]"),
            ));
        }
    }
    issues.errors(mistakes.into_iter());
}

fn groups(table: &RigTable, issues: &mut Issues<'_>) {
    let count = table.particles.len();
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, group) in table.group.iter().enumerate() {
        let path = format!("group[{index}]");
        if issues.sound(&format!("{path}.name")) {
            if group.name.is_empty() {
                issues.error(&format!("{path}.name"), "a group needs a name");
            } else if let Some(first) = names.insert(&group.name, index) {
                let message = format!("`{}` is the name of group[{first}] already", group.name.escape_debug());
                issues.error(&format!("{path}.name"), message);
            }
        }
        if group.members.is_empty() && issues.sound(&format!("{path}.members")) {
            issues.error(&format!("{path}.members"), "a group needs at least one particle");
        }
        let mut seen = BTreeSet::new();
        let members = group.members.iter().enumerate();
        let mistakes = members.filter_map(|(place, &member)| {
            let path = format!("{path}.members[{place}]");
            if member as usize >= count {
                Some((path, missing(member, count)))
            } else if !seen.insert(member) {
                Some((path, format!("particle {member} is there already")))
            } else {
                None
            }
        });
        issues.errors(mistakes);
    }
}

fn weights(table: &RigTable, mesh: Option<&Mesh>, issues: &mut Issues<'_>) {
    let count = table.particles.len();
    if let Some(mesh) = mesh
        && !table.weights.is_empty()
        && table.weights.len() != mesh.positions.len()
        && issues.known("weights")
    {
        let (found, vertices) = (table.weights.len(), mesh.positions.len());
        let message = format!("there are {found} rows, and the mesh has {vertices} vertices");
        let help = "leave `weights` out to have them worked out, or rig the mesh again";
        issues.error_with_help("weights", message, help);
    }
    let rows = table.weights.iter().enumerate();
    let mistakes = rows.filter_map(|(index, row)| {
        let path = |place: usize| format!("weights[{index}][{place}]");
        let whole = format!("weights[{index}]");
        if row.len() % 2 == 1 || row.is_empty() || row.len() > 2 * FOLLOWED {
            let found = row.len();
            let message =
                format!("expected the number of a particle and its weight, one to four times; found {found} numbers");
            return Some((whole, message));
        }
        for (pair, numbers) in row.chunks_exact(2).enumerate() {
            if numbers[0].fract() != 0.0 {
                return Some((
                    path(2 * pair),
                    format!("expected the number of a particle, found {}", numbers[0]),
                ));
            }
            if numbers[0] as usize >= count {
                return Some((path(2 * pair), missing(numbers[0] as u32, count)));
            }
        }
        let total: f32 = row.chunks_exact(2).map(|numbers| numbers[1]).sum();
        (total <= 0.0).then(|| (whole, "all weights are 0: the vertex follows nobody".to_owned()))
    });
    issues.errors(mistakes.collect::<Vec<_>>().into_iter());
}

/// Particles that are nowhere near the mesh were meant for another, or in other units.
fn places(table: &RigTable, mesh: &Mesh, issues: &mut Issues<'_>) {
    let bounds = mesh.bounds();
    let around = bounds.expanded(0.5 * bounds.size().max_element());
    let mut stray = table
        .particles
        .iter()
        .enumerate()
        .filter(|(_, particle)| !around.contains(particle.position));
    if let Some((first, _)) = stray.next() {
        let more = stray.count();
        let others = if more > 0 {
            format!(", and so are {more} others")
        } else {
            String::new()
        };
        let message = format!(
            "far from the mesh, which lies between {} and {}{others}",
            bounds.min, bounds.max
        );
        issues.warning(&format!("particles[{first}].position"), message);
    }
    if table.particles.len() > 1 {
        let pieces = pieces(table);
        if pieces > 1 {
            let message = format!("the edges leave the model in {pieces} pieces that nothing holds together");
            issues.warning("edges", message);
        }
    }
}

/// Sets of particles that neither edges nor rigid groups join.
fn pieces(table: &RigTable) -> usize {
    let count = table.particles.len();
    let mut heads: Vec<usize> = (0..count).collect();
    fn find(heads: &mut [usize], mut index: usize) -> usize {
        while heads[index] != index {
            heads[index] = heads[heads[index]];
            index = heads[index];
        }
        index
    }
    let groups = table.group.iter().filter(|group| group.rigid);
    let held = groups.flat_map(|group| group.members.windows(2).map(|pair| [pair[0], pair[1]]));
    for [a, b] in table.edges.iter().copied().chain(held) {
        let [a, b] = [a as usize, b as usize];
        if a < count && b < count {
            let (a, b) = (find(&mut heads, a), find(&mut heads, b));
            heads[a.max(b)] = a.min(b);
        }
    }
    (0..count).filter(|&index| heads[index] == index).count()
}
