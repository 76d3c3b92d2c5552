//! A drawing gathered into flat arrays in camera space, with non-finite things left out.

use super::vector::{self, Kernel};
use super::view::{SampleRect, View};
use crate::{Drawing, MeshInstance};
use glam::{Affine3A, Mat3, Vec3, Vec4};
use rayon::prelude::*;
use std::ops::Range;

/// Opacity from which a mesh counts as solid.
const SOLID: f32 = 0.999;

/// Triangles that are gathered at a time.
const BATCH: usize = 4096;

/// A triangle of a mesh instance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangle {
    /// Camera space, metres.
    pub(crate) corners: [Vec3; 3],
    pub(crate) instance: u32,
    /// Its number in the mesh.
    pub(crate) index: u32,
}

/// What the picture shows, in camera space. A primitive's number is that of its sphere, or the number of spheres plus
/// that of its triangle.
#[derive(Debug, Default)]
pub(crate) struct Content {
    /// Centres with the radius they are drawn with; a radius of 0 is not drawn.
    pub(crate) spheres: Vec<Vec4>,
    /// Of every group the range of its spheres.
    groups: Vec<Range<usize>>,
    /// Those that may cover a sample.
    pub(crate) triangles: Vec<Triangle>,
    /// From a mesh to camera space, one per instance.
    pub(crate) to_camera: Vec<Affine3A>,
    /// From the normals of a mesh to camera space, without keeping their lengths; one per instance.
    pub(crate) normal_maps: Vec<Mat3>,
    /// How each instance is drawn.
    pub(crate) kinds: Vec<Kind>,
    /// The samples each primitive may cover.
    pub(crate) rects: Vec<SampleRect>,
    /// Buffers of triangles that are gathered by themselves.
    batches: Vec<Batch>,
}

/// Some triangles of a mesh.
#[derive(Debug, Default)]
struct Batch {
    triangles: Vec<Triangle>,
    rects: Vec<SampleRect>,
    /// The vertices of the mesh in camera space.
    vertices: Vec<Vec3>,
}

/// What is known of a primitive from its number.
pub(crate) enum Primitive<'a> {
    Sphere(Vec4),
    Triangle(&'a Triangle),
}

impl Content {
    pub(crate) fn gather(&mut self, drawing: &Drawing, view: &View) {
        self.gather_spheres(drawing, view);
        self.rects.clear();
        let spheres = self.spheres.par_iter().map(|sphere| match sphere.w {
            0.0 => SampleRect::default(),
            radius => view.sphere_rect(sphere.truncate(), radius),
        });
        self.rects.par_extend(spheres);
        self.gather_triangles(drawing, view);
    }

    fn gather_spheres(&mut self, drawing: &Drawing, view: &View) {
        // Rays through the samples would miss smaller spheres, which would then flicker.
        let least_slope = 0.75 * view.step;
        self.spheres.clear();
        self.groups.clear();
        for group in &drawing.spheres {
            let radius = if group.radius.is_finite() {
                group.radius.max(0.0)
            } else {
                0.0
            };
            let start = self.spheres.len();
            self.spheres.par_extend(group.positions.par_iter().map(|position| {
                let center = view.point(position.truncate());
                if center.is_finite() && radius > 0.0 {
                    center.extend(radius.max(least_slope * center.z))
                } else {
                    Vec4::ZERO
                }
            }));
            self.groups.push(start..self.spheres.len());
        }
    }

    /// Gathers the triangles that may cover a sample, and where they do. Those of the nearest meshes come first, as they
    /// hide the others.
    fn gather_triangles(&mut self, drawing: &Drawing, view: &View) {
        self.to_camera.clear();
        self.to_camera
            .extend(drawing.meshes.iter().map(|instance| view.transform(&instance.pose)));
        self.kinds.clear();
        self.kinds.extend(drawing.meshes.iter().map(Kind::of));
        self.normal_maps.clear();
        self.normal_maps.extend(
            self.to_camera
                .iter()
                .map(|to_camera| cofactors(&Mat3::from(to_camera.matrix3))),
        );
        let places: Vec<(usize, usize)> = nearest_first(drawing, &self.to_camera)
            .into_iter()
            .flat_map(|number| {
                let starts = (0..drawing.meshes[number].mesh.triangles().len()).step_by(BATCH);
                starts.map(move |start| (number, start))
            })
            .collect();
        if self.batches.len() < places.len() {
            self.batches.resize_with(places.len(), Batch::default);
        }
        let batches = &mut self.batches[..places.len()];
        let to_camera = &self.to_camera;
        batches
            .par_iter_mut()
            .zip(&places)
            .for_each(|(batch, &(number, start))| {
                vector::run(Gather {
                    view,
                    instance: &drawing.meshes[number],
                    number: number as u32,
                    to_camera: &to_camera[number],
                    start,
                    batch,
                });
            });
        self.triangles.clear();
        for batch in batches {
            self.triangles.extend_from_slice(&batch.triangles);
            self.rects.extend_from_slice(&batch.rects);
        }
    }

    pub(crate) fn primitive(&self, number: u32) -> Primitive<'_> {
        match self.spheres.get(number as usize) {
            Some(&sphere) => Primitive::Sphere(sphere),
            None => Primitive::Triangle(&self.triangles[number as usize - self.spheres.len()]),
        }
    }

    /// The triangle of a number, unless it is a sphere's.
    pub(crate) fn triangle(&self, number: u32) -> Option<&Triangle> {
        self.triangles.get((number as usize).checked_sub(self.spheres.len())?)
    }

    /// How a triangle is drawn.
    pub(crate) fn kind(&self, triangle: &Triangle) -> Kind {
        self.kinds[triangle.instance as usize]
    }

    /// Whether any of these primitives is of a liquid.
    pub(crate) fn is_wet(&self, primitives: &[u32]) -> bool {
        let mut triangles = primitives.iter().rev().map_while(|&primitive| self.triangle(primitive));
        triangles.any(|triangle| self.kind(triangle) == Kind::Liquid)
    }

    /// A number that stays the same, in the same view, as long as a list of primitives does.
    pub(crate) fn fingerprint(&self, drawing: &Drawing, primitives: &[u32], instances: &[u64]) -> u64 {
        let mut print = Fingerprint::default();
        for &number in primitives {
            match self.primitive(number) {
                Primitive::Sphere(sphere) => {
                    let [x, y, z, w] = sphere.to_array().map(|value| u64::from(value.to_bits()));
                    let [red, green, blue] = self.sphere_look(drawing, number).0.map(u64::from);
                    print.add(x << 32 | y);
                    print.add(z << 32 | w);
                    print.add(red << 16 | green << 8 | blue);
                }
                Primitive::Triangle(triangle) => {
                    print.add(instances[triangle.instance as usize]);
                    print.add(triangle.index.into());
                }
            }
        }
        print.0
    }

    /// The sRGB colour of a sphere, light grey if it was given none.
    pub(crate) fn sphere_look(&self, drawing: &Drawing, number: u32) -> ([u8; 3], bool) {
        let number = number as usize;
        let group = self.groups.partition_point(|group| group.end <= number);
        let index = number - self.groups[group].start;
        let spheres = &drawing.spheres[group];
        let color = spheres.colors.get(index).copied().unwrap_or([200; 3]);
        (color, spheres.scatters)
    }
}

/// Gathers those triangles of a batch that may cover a sample.
struct Gather<'a> {
    view: &'a View,
    instance: &'a MeshInstance<'a>,
    number: u32,
    to_camera: &'a Affine3A,
    /// The first triangle.
    start: usize,
    batch: &'a mut Batch,
}

impl Kernel for Gather<'_> {
    #[inline(always)]
    fn run(self) {
        let (mesh, to_camera) = (self.instance.mesh, self.to_camera);
        let Batch {
            triangles,
            rects,
            vertices,
        } = self.batch;
        triangles.clear();
        rects.clear();
        vertices.clear();
        let (all, positions) = (mesh.triangles(), mesh.positions());
        // Most vertices belong to six triangles; those of a large mesh would be looked at by all of its batches.
        if all.len() <= BATCH && positions.len() <= BATCH {
            vertices.extend(positions.iter().map(|&position| to_camera.transform_point3(position)));
        }
        let corner = |corner: u32| match vertices.get(corner as usize) {
            Some(&vertex) => vertex,
            None => to_camera.transform_point3(positions[corner as usize]),
        };
        let outward = outward_turn(self.instance, to_camera, self.view);
        for (index, triangle) in all.iter().enumerate().skip(self.start).take(BATCH) {
            let corners = triangle.map(corner);
            let [a, b, c] = corners;
            if (b - a).cross(c - a).dot(a) * outward > 0.0 {
                continue;
            }
            let rect = self.view.triangle_rect(&corners);
            if !rect.is_empty() {
                rects.push(rect);
                triangles.push(Triangle {
                    corners,
                    instance: self.number,
                    index: index as u32,
                });
            }
        }
    }
}

/// A number made from many.
#[derive(Clone, Copy, Debug, Default)]
struct Fingerprint(u64);

impl Fingerprint {
    #[inline(always)]
    fn add(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = (mixed ^ mixed >> 29).wrapping_add(0x94d0_49bb_1331_11eb);
    }
}

/// Of every mesh of a drawing a number that stays the same as long as its look and pose do.
pub(crate) fn instance_fingerprints(drawing: &Drawing) -> Vec<u64> {
    let print = |instance: &MeshInstance| {
        let mut print = Fingerprint::default();
        print.add(instance.mesh.id());
        for value in instance.pose.to_cols_array() {
            print.add(value.to_bits().into());
        }
        let [red, green, blue] = instance.color.map(u64::from);
        print.add(u64::from(instance.opacity.to_bits()) << 32 | red << 16 | green << 8 | blue);
        print.0
    };
    drawing.meshes.iter().map(print).collect()
}

/// How a mesh is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Hides what is behind it.
    Solid,
    Glass,
    Liquid,
}

impl Kind {
    pub(crate) fn of(instance: &MeshInstance) -> Self {
        match instance.mesh.liquid() {
            Some(_) => Self::Liquid,
            None if is_solid(instance.opacity) => Self::Solid,
            None => Self::Glass,
        }
    }
}

/// Whether a mesh of this opacity lets no light through.
pub(crate) fn is_solid(opacity: f32) -> bool {
    opacity >= SOLID
}

/// Whether a mesh can be drawn at all.
pub(crate) fn is_drawn(instance: &MeshInstance) -> bool {
    instance.opacity > 0.0 && instance.pose.is_finite()
}

/// A number whose sign is how the corners of a solid, closed mesh turn in camera space, seen from outside; 0 if
/// its inside may be seen.
fn outward_turn(instance: &MeshInstance, to_camera: &Affine3A, view: &View) -> f32 {
    let middle = to_camera.transform_point3(instance.mesh.middle());
    let corners = instance
        .mesh
        .box_corners()
        .map(|corner| to_camera.transform_point3(corner));
    let reach = corners
        .iter()
        .fold(0.0, |reach: f32, corner| reach.max(corner.distance(middle)));
    if Kind::of(instance) == Kind::Solid && middle.length() > reach + 2.0 * view.near {
        instance.mesh.outward() * to_camera.matrix3.determinant()
    } else {
        0.0
    }
}

/// The numbers of all meshes that can be drawn, ordered by the depth of their middles.
fn nearest_first(drawing: &Drawing, to_camera: &[Affine3A]) -> Vec<usize> {
    let drawn = drawing
        .meshes
        .iter()
        .enumerate()
        .filter(|(_, instance)| is_drawn(instance));
    let mut depths: Vec<(f32, usize)> = drawn
        .map(|(number, instance)| (to_camera[number].transform_point3(instance.mesh.middle()).z, number))
        .collect();
    depths.sort_by(|a, b| a.0.total_cmp(&b.0));
    depths.into_iter().map(|(_, number)| number).collect()
}

/// Where a linear map takes the normals of surfaces, without keeping their lengths.
fn cofactors(map: &Mat3) -> Mat3 {
    let [x, y, z] = [map.x_axis, map.y_axis, map.z_axis];
    Mat3::from_cols(y.cross(z), z.cross(x), x.cross(y))
}
