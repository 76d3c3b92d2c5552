//! A run as a text file of Universal Scene Description (`.usda`): one file, with time samples.
//!
//! Time codes are numbers of frames. What moves as a whole refers to its mesh among the `Forms` and has samples of its place and
//! rotation; what changes its shape has samples of points and normals, and of its topology in frames where that changes. Particles
//! are `Points`, one set for each group. Samples go to a store as they come.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::io::{self, Read, Seek, Write};
use std::sync::Arc;

use glam::{Vec2, Vec3};
use motes_core::Pose;
use motes_geometry::ShadedMesh;

use super::snapshot::{Cloud, Geometry, Object, Paint, Snapshot, Timeline};
use super::spool::{Spool, Thread};

/// Writes a run as USDA, frame by frame.
pub struct UsdaWriter<S> {
    timeline: Timeline,
    spool: Spool<S>,
    prims: Vec<Prim>,
    numbers: HashMap<String, usize>,
    identifiers: HashSet<String>,
    /// Meshes of what moves as a whole, by address; kept, so that it is no other mesh's.
    forms: HashMap<usize, (Arc<ShadedMesh>, usize)>,
    form_texts: Thread,
    paints: BTreeMap<String, Paint>,
    frames: Option<[u64; 2]>,
}

/// An object or cloud.
struct Prim {
    name: String,
    identifier: String,
    kind: Kind,
    paint: Paint,
    /// Number of the form, of what moves as a whole.
    form: Option<usize>,
    attributes: Vec<Attribute>,
    is_there: bool,
    visibility: Attribute,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Rigid,
    Changing,
    Points,
}

/// The samples of an attribute. One that repeats is left out.
#[derive(Default)]
struct Attribute {
    declaration: &'static str,
    /// What stands in brackets behind it.
    metadata: &'static str,
    /// Whether values are blended between samples, so that the end of a rest needs one.
    is_blended: bool,
    samples: Thread,
    last: Option<(u64, String)>,
    /// The frame in which the last sample was repeated.
    repeated: Option<u64>,
}

impl Attribute {
    fn new(declaration: &'static str, metadata: &'static str, is_blended: bool) -> Self {
        Self {
            declaration,
            metadata,
            is_blended,
            ..Self::default()
        }
    }

    fn sample<S: Read + Write + Seek>(&mut self, spool: &mut Spool<S>, frame: u64, value: String) -> io::Result<()> {
        if let Some((_, last)) = &self.last {
            if *last == value {
                self.repeated = Some(frame);
                return Ok(());
            }
            if let Some(repeated) = self.repeated.take().filter(|_| self.is_blended) {
                spool.push(
                    &mut self.samples,
                    format!("            {repeated}: {last},\n").as_bytes(),
                )?;
            }
        }
        self.repeated = None;
        spool.push(&mut self.samples, format!("            {frame}: {value},\n").as_bytes())?;
        self.last = Some((frame, value));
        Ok(())
    }

    fn write<S: Read + Write + Seek>(&self, spool: &mut Spool<S>, out: &mut impl Write) -> io::Result<()> {
        if self.samples.len() == 0 {
            return Ok(());
        }
        if !self.metadata.is_empty() {
            writeln!(
                out,
                "        {} (\n            {}\n        )",
                self.declaration, self.metadata
            )?;
        }
        writeln!(out, "        {}.timeSamples = {{", self.declaration)?;
        spool.copy(&self.samples, out)?;
        writeln!(out, "        }}")
    }
}

impl<S: Read + Write + Seek> UsdaWriter<S> {
    /// Begins a file; `store` is an empty place for data until the file is finished.
    pub fn new(timeline: Timeline, store: S) -> Self {
        Self {
            timeline,
            spool: Spool::new(store),
            prims: Vec::new(),
            numbers: HashMap::new(),
            identifiers: HashSet::from(["Materials".to_owned()]),
            forms: HashMap::new(),
            form_texts: Thread::default(),
            paints: BTreeMap::new(),
            frames: None,
        }
    }

    /// Adds a frame, unless it is not later than the last one.
    pub fn frame(&mut self, snapshot: &Snapshot) -> io::Result<()> {
        let frame = snapshot.frame;
        if self.frames.is_some_and(|[_, last]| frame <= last) {
            return Ok(());
        }
        let first = self.frames.map_or(frame, |[first, _]| first);
        self.frames = Some([first, frame]);
        for prim in &mut self.prims {
            prim.is_there = false;
        }
        for object in snapshot.objects.iter().filter(|object| object.geometry.is_sound()) {
            self.object(frame, object)?;
        }
        for cloud in &snapshot.clouds {
            self.cloud(frame, cloud)?;
        }
        for prim in &mut self.prims {
            let word = if prim.is_there {
                "\"inherited\""
            } else {
                "\"invisible\""
            };
            prim.visibility.sample(&mut self.spool, frame, word.to_owned())?;
        }
        Ok(())
    }

    fn object(&mut self, frame: u64, object: &Object) -> io::Result<()> {
        match &object.geometry {
            Geometry::Rigid(mesh, pose) => {
                let form = self.form(mesh)?;
                let number = self.prim(&object.name, Kind::Rigid, object.paint, Some(form));
                let Pose { position, rotation } = *pose;
                let mut turn = rotation.normalize();
                // Both signs are the same rotation; one of them keeps samples next to each other.
                if turn.w < 0.0 {
                    turn = -turn;
                }
                let prim = &mut self.prims[number];
                let [place, orientation] = &mut prim.attributes[..] else {
                    return Ok(());
                };
                place.sample(&mut self.spool, frame, vector(position))?;
                let turn = format!("({}, {}, {}, {})", turn.w, turn.x, turn.y, turn.z);
                orientation.sample(&mut self.spool, frame, turn)
            }
            Geometry::Changing(_) | Geometry::Skinned(..) => {
                let number = self.prim(&object.name, Kind::Changing, object.paint, None);
                let values = mesh_values(&object.geometry.placed());
                let prim = &mut self.prims[number];
                for (attribute, value) in prim.attributes.iter_mut().zip(values) {
                    if let Some(value) = value {
                        attribute.sample(&mut self.spool, frame, value)?;
                    }
                }
                Ok(())
            }
        }
    }

    fn cloud(&mut self, frame: u64, cloud: &Cloud) -> io::Result<()> {
        let number = self.prim(&cloud.name, Kind::Points, cloud.paint, None);
        let ids: Vec<String> = cloud.ids.iter().map(u32::to_string).collect();
        let values = [
            vectors(&cloud.positions),
            format!("[{}]", ids.join(", ")),
            format!("[{}]", 2.0 * cloud.radius),
            extent(&cloud.positions, cloud.radius),
        ];
        for (attribute, value) in self.prims[number].attributes.iter_mut().zip(values) {
            attribute.sample(&mut self.spool, frame, value)?;
        }
        Ok(())
    }

    /// The number of the prim for a thing; one of another kind, colour or form takes the place of that before.
    fn prim(&mut self, name: &str, kind: Kind, paint: Paint, form: Option<usize>) -> usize {
        let known = self.numbers.get(name).copied();
        let number = known.filter(|&number| {
            let prim = &self.prims[number];
            (prim.kind, prim.paint, prim.form) == (kind, paint, form)
        });
        let number = number.unwrap_or_else(|| {
            self.paints.insert(paint.name(), paint);
            let mut visibility = Attribute::new("token visibility", "", false);
            if let Some([first, last]) = self.frames.filter(|[first, last]| first < last) {
                let hidden = format!("            {first}: \"invisible\",\n");
                // Memory takes a few bytes, whatever becomes of them.
                let _ = self.spool.push(&mut visibility.samples, hidden.as_bytes());
                visibility.last = Some((last, "\"invisible\"".to_owned()));
            }
            let identifier = identifier(name, &mut self.identifiers);
            self.prims.push(Prim {
                name: name.to_owned(),
                identifier,
                kind,
                paint,
                form,
                attributes: kind.attributes(),
                is_there: false,
                visibility,
            });
            self.numbers.insert(name.to_owned(), self.prims.len() - 1);
            self.prims.len() - 1
        });
        self.prims[number].is_there = true;
        number
    }

    /// The number of the form of a mesh.
    fn form(&mut self, mesh: &Arc<ShadedMesh>) -> io::Result<usize> {
        let address = Arc::as_ptr(mesh) as usize;
        if let Some((_, number)) = self.forms.get(&address) {
            return Ok(*number);
        }
        let number = self.forms.len();
        self.forms.insert(address, (mesh.clone(), number));
        let mut text =
            format!("    def Mesh \"Form_{number}\"\n    {{\n        uniform token subdivisionScheme = \"none\"\n");
        for (attribute, value) in Kind::Changing.attributes().iter().zip(mesh_values(mesh)) {
            if let Some(value) = value {
                let _ = write!(text, "        {} = {value}", attribute.declaration);
                if !attribute.metadata.is_empty() {
                    let _ = write!(text, " (\n            {}\n        )", attribute.metadata);
                }
                text.push('\n');
            }
        }
        text += "    }\n\n";
        self.spool.push(&mut self.form_texts, text.as_bytes())?;
        Ok(number)
    }

    /// Writes the file.
    pub fn finish(mut self, mut out: impl Write) -> io::Result<()> {
        let Timeline {
            name,
            frames_per_second,
            z_up,
        } = &self.timeline;
        let [first, last] = self.frames.unwrap_or_default();
        let up = if *z_up { "Z" } else { "Y" };
        write!(
            out,
            "#usda 1.0\n(\n    defaultPrim = \"World\"\n    doc = {}\n    endTimeCode = {last}\n    framesPerSecond = {frames_per_second}\n    \
             metersPerUnit = 1\n    startTimeCode = {first}\n    timeCodesPerSecond = {frames_per_second}\n    upAxis = \"{up}\"\n)\n\n",
            quoted(&format!("motes: {name}"))
        )?;
        if !self.forms.is_empty() {
            // A class is not drawn; what refers to its meshes is.
            writeln!(out, "class \"Forms\"\n{{")?;
            self.spool.copy(&self.form_texts, &mut out)?;
            writeln!(out, "}}\n")?;
        }
        writeln!(out, "def Xform \"World\"\n{{")?;
        for prim in &self.prims {
            prim.write(&mut self.spool, &mut out)?;
        }
        if !self.paints.is_empty() {
            writeln!(out, "    def Scope \"Materials\"\n    {{")?;
            for paint in self.paints.values() {
                write_material(&mut out, paint)?;
            }
            writeln!(out, "    }}")?;
        }
        writeln!(out, "}}")
    }
}

impl Kind {
    /// What there are samples of, in the order of the values. The first ones of a mesh are its topology.
    fn attributes(self) -> Vec<Attribute> {
        let vertex = "interpolation = \"vertex\"";
        match self {
            Self::Rigid => vec![
                Attribute::new("double3 xformOp:translate", "", true),
                Attribute::new("quatf xformOp:orient", "", true),
            ],
            Self::Changing => vec![
                Attribute::new("int[] faceVertexCounts", "", false),
                Attribute::new("int[] faceVertexIndices", "", false),
                Attribute::new("texCoord2f[] primvars:st", vertex, false),
                Attribute::new("point3f[] points", "", true),
                Attribute::new("normal3f[] normals", vertex, true),
                Attribute::new("float3[] extent", "", false),
            ],
            Self::Points => vec![
                Attribute::new("point3f[] points", "", true),
                Attribute::new("int64[] ids", "", false),
                Attribute::new("float[] widths", "interpolation = \"constant\"", false),
                Attribute::new("float3[] extent", "", false),
            ],
        }
    }
}

impl Prim {
    fn write<S: Read + Write + Seek>(&self, spool: &mut Spool<S>, out: &mut impl Write) -> io::Result<()> {
        let schema = if self.kind == Kind::Points { "Points" } else { "Mesh" };
        writeln!(out, "    def {schema} \"{}\" (", self.identifier)?;
        writeln!(out, "        prepend apiSchemas = [\"MaterialBindingAPI\"]")?;
        if self.identifier != self.name {
            writeln!(out, "        displayName = {}", quoted(&self.name))?;
        }
        if let Some(form) = self.form {
            writeln!(out, "        prepend references = </Forms/Form_{form}>")?;
        }
        writeln!(out, "    )\n    {{")?;
        if self.kind != Kind::Points {
            writeln!(
                out,
                "        uniform bool doubleSided = {}",
                u8::from(self.paint.two_sided)
            )?;
        }
        if self.kind == Kind::Changing {
            writeln!(out, "        uniform token subdivisionScheme = \"none\"")?;
        }
        let [red, green, blue] = self.paint.linear();
        writeln!(
            out,
            "        color3f[] primvars:displayColor = [({red}, {green}, {blue})]"
        )?;
        if self.paint.opacity < 1.0 {
            writeln!(
                out,
                "        float[] primvars:displayOpacity = [{}]",
                self.paint.opacity
            )?;
        }
        writeln!(
            out,
            "        rel material:binding = </World/Materials/{}>",
            self.paint.name()
        )?;
        for attribute in self.attributes.iter().chain([&self.visibility]) {
            attribute.write(spool, out)?;
        }
        if self.kind == Kind::Rigid {
            writeln!(
                out,
                "        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]"
            )?;
        }
        writeln!(out, "    }}\n")
    }
}

/// The values of [`Kind::Changing`].
fn mesh_values(mesh: &ShadedMesh) -> [Option<String>; 6] {
    let counts = vec!["3"; mesh.triangles.len()].join(", ");
    let corners: Vec<String> = mesh.triangles.as_flattened().iter().map(u32::to_string).collect();
    let uvs = (!mesh.uvs.is_empty()).then(|| {
        let pairs = mesh.uvs.iter().map(|Vec2 { x, y }| format!("({x}, {y})"));
        format!("[{}]", pairs.collect::<Vec<_>>().join(", "))
    });
    [
        Some(format!("[{counts}]")),
        Some(format!("[{}]", corners.join(", "))),
        uvs,
        Some(vectors(&mesh.positions)),
        Some(vectors(&mesh.normals)),
        Some(extent(&mesh.positions, 0.0)),
    ]
}

fn write_material(out: &mut impl Write, paint: &Paint) -> io::Result<()> {
    let name = paint.name();
    let [red, green, blue] = paint.linear();
    let path = format!("/World/Materials/{name}");
    write!(
        out,
        "        def Material \"{name}\"\n        {{\n            \
         token outputs:surface.connect = <{path}/Surface.outputs:surface>\n\n            \
         def Shader \"Surface\"\n            {{\n                \
         uniform token info:id = \"UsdPreviewSurface\"\n                \
         color3f inputs:diffuseColor = ({red}, {green}, {blue})\n                \
         float inputs:opacity = {}\n                \
         float inputs:roughness = 0.8\n                \
         token outputs:surface\n            }}\n        }}\n\n",
        paint.opacity.clamp(0.0, 1.0)
    )
}

fn vector(Vec3 { x, y, z }: Vec3) -> String {
    format!("({x}, {y}, {z})")
}

fn vectors(list: &[Vec3]) -> String {
    let mut text = String::with_capacity(36 * list.len() + 2);
    text.push('[');
    for (number, Vec3 { x, y, z }) in list.iter().enumerate() {
        let comma = if number > 0 { ", " } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(text, "{comma}({x}, {y}, {z})");
    }
    text.push(']');
    text
}

/// The box around points with a margin, metres; nothing has one at the origin.
fn extent(points: &[Vec3], margin: f32) -> String {
    let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (min, max) = points
        .iter()
        .fold(start, |(min, max), point| (min.min(*point), max.max(*point)));
    if points.is_empty() {
        return vectors(&[Vec3::ZERO; 2]);
    }
    vectors(&[min - margin, max + margin])
}

/// A name of letters, digits and underscores that is no other's.
fn identifier(name: &str, taken: &mut HashSet<String>) -> String {
    let of = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut plain: String = name.chars().map(of).collect();
    if !plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        plain.insert(0, '_');
    }
    let numbered = (2..).map(|number| format!("{plain}_{number}"));
    let mut all = std::iter::once(plain.clone()).chain(numbered);
    let found = all.find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(found.clone());
    found
}

/// A text in quotes.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
