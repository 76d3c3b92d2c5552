//! Sheets of triangles with all that holds them together, and what has to be true of them however they are torn; on either engine.

use std::collections::{BTreeMap, BTreeSet};

use motes_core::glam::Vec3;
use motes_core::{
    ConstraintKind, Group, GroupId, Material, NewBending, NewDistance, NewFace, ParticleId, Softness, World,
};

/// A sheet in a world.
pub(crate) struct Fabric {
    pub(crate) group: GroupId,
    pub(crate) ids: Vec<ParticleId>,
    /// kg/m².
    pub(crate) density: f32,
    area: f32,
    stiffness: f64,
}

/// Vertices and triangles.
pub(crate) type Triangles = (Vec<Vec3>, Vec<[usize; 3]>);

/// A flat square of cells with diagonals that alternate, upright.
pub(crate) fn square(side: usize, pitch: f32) -> Triangles {
    let place = |i: usize| pitch * Vec3::new((i % side) as f32, (i / side) as f32, 0.0);
    let mut triangles = Vec::new();
    for (x, y) in (0..side * side).map(|i| (i % side, i / side)) {
        if x + 1 < side && y + 1 < side {
            let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(dx, dy)| (y + dy) * side + x + dx);
            let halves = if (x + y) % 2 == 0 {
                [[a, b, c], [a, c, d]]
            } else {
                [[a, b, d], [b, c, d]]
            };
            triangles.extend(halves);
        }
    }
    ((0..side * side).map(place).collect(), triangles)
}

/// A closed ball: an octahedron, each face of which is divided into four `times` times.
pub(crate) fn ball(radius: f32, times: usize) -> Triangles {
    let mut places = vec![Vec3::X, Vec3::Y, -Vec3::X, -Vec3::Y, Vec3::Z, -Vec3::Z];
    let mut triangles: Vec<[usize; 3]> = (0..4)
        .flat_map(|k| [[k, (k + 1) % 4, 4], [(k + 1) % 4, k, 5]])
        .collect();
    for _ in 0..times {
        let mut middles: BTreeMap<[usize; 2], usize> = BTreeMap::new();
        let mut finer = Vec::new();
        for [a, b, c] in triangles {
            let mut middle = |a: usize, b: usize| {
                *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                    places.push((places[a] + places[b]).normalize());
                    places.len() - 1
                })
            };
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    (places.into_iter().map(|place| radius * place).collect(), triangles)
}

/// Adds a sheet: springs along all edges, crossings and bendings at those between two faces, and faces.
pub(crate) fn fabric(world: &mut World, (places, triangles): &Triangles, bearable_strain: f32) -> Fabric {
    const STRETCH: f32 = 200.0; // N/m
    let density = 0.2;
    let cotton = world.add_material(Material::default()).expect("material");
    let group = world
        .add_group(Group::grains("sheet", cotton).ignoring_rest_overlaps())
        .expect("group");
    let ids = world.add_particles(group, places, Vec3::ZERO).expect("particles");
    let mut sides: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
    let mut masses = vec![0.0; places.len()];
    let mut whole = 0.0;
    for &[a, b, c] in triangles {
        let area = 0.5 * (places[b] - places[a]).cross(places[c] - places[a]).length();
        whole += area;
        for (a, b, opposite) in [(a, b, c), (b, c, a), (c, a, b)] {
            masses[opposite] += density * area / 3.0;
            sides.entry([a.min(b), a.max(b)]).or_default().push(opposite);
        }
    }
    let (mut springs, mut bendings, mut stiffness) = (Vec::new(), Vec::new(), 0.0);
    let spring = |[a, b]: [usize; 2], share: f32, tears: bool| {
        let length = places[a].distance(places[b]);
        NewDistance {
            softness: Softness::Compliance(1.0 / (share * STRETCH)),
            breaking_force: if tears {
                bearable_strain * length * share * STRETCH
            } else {
                f32::INFINITY
            },
            tears: tears && bearable_strain.is_finite(),
            ..NewDistance::new([ids[a], ids[b]], length)
        }
    };
    for (&edge, across) in &sides {
        let share = 0.5 * across.len() as f32;
        stiffness += f64::from(share * STRETCH);
        springs.push(spring(edge, share, true));
        if let [left, right] = across[..] {
            springs.push(spring([left, right], 0.2, false));
            let [a, b, c, d] = [edge[0], edge[1], left, right].map(|vertex| places[vertex]);
            let (curvature, normal) = (c + d - a - b, (b - a).cross(c - a));
            bendings.push(NewBending {
                particles: [edge[0], edge[1], left, right].map(|vertex| ids[vertex]),
                weights: [-1.0, -1.0, 1.0, 1.0],
                rest: curvature.length() * curvature.dot(normal).signum(),
                softness: Softness::Compliance(0.1),
            });
        }
    }
    world.add_distances(&springs).expect("springs");
    world.add_bendings(&bendings).expect("bendings");
    let faces: Vec<NewFace> = { triangles.iter() }
        .map(|corners| NewFace::new(corners.map(|corner| ids[corner])))
        .collect();
    world.add_faces(&faces).expect("faces");
    let masses: Vec<_> = ids.iter().zip(&masses).map(|(&id, mass)| (id, 1.0 / mass)).collect();
    world.set_inverse_masses(&masses).expect("masses");
    Fabric {
        group,
        ids,
        density,
        area: whole,
        stiffness,
    }
}

/// The faces of a world, by their corners.
pub(crate) fn faces(world: &World) -> Vec<[ParticleId; 3]> {
    let rows = world.constraints().batch(ConstraintKind::Face);
    let corners = |id: motes_core::ConstraintId| rows.particles_of(id.index as usize).try_into().expect("three");
    rows.ids().map(corners).collect()
}

/// What is true of a sheet without pins, whatever was torn in whatever order; returns how many edges have faces on both sides.
pub(crate) fn audit(world: &World, fabric: &Fabric) -> usize {
    let all = faces(world);
    let mut edges: BTreeMap<[ParticleId; 2], Vec<ParticleId>> = BTreeMap::new();
    let mut around: BTreeMap<ParticleId, Vec<[ParticleId; 2]>> = BTreeMap::new();
    for &[a, b, c] in &all {
        for (a, b, opposite) in [(a, b, c), (b, c, a), (c, a, b)] {
            edges.entry([a.min(b), a.max(b)]).or_default().push(opposite);
            around.entry(opposite).or_default().push([a, b]);
        }
    }
    assert!(
        edges.values().all(|across| across.len() <= 2),
        "an edge with three faces"
    );
    for (id, rims) in &around {
        // Whoever is reached from face to face around a particle is all there are.
        let mut reached: BTreeSet<ParticleId> = rims[0].into();
        while let Some(next) = { rims.iter() }.find(|[a, b]| reached.contains(a) != reached.contains(b)) {
            reached.extend(next);
        }
        let all: BTreeSet<ParticleId> = rims.iter().flatten().copied().collect();
        assert_eq!(reached, all, "{id:?} holds together two pieces");
    }
    let members: BTreeSet<ParticleId> = world.group_particles(fabric.group).into_iter().collect();
    let cornered: BTreeSet<ParticleId> = around.keys().copied().collect();
    assert_eq!(members, cornered, "each particle has faces");
    let ids: Vec<ParticleId> = members.iter().copied().collect();
    let masses = world.inverse_masses(&ids);
    let mass: f64 = masses
        .iter()
        .map(|inverse| 1.0 / f64::from(inverse.expect("alive")))
        .sum();
    let expected = f64::from(fabric.density * fabric.area);
    assert!((mass / expected - 1.0).abs() < 1e-5, "{mass} kg of {expected} kg");
    let inner: Vec<[ParticleId; 2]> = { edges.iter() }
        .filter(|(_, across)| across.len() == 2)
        .map(|(_, across)| [across[0].min(across[1]), across[0].max(across[1])])
        .collect();
    let mut crossings = inner.clone();
    let (mut along, mut stiffness): (BTreeSet<[ParticleId; 2]>, f64) = (BTreeSet::new(), 0.0);
    for (_, row) in world.constraints().iter() {
        assert!(row.particles.iter().all(|id| members.contains(id)), "a row of the dead");
        let pair = |a: usize, b: usize| {
            [
                row.particles[a].min(row.particles[b]),
                row.particles[a].max(row.particles[b]),
            ]
        };
        match row.particles.len() {
            2 if edges.contains_key(&pair(0, 1)) => {
                assert!(along.insert(pair(0, 1)), "an edge with two springs");
                let Softness::Compliance(compliance) = row.softness else {
                    panic!("a stiffness")
                };
                stiffness += 1.0 / f64::from(compliance);
            }
            2 => {
                let place = crossings.iter().position(|&crossing| crossing == pair(0, 1));
                crossings.swap_remove(place.expect("a crossing over no edge"));
            }
            4 => {
                let across = &edges[&pair(0, 1)];
                let own = pair(2, 3);
                assert!(
                    across.len() == 2 && across.iter().all(|id| own.contains(id)),
                    "it bends nothing"
                );
            }
            _ => {}
        }
    }
    assert!(crossings.is_empty(), "an edge without its crossing");
    assert_eq!(along.len(), edges.len(), "an edge without its spring");
    assert_eq!(world.constraints().batch(ConstraintKind::Bending).len(), inner.len());
    assert!(
        (stiffness / fabric.stiffness - 1.0).abs() < 1e-4,
        "{stiffness} N/m of {}",
        fabric.stiffness
    );
    inner.len()
}

/// How many pieces there are.
pub(crate) fn pieces(world: &World) -> usize {
    let mut pieces: Vec<BTreeSet<ParticleId>> = Vec::new();
    for corners in faces(world) {
        let mut whole: BTreeSet<ParticleId> = corners.into();
        let (joined, apart) = pieces
            .into_iter()
            .partition(|piece| corners.iter().any(|id| piece.contains(id)));
        pieces = apart;
        let joined: Vec<BTreeSet<ParticleId>> = joined;
        joined.into_iter().for_each(|piece| whole.extend(piece));
        pieces.push(whole);
    }
    pieces.len()
}
