//! The tables of a scene file, one file per table. Lengths are metres, times seconds, angles degrees.

mod attach;
mod body;
mod camera;
mod cloth;
mod collider;
mod copies;
mod creature;
mod distance;
mod emitter;
mod field;
mod fluid;
mod foam;
mod grains;
mod joint;
mod material;
mod melting;
mod motion;
mod output;
mod parts;
mod region;
mod render;
mod root;
mod smoke;
mod solid;
mod solver;
mod terrain;
mod trigger;
mod values;
mod vessel;

pub use attach::AttachTable;
pub(crate) use body::STRETCH;
pub use body::{
    BodyKeys, Colors, DrawWord, FillingChoice, PlasticTable, RigidTable, ShellTable, SoftTable, SolidWord, TouchWord,
};
pub use camera::{CameraKey, CameraTable};
pub use cloth::{ClothTable, FabricTable, InflateTable, PatternWord, RopeTable, WindTable};
pub use collider::{
    ColliderShape, ColliderTable, GemHull, HullShape, MeshFileShape, MeshShape, PlaneShape, RoundHull, SdfShape,
    WedgeHull,
};
pub use copies::{CopiesTable, TurnWord};
pub use creature::{CreatureTable, DentingTable, MuscleTable, Pick, PickTable, PinTable, TuneTable};
pub use distance::DistanceTable;
pub use emitter::{BoxOpening, DiscOpening, EmitterTable, Opening, PlumeTable};
pub use field::{DragField, FieldTable, FieldWord, RadialField, UniformField, VortexField};
pub use fluid::FluidTable;
pub use foam::FoamTable;
pub use grains::{GrainsTable, PackingWord};
pub use joint::{AxisKeys, JoinedTable, JointKind, JointTable, MotorTable};
pub use material::{MaterialPairTable, MaterialTable};
pub use melting::{FreezingTable, HeatTable, MeltingTable, Warmth};
pub use motion::{KeyTable, MotionTable, PathMotion, SteadyMotion, SwingMotion};
pub use output::{Format, OutputTable};
pub use parts::{Choice, ClustersTable, LinksTable};
pub use region::{BelowRegion, BoxRegion, Region, SphereRegion};
pub use render::{ColorBy, GasWord, LiquidWord, RenderTable, SliceTable};
pub use root::{BodyKind, SceneTable, Up};
pub use smoke::{FadeWord, MarkersTable, SmokeTable, StraysWord};
pub use solid::{
    BoxShape, CapsuleShape, CastleShape, ConeShape, CylinderShape, DifferenceShape, PlacedShape, SolidShape,
    SphereShape, TorusShape,
};
pub use solver::{
    AveragingWord, ChebyshevTable, DenominatorWord, FrictionWord, LiquidsChoice, PcisphTable, PositionBasedTable,
    SolverTable, SphTable,
};
pub use terrain::{DunesTerrain, GridTerrain, Terrain};
pub use trigger::{CountingWord, TriggerTable};
pub use values::{AxisAngle, Channels, Color, Gravity, Rotation};
pub use vessel::{BowlVessel, CupVessel, FunnelVessel, HourglassVessel, TankVessel, TubeVessel, TurnedVessel, Vessel};
