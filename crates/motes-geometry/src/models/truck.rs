//! A pickup truck on large wheels.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3, Vec3Swizzles};

use super::Sculpture;
use super::brush::{ball, block, cut, drum, join, limb, mirrored, plate, polygon, ramp, within};

const fn at(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

const WHEEL_RADIUS: f32 = 0.162;
const AXLES: [f32; 2] = [0.330, -0.325];

/// Side of the body below the windows, and of the cab above it.
const SIDE: [Vec2; 9] = [
    Vec2::new(-0.525, 0.235),
    Vec2::new(0.500, 0.235),
    Vec2::new(0.530, 0.260),
    Vec2::new(0.528, 0.405),
    Vec2::new(0.500, 0.432),
    Vec2::new(0.190, 0.462),
    Vec2::new(-0.165, 0.462),
    Vec2::new(-0.525, 0.447),
    Vec2::new(-0.535, 0.260),
];
const CAB: [Vec2; 5] = [
    Vec2::new(0.215, 0.40),
    Vec2::new(0.075, 0.655),
    Vec2::new(-0.145, 0.662),
    Vec2::new(-0.178, 0.55),
    Vec2::new(-0.178, 0.40),
];

pub(super) fn sculpture() -> Sculpture {
    Box::new(|point| {
        let side = mirrored(point);
        let mut solid = shell(point, side);
        solid = details(point, side, solid);
        for axle in AXLES {
            solid = solid.min(wheel(side - at(axle, WHEEL_RADIUS, 0.0)));
        }
        solid.min(frame(point, side)).max(-point.y)
    })
}

fn shell(point: Vec3, side: Vec3) -> f32 {
    let flank = side.z + 0.10 * (point.y - 0.36).max(0.0) + 0.06 * (0.30 - point.y).max(0.0);
    let lower = plate(polygon(point.xy(), &SIDE) - 0.004, flank, 0.218, 0.024);
    let hood_drop = 0.018 * ramp(0.12, 0.20, side.z);
    let lower = lower.max(if point.x > 0.2 {
        point.y + hood_drop - 0.47
    } else {
        f32::NEG_INFINITY
    });
    let tumble = side.z + 0.20 * (point.y - 0.46).max(0.0);
    let cab = 0.95 * plate(polygon(point.xy(), &CAB) - 0.010, tumble, 0.205, 0.026);
    let mut solid = join(lower, cab, 0.014);
    let bed = block(point, at(-0.357, 0.47, 0.0), at(0.147, 0.145, 0.172), 0.012);
    solid = cut(solid, bed, 0.010);
    for axle in AXLES {
        let arch = drum(point, at(axle, WHEEL_RADIUS + 0.025, 0.25), Vec3::Z, 0.192, 0.125, 0.01).min(drum(
            point,
            at(axle, WHEEL_RADIUS + 0.025, -0.25),
            Vec3::Z,
            0.192,
            0.125,
            0.01,
        ));
        let flare = drum(
            side,
            at(axle, WHEEL_RADIUS + 0.025, 0.205),
            Vec3::Z,
            0.218,
            0.042,
            0.012,
        );
        let flare = within(flare, 0.235 - point.y, 0.01);
        let well = drum(
            side,
            at(axle, WHEEL_RADIUS + 0.025, 0.155),
            Vec3::Z,
            0.216,
            0.052,
            0.010,
        );
        solid = join(solid, within(well, 0.235 - point.y, 0.01), 0.004);
        solid = join(solid, flare, 0.012);
        solid = cut(solid, arch, 0.008);
    }
    solid
}

fn details(point: Vec3, side: Vec3, solid: f32) -> f32 {
    const SIDE_WINDOW: [Vec2; 4] = [
        Vec2::new(0.150, 0.487),
        Vec2::new(0.070, 0.628),
        Vec2::new(-0.122, 0.632),
        Vec2::new(-0.140, 0.487),
    ];
    let mut solid = solid;
    let tumble = side.z + 0.20 * (point.y - 0.46).max(0.0);
    let window = polygon(point.xy(), &SIDE_WINDOW).max(0.188 - tumble);
    let pillar = (point.x + 0.005).abs() - 0.009;
    solid = cut(solid, window.max(-pillar), 0.006);
    // The windscreen lies on the slope from hood to roof.
    let slope = Vec2::new(0.265, 0.150).normalize();
    let foot = Vec2::new(0.215, 0.40);
    let up = Vec2::new(-slope.y, slope.x);
    let from = point.xy() - foot;
    let screen = Vec3::new(from.dot(slope), from.dot(up) - 0.175, side.z);
    let glass = block(screen, Vec3::ZERO, at(0.014, 0.088, 0.150), 0.008);
    solid = cut(solid, glass, 0.006);
    solid = cut(
        solid,
        block(point, at(-0.192, 0.575, 0.0), at(0.018, 0.052, 0.125), 0.008),
        0.006,
    );
    // Doors: a seam around each, a handle.
    let door = Vec2::new(point.x - 0.005, point.y - 0.375).abs() - Vec2::new(0.135, 0.098);
    let seam = (door.max(Vec2::ZERO).length() + door.max_element().min(0.0) - 0.012).abs() - 0.0055;
    solid = cut(solid, seam.max(0.206 - side.z), 0.004);
    solid = join(
        solid,
        block(side, at(-0.075, 0.425, 0.215), at(0.030, 0.009, 0.012), 0.006),
        0.003,
    );
    let mirror = block(side, at(0.150, 0.500, 0.252), at(0.018, 0.030, 0.026), 0.010).min(limb(
        side,
        at(0.155, 0.488, 0.19),
        at(0.152, 0.495, 0.245),
        0.011,
        0.011,
    ));
    solid = join(solid, mirror, 0.004);
    // The front: lamps, grille, bumper; and a bumper behind.
    let lamp = drum(side, at(0.530, 0.365, 0.158), Vec3::X, 0.040, 0.018, 0.008);
    let lens = drum(side, at(0.552, 0.365, 0.158), Vec3::X, 0.028, 0.012, 0.004);
    solid = cut(join(solid, lamp, 0.004), lens, 0.004);
    let slats = ((point.y - 0.365) / 0.030 - ((point.y - 0.365) / 0.030).round()).abs() * 0.030 - 0.009;
    let grille = block(point, at(0.535, 0.365, 0.0), at(0.016, 0.042, 0.100), 0.004);
    solid = cut(solid, grille.max(-slats), 0.003);
    solid = solid.min(block(side, at(0.548, 0.268, 0.0), at(0.030, 0.032, 0.212), 0.014));
    solid = solid.min(block(side, at(-0.548, 0.268, 0.0), at(0.024, 0.028, 0.205), 0.012));
    let tailgate = block(point, at(-0.545, 0.375, 0.0), at(0.016, 0.045, 0.130), 0.006);
    solid = cut(solid, tailgate, 0.004);
    let beam = limb(point, at(-0.02, 0.690, -0.13), at(-0.02, 0.690, 0.13), 0.014, 0.014).min(limb(
        side,
        at(-0.02, 0.650, 0.115),
        at(-0.02, 0.690, 0.115),
        0.012,
        0.012,
    ));
    solid = join(solid, beam, 0.004);
    let spots = [0.045, 0.125].map(|z| drum(side, at(-0.002, 0.706, z), Vec3::X, 0.030, 0.020, 0.008));
    spots.into_iter().fold(solid, |solid, spot| join(solid, spot, 0.004))
}

/// A wheel seen from its hub, its outer side towards +z.
fn wheel(from_hub: Vec3) -> f32 {
    let center = at(0.0, 0.0, 0.205);
    let from = from_hub - center;
    if from.length() > 0.30 {
        return from.length() - 0.2;
    }
    let flat = from.xy();
    let angle = flat.to_angle();
    let mut tire = drum(from, Vec3::ZERO, Vec3::Z, WHEEL_RADIUS, 0.072, 0.030);
    // Treads: blocks across the tyre, shifted between its halves.
    let blocks = 26.0;
    let phase = angle * blocks / TAU + if from.z > 0.0 { 0.5 } else { 0.0 };
    let gap = (phase - phase.round()).abs() * TAU * WHEEL_RADIUS / blocks - 0.0065;
    let groove = gap.max(0.149 - flat.length()).max(0.014 - from.z.abs());
    tire = cut(tire, groove, 0.004);
    let well = drum(from, at(0.0, 0.0, 0.075), Vec3::Z, 0.094, 0.040, 0.010);
    tire = cut(tire, well, 0.006);
    let hub = drum(from, at(0.0, 0.0, 0.030), Vec3::Z, 0.034, 0.036, 0.008);
    let sector = TAU / 5.0;
    let turned = angle - (angle / sector).round() * sector;
    let spoke_place = flat.length() * Vec2::from_angle(turned);
    let spoke = block(
        spoke_place.extend(from.z),
        at(0.060, 0.0, 0.036),
        at(0.044, 0.0155, 0.018),
        0.006,
    );
    let nut = ball(spoke_place.extend(from.z), at(0.022, 0.0, 0.066), 0.006);
    tire.min(join(hub, spoke, 0.010)).min(nut)
}

fn frame(point: Vec3, side: Vec3) -> f32 {
    let rail = block(side, at(0.0, 0.215, 0.095), at(0.48, 0.040, 0.024), 0.008);
    let floor = block(point, at(0.0, 0.250, 0.0), at(0.50, 0.024, 0.150), 0.008);
    AXLES.into_iter().fold(rail.min(floor), |solid, x| {
        let axle = limb(point, at(x, WHEEL_RADIUS, -0.2), at(x, WHEEL_RADIUS, 0.2), 0.024, 0.024);
        let gearbox = ball(point, at(x, WHEEL_RADIUS, 0.0), 0.052);
        let strut = limb(side, at(x, WHEEL_RADIUS, 0.095), at(x, 0.25, 0.095), 0.022, 0.022);
        solid.min(join(axle, gearbox, 0.02)).min(strut)
    })
}
