// What particles are that carry others: solid, liquid or gas, as the velocities say with which they do (MIXED, see `carrier_at`).

const ANY = 0.0;
const OF_LIQUID = 1.0;
const OF_GAS = 2.0;

fn carried_kind(i: u32) -> f32 {
    return floor(0.5 * vectors[carrier_at(i)].w);
}
