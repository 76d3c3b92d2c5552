//! Where two particles touch when they belong to bodies: the signed distance stored at each of them says which way is out
//! (Unified §5.1, eq. 17–20).

use glam::{Vec3, Vec4};

/// What a particle knows of the surface of its body: the unit vector out of it (xyz), and how deep the particle lies below
/// it, metres (w). Particles of the outermost layer have it negative, those of parts so thin that either side is out have
/// [`EITHER_SIDE`]; those that know nothing have the field [`BALL`] or [`NO_FIELD`].
pub type SurfaceField = Vec4;

/// The depth of a particle that has the surface on both sides.
pub const EITHER_SIDE: f32 = -1e9;

/// The field of a particle of a body that does not know its surface, and collides as a ball.
pub const BALL: SurfaceField = Vec4::new(0.0, 0.0, 0.0, BALL_DEPTH);

/// The depth of a particle that does not know its surface.
pub const BALL_DEPTH: f32 = 1e18;

/// The field of a particle that belongs to no body.
pub const NO_FIELD: SurfaceField = Vec4::new(0.0, 0.0, 0.0, f32::INFINITY);

/// Cosine up to which a contact takes nothing of a surface's own normal.
pub const LEANING: f32 = 0.5;
/// How much more the cosine is where it takes all of it.
pub const LEANING_SPAN: f32 = 0.3;

/// Normal of a contact, towards the first particle, and the distance between their surfaces, metres, of balls that touch
/// when their centres are `contact` apart. `offset` leads from the second to the first and is not zero.
#[inline(always)]
pub fn balls(offset: Vec3, contact: f32) -> (Vec3, f32) {
    let distance = offset.dot(offset).sqrt();
    (offset * (1.0 / distance), distance - contact)
}

/// The same for particles of bodies. Deep inside, the shorter way out decides (eq. 17), of two as short the one that leads
/// more along the line between the particles; in the outermost layer they are balls of which only the outer side pushes
/// (eq. 20).
///
/// Balls make faces bumpy, and what is stacked on them slides apart. So a contact that leads about straight out of a surface
/// takes the normal of the surface itself.
#[inline(always)]
pub fn shapes(offset: Vec3, first: SurfaceField, second: SurfaceField, contact: f32) -> (Vec3, f32) {
    let (normal, gap) = balls(offset, contact);
    let (out_first, out_second) = (-first.truncate(), second.truncate());
    let [depth_first, depth_second] = [first.w.abs(), second.w.abs()];
    let straighter = normal.dot(out_first) > normal.dot(out_second);
    let by_first = (depth_first < depth_second) | ((depth_first == depth_second) & straighter);
    let shorter = choose(by_first, out_first, out_second);
    let layer = if by_first { first.w } else { second.w };
    let depth = if by_first { depth_first } else { depth_second };
    let along = normal.dot(shorter);
    let wrong_side = (along < 0.0) & (layer > EITHER_SIDE);
    let against = if wrong_side { along } else { 0.0 };
    let one_sided = normal - shorter * (2.0 * against);
    let a = straightness(out_first, one_sided, first.w);
    let b = straightness(out_second, one_sided, second.w);
    let (size_a, size_b) = (a.abs(), b.abs());
    let either = if size_a > size_b { size_a } else { size_b };
    let surface = out_first * a + out_second * b + one_sided * (1.0 - either);
    let one_sided = surface * (1.0 / surface.dot(surface).sqrt());
    let deep = (layer > 0.0) & (depth < BALL.w) & (gap < 0.0);
    (choose(deep, shorter, one_sided), if deep { -depth } else { gap })
}

/// One of two vectors, number by number, which vector code can do.
#[inline(always)]
fn choose(first: bool, a: Vec3, b: Vec3) -> Vec3 {
    let either = |a: f32, b: f32| if first { a } else { b };
    Vec3::new(either(a.x, b.x), either(a.y, b.y), either(a.z, b.z))
}

/// How much of a surface's own normal a contact takes, by the cosine between them.
/// Where either side is out, the normal may have to be reversed.
#[inline(always)]
fn straightness(out: Vec3, normal: Vec3, layer: f32) -> f32 {
    let cosine = out.dot(normal);
    let reversed = (cosine < 0.0) & (layer <= EITHER_SIDE);
    let size = if reversed { -cosine } else { cosine };
    let part = (size - LEANING) * (1.0 / LEANING_SPAN);
    let part = if part > 0.0 { part } else { 0.0 };
    let part = if part < 1.0 { part } else { 1.0 };
    if reversed { -part } else { part }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A particle of the outermost layer of something that lies below it.
    const TOP: SurfaceField = Vec4::new(0.0, 1.0, 0.0, -0.01);
    /// A particle one metre deep in something whose surface is to the right.
    const CORE: SurfaceField = Vec4::new(1.0, 0.0, 0.0, 1.0);

    #[test]
    fn grains_are_balls() {
        let offset = Vec3::new(0.3, 0.4, 0.0);
        assert_eq!(shapes(offset, NO_FIELD, NO_FIELD, 1.0), balls(offset, 1.0));
        assert_eq!(balls(offset, 1.0), (Vec3::new(0.6, 0.8, 0.0), -0.5));
    }

    #[test]
    fn a_grain_that_has_sunk_in_is_pushed_out_not_through() {
        let below = Vec3::new(0.0, -0.5, 0.0);
        let (normal, gap) = shapes(below, NO_FIELD, TOP, 1.0);
        assert_eq!((normal, gap), (Vec3::Y, -0.5));
        let (reversed, _) = shapes(-below, TOP, NO_FIELD, 1.0);
        assert_eq!(reversed, -Vec3::Y, "the body is pushed the other way");
        let beside = Vec3::new(0.5, 0.2, 0.0);
        let (normal, _) = shapes(beside, NO_FIELD, TOP, 1.0);
        assert!((normal - balls(beside, 1.0).0).length() < 1e-6, "beside it is a ball");
    }

    #[test]
    fn faces_that_lie_on_each_other_are_not_bumpy() {
        let bottom = Vec4::new(0.0, -1.0, 0.0, -0.01);
        let shifted = Vec3::new(0.3, 0.9, 0.0);
        assert_eq!(shapes(shifted, bottom, TOP, 1.0).0, Vec3::Y);
        let side = Vec4::new(1.0, 0.0, 0.0, -0.01);
        assert_eq!(
            shapes(shifted, side, TOP, 1.0).0,
            Vec3::Y,
            "an edge takes the normal of the face it is on"
        );
    }

    #[test]
    fn thin_parts_push_to_the_side_that_others_are_on() {
        let plate = Vec4::new(0.0, 1.0, 0.0, EITHER_SIDE);
        assert_eq!(shapes(Vec3::new(0.3, 0.9, 0.0), NO_FIELD, plate, 1.0).0, Vec3::Y);
        assert_eq!(shapes(Vec3::new(0.3, -0.9, 0.0), NO_FIELD, plate, 1.0).0, -Vec3::Y);
        assert_eq!(shapes(Vec3::new(0.3, -0.9, 0.0), plate, NO_FIELD, 1.0).0, -Vec3::Y);
    }

    #[test]
    fn deep_particles_leave_by_the_shorter_way() {
        let offset = Vec3::new(-0.1, 0.2, 0.0);
        let deeper = Vec4::new(0.0, 0.0, 1.0, 2.0);
        assert_eq!(shapes(offset, deeper, CORE, 1.0), (Vec3::X, -1.0));
        assert_eq!(shapes(offset, CORE, deeper, 1.0), (-Vec3::X, -1.0));
        let apart = Vec3::new(0.0, 1.02, 0.0);
        assert!(shapes(apart, deeper, CORE, 1.0).1 > 0.0, "not before they touch");
    }

    #[test]
    fn either_side_sees_the_same_contact() {
        let (side, core) = (Vec4::new(0.6, 0.0, 0.8, TOP.w), Vec4::new(0.0, 0.6, 0.8, CORE.w));
        for (a, b) in [
            (TOP, CORE),
            (TOP, NO_FIELD),
            (CORE, NO_FIELD),
            (TOP, side),
            (CORE, core),
        ] {
            let offset = Vec3::new(0.1, -0.4, 0.2);
            let (there, back) = (shapes(offset, a, b, 1.0), shapes(-offset, b, a, 1.0));
            assert!((there.0 + back.0).length() < 1e-6 && there.1 == back.1);
        }
    }
}
