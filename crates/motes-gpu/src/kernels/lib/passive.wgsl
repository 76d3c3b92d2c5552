// What the kernels about passive particles know of a frame.

struct PassiveParams {
    // Length of the frame, seconds.
    dt: f32,
    // What is left of a velocity after a sub-step in still air.
    decay: f32,
    // Distance within which a particle carries others along, in its diameters, and the same in widths of cells.
    smoothing: f32,
    cells: f32,
    // Passive particles that there is room for.
    room: u32,
    // Those added before the frame.
    births: u32,
    volumes: u32,
    // Which of two numbers says how many there are, births included.
    counter: u32,
    // A bit for each of what there may be that carries them: anything, liquid, gas.
    carriers: u32,
    // Passive particles up to which some are added, and the first of those.
    most: u32,
    first: u32,
    // 1 where markers of smoke that have left the gas go with the wind.
    strays: u32,
}
