//! What holds a soft body together: parts that keep their shape one by one, and links between particles.

use serde_json::{Value as Json, json};

use crate::decode::limits::{Limits, between, metres};
use crate::decode::node::{Node, Value};
use crate::decode::{Context, Decode, Definitions};

crate::table! {
    /// Overlapping parts of a soft body.
    default struct ClustersTable {
        /// Least distance of the middles of two parts, metres; by default four times that of neighbouring particles. A
        /// wider one makes a stiffer body.
        spacing: Option<f32> = None => metres(),
        /// Distance of the middle within which particles belong to a part, metres; by default five times that of
        /// neighbouring particles.
        radius: Option<f32> = None => metres(),
        /// Stiffness of the body as a whole besides, which brings it back into shape; 0 is none.
        whole: f32 = 0.0 => between(0.0, 1.0),
    }
}

crate::table! {
    /// Pairs of particles of a soft body that keep their distance.
    default struct LinksTable {
        /// Distance within which particles are linked, metres; by default 1.6 times that of neighbouring particles.
        reach: Option<f32> = None => metres(),
        /// How far a force stretches or shortens each, metres per newton; 0 is as stiff as the iterations get it.
        compliance: f32 = 0.0 => between(0.0, 1e6).of("m/N"),
    }
}

/// Something that can be had in its usual form, in a form of one's own, or not at all: `true`, a table, `false`.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<T>(pub Option<T>);

impl<T: Default> Choice<T> {
    /// The usual form.
    pub(crate) fn usual() -> Self {
        Self(Some(T::default()))
    }
}

impl<T: Decode + Default> Decode for Choice<T> {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        match &node.value {
            Value::Boolean(wanted) => Some(Self(wanted.then(T::default))),
            Value::Table(_) => T::decode(node, cx).map(|table| Self(Some(table))),
            _ => {
                cx.expected(node, "true, false or a table");
                None
            }
        }
    }

    fn stand_in() -> Self {
        Self(None)
    }

    fn schema(definitions: &mut Definitions, limits: &Limits) -> Json {
        json!({ "anyOf": [{ "type": "boolean" }, T::schema(definitions, limits)] })
    }

    fn to_json(&self) -> Option<Json> {
        Some(json!(self.0.is_some()))
    }
}
