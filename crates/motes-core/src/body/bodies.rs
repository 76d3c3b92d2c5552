//! All bodies of a world, one array per property, as both engines keep them.

use glam::{Mat3, Quat, Vec3, Vec4, Vec4Swizzles};
use serde::{Deserialize, Serialize};

use crate::body::attachment::{Anchor, Attached, Attachment, AttachmentId};
use crate::body::drive::Drive;
use crate::body::joint::{JointId, Jointed};
use crate::body::{BodyId, BodyMotion, NewBody, Plasticity};
use crate::constraints::attachment::nearness;
use crate::constraints::inscribed::{InscribedBall, NO_BALL, is_inscribed};
use crate::constraints::revolution::Revolution;
use crate::constraints::rigid::{LEAST_INERTIA, eigen, pseudo_inverse};
use crate::constraints::surface::{BALL, SurfaceField};
use crate::particles::{ParticleId, Particles};
use crate::settings::Settings;
use crate::space::pose::Pose;
use crate::world::group::GroupId;

/// Bodies and their *members*: the particles that belong to one, body by body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bodies {
    /// The bodies.
    pub list: Vec<Body>,
    /// Rest position of each member relative to the body's centre of mass (xyz, metres), and its mass (w, kg).
    pub rest: Vec<Vec4>,
    /// What each member knows of the surface, in the body's frame.
    pub fields: Vec<SurfaceField>,
    /// With what each member touches colliders where its body is rigid, in the body's frame.
    pub inscribed: Vec<InscribedBall>,
    /// Members at edges and corners, which choose among several normals, in ascending order.
    pub corners: Vec<Corner>,
    /// How far each member has flowed since it was added, metres.
    pub flowed: Vec<f32>,
    /// Which particle each member is.
    pub particles: Vec<ParticleId>,
    /// The clusters of soft bodies, body by body.
    pub clusters: Vec<Cluster>,
    /// Members of the clusters, cluster by cluster.
    pub cluster_members: Vec<u32>,
    /// What holds points of bodies to each other and to the world, in the order in which it was made.
    pub attachments: Vec<Attached>,
    next_attachment: u32,
    /// Joints that attachments belong to, in the order in which they were made.
    pub joints: Vec<Jointed>,
    next_joint: u32,
    /// Place in the list of each body that ever was.
    places: Vec<u32>,
    /// Counts changes to who belongs to what, so that an engine knows when to look again.
    pub changes: u64,
}

/// One body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// Its handle.
    pub id: BodyId,
    /// The group of its particles.
    pub group: GroupId,
    /// Its first member, and how many there are.
    pub first: u32,
    /// Number of members.
    pub count: u32,
    /// Its first cluster, and how many there are.
    pub first_cluster: u32,
    /// Number of clusters.
    pub cluster_count: u32,
    /// Rotation from the rest pose to the present one.
    pub rotation: Quat,
    /// What else of its motion a rigid body keeps from one sub-step to the next.
    pub carried: Carried,
    /// Centre of mass in the frame that the body was given in, metres.
    pub origin: Vec3,
    /// Mass, kg.
    pub mass: f32,
    /// Inertia tensor of the rest shape about its centre, kg·m².
    pub inertia: Mat3,
    /// Its inverse; zero about axes without inertia.
    pub inverse_inertia: Mat3,
    /// Side of the cube that has its radius of gyration, metres, as it was made: what flows keeps it.
    pub size: f32,
    /// Stiffness as a whole: a share of a deformation that is undone in a sixtieth of a second, or below zero a rate, 1/s²
    /// ([`gain`](crate::constraints::shape_match::gain)).
    pub stiffness: f32,
    /// Stiffness of each cluster, likewise.
    pub cluster_stiffness: f32,
    /// How it yields.
    pub plasticity: Option<Plasticity>,
    /// Whether any of its members has an inscribed ball.
    pub is_inscribed: bool,
    /// What it revolves about, from its centre of mass, if it is a body of revolution.
    pub revolution: Option<Revolution>,
    /// Mass scaling of its own.
    pub mass_scaling: Option<f32>,
    /// Of a kinematic body, where it is and where it shall be at the end of the next frame.
    pub path: Option<[Pose; 2]>,
    /// Of a kinematic body that moves by itself, how.
    pub drive: Option<Drive>,
}

/// How a rigid body moves, kept for itself: read off its particles, whose numbers are rounded, the same little error would be
/// added in every sub-step, and a body at rest in empty space would set off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Carried {
    /// Where its centre of mass is, metres.
    pub center: Vec3,
    /// Where that is in the rest shape.
    pub rest_center: Vec3,
    /// Velocity of the centre, m/s.
    pub velocity: Vec3,
    /// Angular momentum about the centre, kg·m²/s.
    pub angular_momentum: Vec3,
}

/// A member at an edge or a corner of its body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Corner {
    /// Its number.
    pub member: u32,
    /// Unit normals of the faces that meet there, in the body's frame; zero for none.
    pub normals: [Vec3; 3],
}

/// A part of a soft body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cluster {
    /// Its first entry among the members of clusters.
    pub first: u32,
    /// Number of members.
    pub count: u32,
    /// Rotation from the rest pose to the present one.
    pub rotation: Quat,
}

/// Members that are taken together: those of a body, which follow one another, or a cluster's, which are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The first member, or the first entry among the members of clusters.
    pub first: u32,
    /// Number of members.
    pub count: u32,
    /// Whether they are listed.
    pub is_listed: bool,
}

/// The place of a body that was removed.
const GONE: u32 = u32::MAX;

impl Body {
    /// The numbers of its members.
    pub fn members(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    /// The numbers of its clusters.
    pub fn clusters(&self) -> std::ops::Range<usize> {
        self.first_cluster as usize..(self.first_cluster + self.cluster_count) as usize
    }

    /// Whether its particles are in one line, or it has only one: nothing turns it about that line.
    pub fn is_a_row(&self) -> bool {
        let turned = self.inertia * self.inverse_inertia;
        turned.x_axis.x + turned.y_axis.y + turned.z_axis.z < 2.5
    }

    /// Whether it keeps its shape exactly, so that contacts meet the whole of it.
    pub fn is_rigid(&self) -> bool {
        self.cluster_count == 0 && self.stiffness >= 1.0 && self.plasticity.is_none()
    }

    /// How stiff it is as a whole, and its clusters if it has any.
    pub fn stiffnesses(&self) -> [f32; 2] {
        let clusters = if self.cluster_count > 0 {
            self.cluster_stiffness
        } else {
            0.0
        };
        [self.stiffness, clusters]
    }

    /// Whether its shape pulls at its particles without holding them altogether: it then goes by where they go.
    pub fn bends(&self) -> bool {
        self.stiffness < 1.0 && self.path.is_none()
    }

    /// Its mass scaling where it touches other bodies.
    pub fn scaling(&self, settings: &Settings) -> f32 {
        self.mass_scaling.unwrap_or(settings.body_mass_scaling)
    }

    /// The user's frame when the centre of mass, which is at `rest_center` of the rest shape, is at `center`.
    pub fn pose(&self, center: Vec3, rest_center: Vec3) -> Pose {
        Pose {
            position: center - self.rotation * (self.origin + rest_center),
            rotation: self.rotation,
        }
    }
}

impl Bodies {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether masses are scaled between any two of them.
    pub fn scale(&self, settings: &Settings) -> bool {
        self.list.iter().any(|body| body.scaling(settings) > 0.0)
    }

    /// Mean size of the bodies, metres: how far one is above the other in a stack. 1 if there are none.
    pub fn mean_size(&self) -> f32 {
        let sizes = self.list.iter().map(|body| body.size);
        let mean = sizes.sum::<f32>() / self.list.len() as f32;
        if mean > 0.0 { mean } else { 1.0 }
    }

    /// Whether any of them touches colliders with inscribed balls, or would if it were stiff enough.
    pub fn are_inscribed(&self) -> bool {
        self.list.iter().any(|body| body.is_inscribed)
    }

    /// The place of a body in the list.
    pub fn place(&self, id: BodyId) -> Option<usize> {
        let &place = self.places.get(id.0 as usize)?;
        (place != GONE).then_some(place as usize)
    }

    /// Adds a body whose particles have been added.
    pub(crate) fn add(&mut self, group: GroupId, new: &NewBody, particles: &[ParticleId]) -> BodyId {
        let id = BodyId(self.places.len() as u32);
        self.places.push(self.list.len() as u32);
        let first = self.rest.len() as u32;
        let first_cluster = self.clusters.len() as u32;
        let origin = center_of_mass(&new.positions, &new.masses);
        let rests = new.positions.iter().zip(&new.masses);
        self.rest
            .extend(rests.map(|(&position, &mass)| (position - origin).extend(mass)));
        self.fields.extend_from_slice(&new.fields);
        self.fields.resize(self.rest.len(), BALL);
        // What is not rigid, and never will be, is not where it was when its balls were inscribed.
        if new.clusters.is_empty() && new.plasticity.is_none() {
            self.inscribed.extend_from_slice(&new.inscribed);
        }
        self.inscribed.resize(self.rest.len(), NO_BALL);
        let corners = (first..).zip(&new.faces).zip(&new.fields);
        self.corners.extend(
            corners
                .filter(|((_, faces), field)| faces[0] != Vec3::ZERO && field.w < 0.0)
                .map(|((member, &[a, b]), field)| Corner {
                    member,
                    normals: [field.xyz(), a, b],
                }),
        );
        self.flowed.resize(self.rest.len(), 0.0);
        self.particles.extend_from_slice(particles);
        let entries = self.cluster_members.len() as u32;
        self.clusters
            .extend(new.clusters.starts.windows(2).map(|bounds| Cluster {
                first: entries + bounds[0],
                count: bounds[1] - bounds[0],
                rotation: new.pose.rotation,
            }));
        self.cluster_members
            .extend(new.clusters.members.iter().map(|member| first + member));
        let soft = !new.clusters.is_empty();
        let stiffness = match &new.elasticity {
            Some(elasticity) => -elasticity.rate(new),
            None => new.stiffness,
        };
        let mut body = Body {
            id,
            group,
            first,
            count: particles.len() as u32,
            first_cluster,
            cluster_count: new.clusters.len() as u32,
            rotation: new.pose.rotation,
            carried: Carried::default(),
            origin,
            mass: new.masses.iter().sum(),
            inertia: Mat3::ZERO,
            inverse_inertia: Mat3::ZERO,
            size: 0.0,
            stiffness: if soft { new.clusters.whole_stiffness } else { stiffness },
            cluster_stiffness: stiffness,
            plasticity: new.plasticity,
            is_inscribed: self.inscribed[first as usize..].iter().any(|&ball| is_inscribed(ball)),
            revolution: new.revolution.map(|revolution| Revolution {
                point: revolution.point - origin,
                ..revolution
            }),
            mass_scaling: new.mass_scaling,
            path: new.kinematic.then_some([new.pose; 2]),
            drive: None,
        };
        body.measure(&self.rest);
        body.measure_size();
        self.list.push(body);
        self.changes += 1;
        id
    }

    /// Adds an attachment between things that exist.
    pub(crate) fn attach(&mut self, attachment: Attachment) -> AttachmentId {
        let id = AttachmentId(self.next_attachment);
        self.next_attachment += 1;
        self.attachments.push(Attached {
            id,
            attachment,
            impulse: Vec3::ZERO,
            earlier: Vec3::ZERO,
            joint: None,
        });
        id
    }

    /// Whether anything holds the body at a place in the list.
    pub(crate) fn is_attached(&self, place: usize) -> bool {
        let id = self.list[place].id;
        self.attachments.iter().any(|attached| {
            let Attachment { body, anchor, .. } = attached.attachment;
            body == id || matches!(anchor, Anchor::Body(other, _) if other == id)
        })
    }

    /// Has a body that loses its shape touch with the balls of its particles from here on.
    pub(crate) fn forget_inscribed(&mut self, id: BodyId) {
        if let Some(place) = self.place(id)
            && std::mem::replace(&mut self.list[place].is_inscribed, false)
        {
            let members = self.list[place].members();
            self.inscribed[members].fill(NO_BALL);
            self.changes += 1;
        }
    }

    /// Adds a joint whose attachments have just been added; it gets its handle here.
    pub(crate) fn add_joint(&mut self, joint: Jointed) -> JointId {
        let id = JointId(self.next_joint);
        self.next_joint += 1;
        for attachment in joint.attachments() {
            if let Some(place) = self.attachment_place(attachment) {
                self.attachments[place].joint = Some(id);
            }
        }
        self.joints.push(Jointed { id, ..joint });
        id
    }

    /// The place of a joint in the list.
    pub fn joint_place(&self, id: JointId) -> Option<usize> {
        self.joints.binary_search_by_key(&id, |joint| joint.id).ok()
    }

    /// The joint of that handle; none once it is broken.
    pub fn joint(&self, id: JointId) -> Option<&Jointed> {
        self.joint_place(id).map(|place| &self.joints[place])
    }

    /// Takes away joints that have lost all of their attachments or, where something acts on their axis, any, and then the rest
    /// of those too.
    pub fn drop_loose_joints(&mut self) {
        let attachments = &self.attachments;
        let has = |id: &AttachmentId| attachments.binary_search_by_key(id, |attached| attached.id).is_ok();
        let before = self.joints.len();
        self.joints.retain(|joint| match joint.is_driven() {
            true => joint.attachments().all(|id| has(&id)),
            false => joint.attachments().any(|id| has(&id)),
        });
        if self.joints.len() < before {
            let joints = &self.joints;
            let stays = |id| joints.binary_search_by_key(&id, |joint: &Jointed| joint.id).is_ok();
            self.attachments.retain(|attached| attached.joint.is_none_or(stays));
        }
    }

    /// The place of an attachment in the list.
    pub fn attachment_place(&self, id: AttachmentId) -> Option<usize> {
        self.attachments.binary_search_by_key(&id, |attached| attached.id).ok()
    }

    /// The part of a body by which a point of its rest shape is held: the cluster whose middle is nearest, or the whole.
    pub fn part_at(&self, place: usize, point: Vec3) -> Part {
        let body = &self.list[place];
        let parts = self.clusters[body.clusters()].iter().map(|cluster| Part {
            first: cluster.first,
            count: cluster.count,
            is_listed: true,
        });
        let distance = |part: &Part| {
            let sum = self.members_of(*part).fold(Vec4::ZERO, |sum, member| {
                let rest = self.rest[member];
                sum + (rest.w * rest.xyz()).extend(rest.w)
            });
            nearness((sum.xyz() / sum.w).distance_squared(point))
        };
        parts.min_by_key(distance).unwrap_or(Part {
            first: body.first,
            count: body.count,
            is_listed: false,
        })
    }

    /// The numbers of the members of a part.
    pub fn members_of(&self, part: Part) -> impl Iterator<Item = usize> + Clone + '_ {
        (part.first as usize..(part.first + part.count) as usize).map(move |entry| match part.is_listed {
            true => self.cluster_members[entry] as usize,
            false => entry,
        })
    }

    /// Takes a body out of the list; its particles are somebody else's business.
    pub(crate) fn remove(&mut self, place: usize) {
        let body = self.list.remove(place);
        self.attachments.retain(|attached| {
            let held_to = matches!(attached.attachment.anchor, Anchor::Body(other, _) if other == body.id);
            attached.attachment.body != body.id && !held_to
        });
        self.drop_loose_joints();
        self.places[body.id.0 as usize] = GONE;
        for (place, body) in self.list.iter().enumerate() {
            self.places[body.id.0 as usize] = place as u32;
        }
        let (members, clusters) = (body.members(), body.clusters());
        let entries = match self.clusters.get(clusters.clone()) {
            Some([first, .., last]) => first.first as usize..(last.first + last.count) as usize,
            Some([only]) => only.first as usize..(only.first + only.count) as usize,
            _ => 0..0,
        };
        let cut = |from: &mut u32, of: &std::ops::Range<usize>| {
            if *from as usize >= of.end {
                *from -= of.len() as u32;
            }
        };
        for other in &mut self.list {
            cut(&mut other.first, &members);
            cut(&mut other.first_cluster, &clusters);
        }
        for cluster in &mut self.clusters {
            cut(&mut cluster.first, &entries);
        }
        for member in &mut self.cluster_members {
            cut(member, &members);
        }
        self.corners
            .retain(|corner| !members.contains(&(corner.member as usize)));
        for corner in &mut self.corners {
            cut(&mut corner.member, &members);
        }
        self.rest.drain(members.clone());
        self.fields.drain(members.clone());
        self.inscribed.drain(members.clone());
        self.flowed.drain(members.clone());
        self.particles.drain(members);
        self.clusters.drain(clusters);
        self.cluster_members.drain(entries);
        self.changes += 1;
    }

    /// Where a body is and how it moves, from its particles; `None` if it is gone, or all of them are.
    pub fn motion(&self, id: BodyId, particles: &Particles) -> Option<BodyMotion> {
        let body = &self.list[self.place(id)?];
        body.motion(|| {
            body.members().filter_map(|member| {
                let slot = particles.slot(self.particles[member])?;
                let state = [particles.positions[slot].xyz(), particles.velocities[slot].xyz()];
                Some((self.rest[member], state))
            })
        })
    }

    /// Memory held, bytes.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Body>() * self.list.capacity()
            + 48 * self.rest.capacity()
            + 12 * self.particles.capacity()
            + size_of::<Corner>() * self.corners.capacity()
            + size_of::<Cluster>() * self.clusters.capacity()
            + 4 * self.cluster_members.capacity()
            + size_of::<Attached>() * self.attachments.capacity()
            + size_of::<Jointed>() * self.joints.capacity()
    }

    /// References between the parts lead somewhere.
    pub(crate) fn is_sound(&self) -> bool {
        let members = self.rest.len();
        let entries = self.cluster_members.len() as u64;
        let within = |first: u32, count: u32, all: usize| u64::from(first) + u64::from(count) <= all as u64;
        let lengths = [
            self.fields.len(),
            self.inscribed.len(),
            self.flowed.len(),
            self.particles.len(),
        ];
        lengths == [members; 4]
            && self.list.iter().all(|body| {
                within(body.first, body.count, members)
                    && within(body.first_cluster, body.cluster_count, self.clusters.len())
            })
            && self
                .clusters
                .iter()
                .all(|cluster| u64::from(cluster.first) + u64::from(cluster.count) <= entries)
            && self.cluster_members.iter().all(|&member| (member as usize) < members)
            && self.corners.iter().all(|corner| (corner.member as usize) < members)
            && self.attachments.is_sorted_by(|a, b| a.id < b.id)
            && self
                .attachments
                .last()
                .is_none_or(|attached| attached.id.0 < self.next_attachment)
            && self.joints.is_sorted_by(|a, b| a.id < b.id)
            && self.joints.last().is_none_or(|joint| joint.id.0 < self.next_joint)
            && self.joints.iter().all(Jointed::is_sound)
            && self
                .list
                .iter()
                .enumerate()
                .all(|(place, body)| self.place(body.id) == Some(place))
    }
}

impl Body {
    /// Sets how stiff it is as a whole, and how stiff its clusters are.
    pub fn set_stiffness(&mut self, whole: f32, clusters: f32) {
        self.stiffness = whole;
        self.cluster_stiffness = clusters;
    }

    /// Where it is and how it moves, from the rest positions with masses (w), positions and velocities of the members that
    /// are alive.
    pub fn motion<M: Iterator<Item = (Vec4, [Vec3; 2])>>(&self, members: impl Fn() -> M) -> Option<BodyMotion> {
        let (mut mass, mut center, mut rest_center, mut momentum) = (0.0, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        let near = members().next()?.1[0];
        for (rest, [position, velocity]) in members() {
            mass += rest.w;
            rest_center += rest.w * rest.xyz();
            center += rest.w * (position - near);
            momentum += rest.w * velocity;
        }
        let center = near + center / mass;
        let velocity = momentum / mass;
        let (mut angular_momentum, mut inertia) = (Vec3::ZERO, Mat3::ZERO);
        for (rest, [position, own]) in members() {
            let arm = position - center;
            angular_momentum += rest.w * arm.cross(own - velocity);
            let square = Mat3::from_diagonal(Vec3::splat(arm.dot(arm)));
            inertia += (square - Mat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z)) * rest.w;
        }
        Some(BodyMotion {
            pose: self.pose(center, rest_center / mass),
            center,
            velocity,
            angular_velocity: pseudo_inverse(&inertia) * angular_momentum,
            mass,
            inertia,
        })
    }

    /// Works out the inertia of the rest shape.
    pub fn measure(&mut self, rest: &[Vec4]) {
        let members = &rest[self.members()];
        let center = members.iter().map(|rest| rest.xyz() * rest.w).sum::<Vec3>() / self.mass;
        let mut products = Mat3::ZERO;
        for rest in members {
            let r = rest.xyz() - center;
            products += Mat3::from_cols(r * r.x, r * r.y, r * r.z) * rest.w;
        }
        let trace = products.x_axis.x + products.y_axis.y + products.z_axis.z;
        self.inertia = Mat3::from_diagonal(Vec3::splat(trace)) - products;
        // Nothing can turn a row of particles about itself.
        self.inverse_inertia = pseudo_inverse(&self.inertia);
    }

    /// Has a body that is smaller than its particles, or nearly a row of them, resist turning as a ball of their radius, metres, does
    /// at least: masses at points that nearly coincide would be spun by the least push. A row itself, which nothing turns about its
    /// line, stays one.
    pub(crate) fn fill_out(&mut self, radius: f32) {
        let (values, axes) = eigen(&self.inertia);
        let least = 0.4 * self.mass * radius * radius;
        let tiny = LEAST_INERTIA * values.max_element();
        let is_low = values.cmpgt(Vec3::splat(tiny)) & values.cmplt(Vec3::splat(least));
        if is_low.any() {
            let values = Vec3::select(is_low, Vec3::splat(least), values);
            self.inertia = axes * Mat3::from_diagonal(values) * axes.transpose();
            self.inverse_inertia = pseudo_inverse(&self.inertia);
        }
    }

    /// Works out its size from its inertia.
    pub(crate) fn measure_size(&mut self) {
        let trace = self.inertia.x_axis.x + self.inertia.y_axis.y + self.inertia.z_axis.z;
        self.size = (2.0 * trace / self.mass.max(f32::MIN_POSITIVE)).sqrt();
    }
}

fn center_of_mass(positions: &[Vec3], masses: &[f32]) -> Vec3 {
    let weighted = positions.iter().zip(masses);
    let sum = weighted.fold(glam::DVec3::ZERO, |sum, (position, &mass)| {
        sum + position.as_dvec3() * f64::from(mass)
    });
    let mass: f64 = masses.iter().copied().map(f64::from).sum();
    (sum / mass.max(f64::MIN_POSITIVE)).as_vec3()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::MaterialId;

    fn body(places: &[Vec3], radius: f32) -> Body {
        let new = NewBody::new("", MaterialId(0), places.to_vec(), vec![0.5; places.len()]);
        let mut bodies = Bodies::default();
        let nobody = ParticleId {
            index: 0,
            generation: 0,
        };
        bodies.add(GroupId::default(), &new, &vec![nobody; places.len()]);
        let mut body = bodies.list[0].clone();
        body.fill_out(radius);
        body
    }

    #[test]
    fn bodies_resist_turning_as_a_ball_of_their_particles_at_least() {
        // Two kilograms nearly in a row: about it as a ball of 0.1 m, across as they are.
        let nearly = [(-0.3, 0.02), (-0.1, -0.02), (0.1, -0.02), (0.3, 0.02)].map(|(x, y)| Vec3::new(x, y, 0.0));
        let found = body(&nearly, 0.1);
        assert!(
            (found.inertia.x_axis.x - 0.4 * 2.0 * 0.01).abs() < 1e-6,
            "{}",
            found.inertia
        );
        assert!((found.inertia.y_axis.y - 0.1).abs() < 1e-6, "{}", found.inertia);
        assert!(!found.is_a_row());
        let apart = body(&nearly, 0.01);
        assert!((apart.inertia.x_axis.x - 2.0 * 0.0004).abs() < 1e-6);
        assert!(body(&nearly.map(|place| place * Vec3::X), 0.1).is_a_row());
    }
}
