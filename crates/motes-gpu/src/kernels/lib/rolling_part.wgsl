// How far turning the first of two particles has them roll: the part of the radius of the other in the sum of both.

fn rolling_part(first: u32, second: u32) -> f32 {
    if SIZES == 0u {
        return 0.5;
    }
    let other = radius_of(second);
    return other / (radius_of(first) + other);
}
