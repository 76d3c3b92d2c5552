//! Parts of a soft body that keep their shape one by one.

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

/// The parts of a soft body: a table, `true` for the usual ones, `false` for one part that is all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterChoice(pub Option<ClustersTable>);

impl Default for ClusterChoice {
    fn default() -> Self {
        Self(Some(ClustersTable::default()))
    }
}

impl Decode for ClusterChoice {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        match &node.value {
            Value::Boolean(divided) => Some(Self(divided.then(ClustersTable::default))),
            Value::Table(_) => ClustersTable::decode(node, cx).map(|table| Self(Some(table))),
            _ => {
                cx.expected(node, "true, false or a table of `spacing`, `radius` and `whole`");
                None
            }
        }
    }

    fn stand_in() -> Self {
        Self::default()
    }

    fn schema(definitions: &mut Definitions, limits: &Limits) -> Json {
        json!({ "anyOf": [{ "type": "boolean" }, ClustersTable::schema(definitions, limits)] })
    }

    fn to_json(&self) -> Option<Json> {
        Some(json!(self.0.is_some()))
    }
}
