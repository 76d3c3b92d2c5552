// Where there is gas, a section of the vectors with its vortex strength, 1/s, and its temperature, °C (w). WARM is 1 where not all of it is as warm as the surroundings.

fn warmth_at(i: u32) -> u32 {
    return params.warmth_section + i;
}
