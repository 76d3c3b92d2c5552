//! The constraints, one published method in one file: a pure function from positions to corrections, and its test.

pub mod airfoil;
pub mod articulated;
pub mod attachment;
pub mod axis;
pub mod bending;
pub mod chebyshev;
pub mod contact;
pub mod density;
pub mod distance;
pub mod grip;
pub mod inscribed;
pub mod keep_out;
pub mod overload;
pub mod pull;
pub mod relaxation;
pub mod revolution;
pub mod rigid;
pub mod rolling;
pub mod shape_match;
pub mod smoothing;
pub mod softness;
pub mod solids;
pub mod spatial;
pub mod surface;
pub mod viscosity;
pub mod volume;
