// A round of holding rows together that the stabilisation has moved too far apart. `held` has how many participants each round
// had to move: when one had none, those after it have nothing to do.

struct HoldRound {
    round: u32,
}
