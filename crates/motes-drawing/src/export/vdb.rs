//! Smoke on a grid as OpenVDB (file version 224), for Blender, Houdini and other renderers of volumes.
//!
//! A file has a tree for each field: a root, nodes of 32³ and of 16³ children, and leaves of 8³ voxels. Where no smoke is there are no leaves, and of leaves only
//! the voxels that have smoke are written.

use std::collections::BTreeMap;
use std::io::{self, Write};

use glam::IVec3;

use super::grid::SmokeGrid;

/// The first bytes of a file.
const MAGIC: i64 = 0x5644_4220;
const FILE_VERSION: u32 = 224;
/// The library whose files of this kind are.
const LIBRARY_VERSION: [u32; 2] = [8, 0];
/// Only values of active voxels are written.
const ACTIVE_ONLY: u32 = 2;
/// Those that are not active have the value of the background.
const NO_MASK: u8 = 0;

/// Bits of a coordinate in a leaf, a node of leaves and a node of these.
const LEAF: u32 = 3;
const LOWER: u32 = 4;
const UPPER: u32 = 5;

/// Kelvin at 0 °C.
const ZERO_CELSIUS: f32 = 273.15;

/// Writes a grid as `density`, 1/m, `temperature`, kelvin, which is what renderers of fire ask for, and `velocity`, m/s.
pub fn write_vdb(mut out: impl Write, grid: &SmokeGrid) -> io::Result<()> {
    let tree = Tree::new(grid);
    let fields = [
        Field {
            name: "density",
            kind: "float",
            class: "fog volume",
            background: vec![0.0],
            value: &|voxel| [grid.density[voxel], 0.0, 0.0],
        },
        Field {
            name: "temperature",
            kind: "float",
            class: "unknown",
            background: vec![SmokeGrid::EMPTY + ZERO_CELSIUS],
            value: &|voxel| [grid.temperature[voxel] + ZERO_CELSIUS, 0.0, 0.0],
        },
        Field {
            name: "velocity",
            kind: "vec3s",
            class: "unknown",
            background: vec![0.0; 3],
            value: &|voxel| grid.velocity[voxel].to_array(),
        },
    ];
    let mut file = Bytes::default();
    file.long(MAGIC);
    file.int(FILE_VERSION);
    LIBRARY_VERSION.into_iter().for_each(|part| file.int(part));
    // Places of grids are told.
    file.0.push(1);
    // A name of the file, which nobody asks for.
    file.0.extend_from_slice(b"00000000-0000-4000-8000-000000000000");
    file.int(1);
    file.text_entry("creator", "motes");
    file.int(fields.len() as u32);
    for field in &fields {
        file.field(field, &tree, grid);
    }
    out.write_all(&file.0)
}

/// A field of the grid.
struct Field<'a> {
    name: &'static str,
    kind: &'static str,
    class: &'static str,
    background: Vec<f32>,
    /// Its numbers in a voxel, as many as the background has.
    value: &'a dyn Fn(usize) -> [f32; 3],
}

/// Which voxels have smoke.
struct Tree {
    /// Nodes by their first voxel: children by their place, with leaves by theirs.
    roots: BTreeMap<[i32; 3], BTreeMap<usize, BTreeMap<usize, Leaf>>>,
    count: u64,
    range: [IVec3; 2],
}

/// The voxels of a leaf that have smoke: which they are, as bits, and their numbers in the grid.
struct Leaf {
    mask: [u64; 8],
    voxels: Vec<usize>,
}

impl Tree {
    fn new(grid: &SmokeGrid) -> Self {
        let mut tree = Self {
            roots: BTreeMap::new(),
            count: 0,
            range: [IVec3::MAX, IVec3::MIN],
        };
        if grid.is_empty() {
            return tree;
        }
        let end = grid.first + grid.size.as_ivec3();
        let leaf_of = |voxel: IVec3| voxel >> LEAF;
        let (first, last) = (leaf_of(grid.first), leaf_of(end - 1));
        for x in first.x..=last.x {
            for y in first.y..=last.y {
                for z in first.z..=last.z {
                    let corner = IVec3::new(x, y, z) << LEAF;
                    let Some(leaf) = Leaf::new(grid, corner) else {
                        continue;
                    };
                    tree.count += leaf.voxels.len() as u64;
                    for &voxel in &leaf.voxels {
                        let place = voxel_place(grid, voxel);
                        tree.range = [tree.range[0].min(place), tree.range[1].max(place)];
                    }
                    let root = (corner >> (LEAF + LOWER + UPPER)) << (LEAF + LOWER + UPPER);
                    let upper = tree.roots.entry(root.to_array()).or_default();
                    let lower = upper.entry(place(corner >> (LEAF + LOWER), UPPER)).or_default();
                    lower.insert(place(corner >> LEAF, LOWER), leaf);
                }
            }
        }
        tree
    }

    fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        let lowers = self.roots.values().flat_map(BTreeMap::values);
        lowers.flat_map(BTreeMap::values)
    }
}

impl Leaf {
    /// Nothing if there is no smoke in it.
    fn new(grid: &SmokeGrid, corner: IVec3) -> Option<Self> {
        let (mut mask, mut voxels) = ([0_u64; 8], Vec::new());
        for (x, mask) in (0..).zip(&mut mask) {
            for y in 0..8 {
                for z in 0..8 {
                    let at = corner + IVec3::new(x, y, z) - grid.first;
                    if at.cmplt(IVec3::ZERO).any() || at.cmpge(grid.size.as_ivec3()).any() {
                        continue;
                    }
                    let at = at.as_usizevec3();
                    let voxel = (at.z * grid.size.y as usize + at.y) * grid.size.x as usize + at.x;
                    if grid.density[voxel] > 0.0 {
                        *mask |= 1 << (8 * y + z);
                        voxels.push(voxel);
                    }
                }
            }
        }
        (!voxels.is_empty()).then_some(Self { mask, voxels })
    }
}

/// Where the voxel of a number in the grid is.
fn voxel_place(grid: &SmokeGrid, voxel: usize) -> IVec3 {
    let [x, y] = [grid.size.x as usize, grid.size.y as usize];
    let within = [voxel % x, voxel / x % y, voxel / (x * y)].map(|place| place as i32);
    grid.first + IVec3::from_array(within)
}

/// The place of a child in a node with so many bits for each coordinate: z comes first.
fn place(child: IVec3, bits: u32) -> usize {
    let within = child & ((1 << bits) - 1);
    let [x, y, z] = within.to_array().map(|part| part as usize);
    x << (2 * bits) | y << bits | z
}

/// A file in the making, little endian.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn int(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn long(&mut self, value: i64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn floats(&mut self, values: &[f32]) {
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }

    fn text(&mut self, text: &str) {
        self.int(text.len() as u32);
        self.0.extend_from_slice(text.as_bytes());
    }

    fn text_entry(&mut self, name: &str, value: &str) {
        self.text(name);
        self.text("string");
        self.text(value);
    }

    fn corner_entry(&mut self, name: &str, corner: IVec3) {
        self.text(name);
        self.text("vec3i");
        self.int(12);
        corner.to_array().into_iter().for_each(|part| self.int(part as u32));
    }

    /// A field with its place in the file, which is told before it.
    fn field(&mut self, field: &Field, tree: &Tree, grid: &SmokeGrid) {
        self.text(field.name);
        self.text(&format!("Tree_{}_5_4_3", field.kind));
        self.text("");
        let told = self.0.len();
        [0; 3].into_iter().for_each(|unknown| self.long(unknown));
        let starts = self.0.len();
        self.int(ACTIVE_ONLY);
        self.entries(field, tree);
        self.transform(if grid.is_empty() { 1.0 } else { f64::from(grid.voxel) });
        self.topology(field, tree);
        let buffers = self.0.len();
        for leaf in tree.leaves() {
            leaf.mask.into_iter().for_each(|bits| self.long(bits as i64));
            self.0.push(NO_MASK);
            for &voxel in &leaf.voxels {
                self.floats(&(field.value)(voxel)[..field.background.len()]);
            }
        }
        let places = [starts, buffers, self.0.len()];
        for (number, place) in places.into_iter().enumerate() {
            let at = told + 8 * number;
            self.0[at..at + 8].copy_from_slice(&(place as i64).to_le_bytes());
        }
    }

    /// What is known of a field as a whole.
    fn entries(&mut self, field: &Field, tree: &Tree) {
        let has_range = tree.count > 0;
        self.int(if has_range { 6 } else { 4 });
        self.text_entry("class", field.class);
        self.text_entry("name", field.name);
        if has_range {
            self.corner_entry("file_bbox_min", tree.range[0]);
            self.corner_entry("file_bbox_max", tree.range[1]);
        }
        self.text("file_voxel_count");
        self.text("int64");
        self.int(8);
        self.long(tree.count as i64);
        self.text("is_saved_as_half_float");
        self.text("bool");
        self.int(1);
        self.0.push(0);
    }

    /// Voxels of one side for all axes: the side, the same once more, and numbers that follow from it.
    fn transform(&mut self, side: f64) {
        self.text("UniformScaleMap");
        for value in [side, side, 1.0 / side, 1.0 / (side * side), 0.5 / side] {
            for _ in 0..3 {
                self.0.extend_from_slice(&value.to_le_bytes());
            }
        }
    }

    /// Which voxels there are.
    fn topology(&mut self, field: &Field, tree: &Tree) {
        // Buffers of a leaf.
        self.int(1);
        self.floats(&field.background);
        // Values of the root, and its children.
        self.int(0);
        self.int(tree.roots.len() as u32);
        for (corner, uppers) in &tree.roots {
            corner.iter().for_each(|&part| self.int(part as u32));
            self.node(UPPER, uppers.keys());
            for lowers in uppers.values() {
                self.node(LOWER, lowers.keys());
                for leaf in lowers.values() {
                    leaf.mask.into_iter().for_each(|bits| self.long(bits as i64));
                }
            }
        }
    }

    /// A node: which children it has, and no values of its own.
    fn node<'a>(&mut self, bits: u32, children: impl Iterator<Item = &'a usize>) {
        let start = self.0.len();
        let bytes = 1 << (3 * bits - 3);
        self.0.resize(start + 2 * bytes, 0);
        for &child in children {
            self.0[start + child / 8] |= 1 << (child % 8);
        }
        self.0.push(NO_MASK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{UVec3, Vec3};

    /// A grid with one voxel of smoke.
    fn single(voxel: IVec3) -> SmokeGrid {
        SmokeGrid {
            voxel: 0.5,
            first: voxel,
            size: UVec3::ONE,
            density: vec![3.0],
            temperature: vec![26.85],
            velocity: vec![Vec3::new(1.0, 2.0, 3.0)],
        }
    }

    #[test]
    fn a_voxel_has_one_place_at_every_level() {
        let tree = Tree::new(&single(IVec3::new(-1, 9, 4096 + 130)));
        let (root, uppers) = tree.roots.first_key_value().expect("a root");
        assert_eq!(*root, [-4096, 0, 4096]);
        let (&upper, lowers) = uppers.first_key_value().expect("a node");
        assert_eq!(upper, 31 << 10 | 1);
        let (&lower, leaf) = lowers.first_key_value().expect("a node");
        assert_eq!(lower, 15 << 8 | 1 << 4);
        assert_eq!(leaf.mask, [0, 0, 0, 0, 0, 0, 0, 1 << (8 + 2)]);
        assert_eq!((tree.count, tree.range), (1, [IVec3::new(-1, 9, 4226); 2]));
    }

    #[test]
    fn fields_end_where_the_file_says() {
        let mut bytes = Vec::new();
        write_vdb(&mut bytes, &single(IVec3::ZERO)).expect("written");
        let long = |at: usize| i64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes")) as usize;
        assert_eq!(long(0), 0x5644_4220);
        let name = b"Tree_vec3s_5_4_3\0\0\0\0";
        let told = bytes.windows(name.len()).position(|w| w == name).expect("a field") + name.len();
        assert_eq!((long(told), long(told + 16)), (told + 24, bytes.len()));
        // A mask, a byte, and three numbers of one voxel.
        assert_eq!(long(told + 8), bytes.len() - 64 - 1 - 12);
        assert_eq!(bytes[bytes.len() - 4..], 3.0f32.to_le_bytes());
    }

    #[test]
    fn no_smoke_is_a_file_with_empty_fields() {
        let mut bytes = Vec::new();
        write_vdb(&mut bytes, &SmokeGrid::default()).expect("written");
        assert!(bytes.len() < 1500, "{}", bytes.len());
    }
}
