// What the kernels that let particles die and be born share.

struct PopulationParams {
    // Length of the frame, seconds.
    dt: f32,
    // Most particles there can be before the births, which wait from here on.
    bound: u32,
    births: u32,
    // Particles that launches are made for; the number of those who live on stands behind their places.
    room: u32,
    volumes: u32,
    // 1 if any lifetime is limited.
    ages: u32,
    // 1 if anybody may die.
    reaps: u32,
    // Vectors from one section of a particle's to the next.
    stride: u32,
    // How long gas lives without a marker of smoke about it, seconds, and 1 if that is not for ever.
    lonely: f32,
    leaves: u32,
    unused_x: u32,
    unused_y: u32,
}
