//! Colliders of a world: adding, moving and removing them.

use crate::colliders::collider::{Collider, ColliderId, SurfaceMotion};
use crate::error::WorldError;
use crate::space::motion::Motion;
use crate::space::pose::Pose;

use super::{PlacedCollider, World};

impl World {
    /// Adds a collider.
    pub fn add_collider(&mut self, collider: Collider) -> Result<ColliderId, WorldError> {
        self.model
            .materials
            .get(collider.material)
            .ok_or(WorldError::Gone("material"))?;
        check_pose(&collider.name, &collider.initial_pose)?;
        check_surface(&collider.name, &collider.surface)?;
        let pose = collider.motion.pose(&collider.initial_pose, self.model.time);
        let (index, generation) = self.model.colliders.insert(PlacedCollider {
            collider,
            pose,
            target: pose,
            is_on: true,
            runs: true,
        });
        Ok(ColliderId { index, generation })
    }

    /// The collider of that handle.
    pub fn collider(&self, id: ColliderId) -> Option<&Collider> {
        self.model
            .colliders
            .get(id.index, id.generation)
            .map(|placed| &placed.collider)
    }

    /// Where a collider is.
    pub fn collider_pose(&self, id: ColliderId) -> Option<Pose> {
        let placed = self.model.colliders.get(id.index, id.generation)?;
        Some(placed.pose)
    }

    /// All colliders with their handles and present poses.
    pub fn colliders(&self) -> impl Iterator<Item = (ColliderId, &Collider, &Pose)> {
        self.model
            .colliders
            .iter()
            .map(|((index, generation), placed)| (ColliderId { index, generation }, &placed.collider, &placed.pose))
    }

    /// Moves a collider to a pose during the next frame, sweeping particles along; ends its own motion.
    pub fn move_collider(&mut self, id: ColliderId, pose: Pose) -> Result<(), WorldError> {
        let placed = self.placed(id)?;
        check_pose(&placed.collider.name, &pose)?;
        placed.collider.motion = Motion::Fixed;
        placed.target = pose;
        Ok(())
    }

    /// Puts a collider somewhere else at once, without sweeping what lies between; ends its own motion.
    pub fn teleport_collider(&mut self, id: ColliderId, pose: Pose) -> Result<(), WorldError> {
        self.move_collider(id, pose)?;
        self.placed(id)?.pose = pose;
        Ok(())
    }

    /// Has the surface of a collider run along itself from the next frame on, or stop.
    pub fn set_surface_motion(&mut self, id: ColliderId, surface: SurfaceMotion) -> Result<(), WorldError> {
        let placed = self.placed(id)?;
        check_surface(&placed.collider.name, &surface)?;
        placed.collider.surface = surface;
        Ok(())
    }

    /// Removes a collider, and with it what was attached to it.
    pub fn remove_collider(&mut self, id: ColliderId) -> Result<(), WorldError> {
        self.model
            .colliders
            .remove(id.index, id.generation)
            .ok_or(WorldError::Gone("collider"))?;
        self.let_go_of(id);
        Ok(())
    }

    /// Switches a collider on or off: while it is off nothing touches it. It moves on, and holds what is joined to it.
    pub fn switch_collider(&mut self, id: ColliderId, on: bool) -> Result<(), WorldError> {
        self.placed(id)?.is_on = on;
        Ok(())
    }

    /// Whether a collider is switched on; `None` if there is no such collider.
    pub fn is_collider_on(&self, id: ColliderId) -> Option<bool> {
        let placed = self.model.colliders.get(id.index, id.generation)?;
        Some(placed.is_on)
    }

    /// Has the surface of a collider run as its [`SurfaceMotion`] says, or stand still.
    pub fn switch_surface(&mut self, id: ColliderId, on: bool) -> Result<(), WorldError> {
        self.placed(id)?.runs = on;
        Ok(())
    }

    /// Whether the surface of a collider is switched on; `None` if there is no such collider.
    pub fn is_surface_on(&self, id: ColliderId) -> Option<bool> {
        let placed = self.model.colliders.get(id.index, id.generation)?;
        Some(placed.runs)
    }

    fn placed(&mut self, id: ColliderId) -> Result<&mut PlacedCollider, WorldError> {
        self.model
            .colliders
            .get_mut(id.index, id.generation)
            .ok_or(WorldError::Gone("collider"))
    }
}

impl PlacedCollider {
    /// What engines see of it: nothing touches what is off, and what was stopped does not run.
    pub(super) fn at_work(&self) -> Collider {
        let mut collider = self.collider.clone();
        if !self.is_on {
            collider.channels = 0;
        }
        if !self.runs {
            collider.surface = SurfaceMotion::STILL;
        }
        collider
    }
}

fn check_pose(name: &str, pose: &Pose) -> Result<(), WorldError> {
    if pose.is_sound() {
        return Ok(());
    }
    Err(WorldError::Value {
        what: format!("collider \"{name}\""),
        field: "pose".into(),
        found: format!("{} and {}", pose.position, pose.rotation),
        expected: "a finite position and a unit rotation".into(),
    })
}

fn check_surface(name: &str, surface: &SurfaceMotion) -> Result<(), WorldError> {
    if surface.is_finite() {
        return Ok(());
    }
    Err(WorldError::Value {
        what: format!("collider \"{name}\""),
        field: "surface".into(),
        found: format!(
            "{} m/s and {} rad/s about {}",
            surface.velocity, surface.angular_velocity, surface.center
        ),
        expected: "finite numbers".into(),
    })
}
