//! A spur gear lying flat: fourteen teeth, a rim, a web with holes, a hub with bore and keyway.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3Swizzles};

use super::Sculpture;
use super::brush::{join, plate, polygon};

const TEETH: f32 = 14.0;
const HOLES: f32 = 6.0;
const HALF_THICKNESS: f32 = 0.095;

pub(super) fn sculpture() -> Sculpture {
    Box::new(|world| {
        let height = world.y - 0.115;
        let flat = world.xz();
        let radius = flat.length();
        let rim = plate(toothed(flat), height, HALF_THICKNESS, 0.010);
        let recess = plate(
            (radius - 0.245).abs() - 0.098,
            height.abs() - HALF_THICKNESS,
            0.042,
            0.012,
        );
        let hole = fold(flat, HOLES) - Vec2::new(0.245, 0.0);
        let holes = hole.length() - 0.066;
        let hub = plate(radius - 0.135, height, 0.115, 0.012);
        let bore = radius - 0.066;
        let keyway = {
            let faces = (flat - Vec2::new(0.07, 0.0)).abs() - Vec2::new(0.030, 0.018);
            faces.max(Vec2::ZERO).length() + faces.max_element().min(0.0)
        };
        rim.max(-recess).min(hub).max(-holes).max(-bore.min(keyway))
    })
}

/// A point turned into the sector around +x of a rosette.
fn fold(flat: Vec2, count: f32) -> Vec2 {
    let sector = TAU / count;
    let angle = flat.to_angle();
    let turned = angle - (angle / sector).round() * sector;
    flat.length() * Vec2::from_angle(turned)
}

fn toothed(flat: Vec2) -> f32 {
    const TOOTH: [Vec2; 6] = [
        Vec2::new(0.36, -0.066),
        Vec2::new(0.42, -0.054),
        Vec2::new(0.49, -0.029),
        Vec2::new(0.49, 0.029),
        Vec2::new(0.42, 0.054),
        Vec2::new(0.36, 0.066),
    ];
    let tooth = polygon(fold(flat, TEETH), &TOOTH) - 0.008;
    let disc = flat.length() - 0.405;
    join(tooth, disc, 0.02)
}
