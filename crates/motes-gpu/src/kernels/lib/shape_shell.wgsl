// A surface of joined triangles: a mesh with its hierarchy, or a terrain. A mesh's data: places of its triangles' indices, fan
// starts, fans, nodes and order, and the number of nodes. Then, where cells around its surface list the triangles near them:
// places of the starts of the lists, zero without, and of the lists; how far they reach; lower corner, width and number of the
// cells along each side. Last, among vectors, the places of the corners of the triangles, each with a number of the normal, and of
// what is across their edges.

const NONE = 0xffffffffu;

fn is_mesh() -> bool {
    return knows(MESH) && shape.kind == MESH;
}

fn is_terrain() -> bool {
    return knows(HEIGHTFIELD) && shape.kind == HEIGHTFIELD;
}

fn shell_indices(triangle: u32) -> vec3u {
    if is_mesh() {
        let at = pool[shape.data + MESH_INDICES] + 3u * triangle;
        return vec3u(pool[at], pool[at + 1u], pool[at + 2u]);
    }
    return terrain_indices(triangle);
}

// A triangle of a shell and its normal.
struct Facet {
    corners: Triangle,
    normal: vec3f,
}

fn shell_facet(triangle: u32) -> Facet {
    if is_mesh() {
        let at = pool[shape.data + MESH_CORNERS] + 3u * triangle;
        let a = bitcast<vec4f>(pool_vectors[at]);
        let b = bitcast<vec4f>(pool_vectors[at + 1u]);
        let c = bitcast<vec4f>(pool_vectors[at + 2u]);
        return Facet(Triangle(a.xyz, b.xyz, c.xyz), vec3f(a.w, b.w, c.w));
    }
    return terrain_facet(triangle);
}

// Places in a vertex's fan; some of a terrain's are empty.
fn fan_size(vertex: u32) -> u32 {
    if is_mesh() {
        let at = pool[shape.data + MESH_FAN_STARTS] + vertex;
        return pool[at + 1u] - pool[at];
    }
    return 8u;
}

fn fan_triangle(vertex: u32, place: u32) -> u32 {
    if is_mesh() {
        return pool[pool[shape.data + MESH_FANS] + pool[pool[shape.data + MESH_FAN_STARTS] + vertex] + place];
    }
    return terrain_fan(vertex, place);
}

// What is across an edge: the number of the triangle (x), NONE at a border, CROWDED where there are several; and its corner that
// is not on the edge, as bits.
fn shell_across(triangle: u32, edge: u32) -> vec4u {
    if is_terrain() {
        return terrain_across(triangle, edge);
    }
    return pool_vectors[pool[shape.data + MESH_ACROSS] + 3u * triangle + edge];
}

// Number of the cell of a point among those around the surface of a mesh; NONE if there are none about it.
fn mesh_cell(point: vec3f) -> u32 {
    let place = (point - point_at(shape.data + MESH_CELL_ORIGIN)) / number_at(shape.data + MESH_CELL_WIDTH);
    let at = shape.data + MESH_CELL_SIDES;
    let sides = vec3u(pool[at], pool[at + 1u], pool[at + 2u]);
    if pool[shape.data + MESH_CELL_STARTS] == 0u || !(all(place >= vec3f()) && all(place < vec3f(sides))) {
        return NONE;
    }
    let cell = vec3u(place);
    return cell.x + sides.x * (cell.y + sides.y * cell.z);
}

// Where the list of the cell begins and ends that has all triangles of a mesh within reach of a segment; NONE if none has.
fn mesh_list(start: vec3f, end: vec3f, reach: f32) -> vec2u {
    let cell = mesh_cell(0.5 * (start + end));
    if cell == NONE || !(reach + 0.5 * distance(start, end) <= number_at(shape.data + MESH_CELL_REACH)) {
        return vec2u(NONE);
    }
    let at = pool[shape.data + MESH_CELL_STARTS] + cell;
    return pool[shape.data + MESH_CELL_LISTS] + extractBits(vec2u(pool[at], pool[at + 1u]), 0u, MESH_LIST_BITS);
}

// No triangle of a mesh is nearer to a point, as far as its cells know; they are where the nearest list is that is not empty.
fn mesh_clearance(point: vec3f) -> f32 {
    let cell = mesh_cell(point);
    if cell == NONE {
        return 0.0;
    }
    let away = f32(pool[pool[shape.data + MESH_CELL_STARTS] + cell] >> MESH_LIST_BITS);
    let reach = number_at(shape.data + MESH_CELL_REACH);
    return select(0.0, reach + (away - 1.0) * number_at(shape.data + MESH_CELL_WIDTH), away > 0.0);
}

// One of several threads that share a walk, and how many there are.
struct Part {
    number: u32,
    parts: u32,
}

// A walk over at least the triangles within reach of a segment: through the list of a cell, else through the nodes of a mesh in
// depth-first order, each with the triangles of a leaf, or through the rows of a terrain, each with two triangles per cell. A
// part of it takes every so many places, whatever the walk, so that each triangle is taken by one thread. Places of a mesh are
// those in the pool.
struct Walk {
    part: Part,
    start: vec3f,
    end: vec3f,
    reach: f32,
    low: vec3f,
    high: vec3f,
    outer: u32,
    outer_end: u32,
    inner: u32,
    inner_end: u32,
}

fn walk_near(part: Part, start: vec3f, end: vec3f, reach: f32) -> Walk {
    let low = min(start, end) - reach;
    let high = max(start, end) + reach;
    if is_mesh() {
        let list = mesh_list(start, end, reach);
        if list.x != NONE {
            return Walk(part, start, end, reach, low, high, 0u, 0u, first_of(part, list.x), list.y);
        }
        return Walk(part, start, end, reach, low, high, 0u, pool[shape.data + MESH_NODE_COUNT], 0u, 0u);
    }
    let rows = terrain_walk_rows(low, high);
    return Walk(part, start, end, reach, low, high, rows.x, rows.y, 0u, 0u);
}

// The next triangle of a walk, or NONE at its end.
fn next_triangle(walk: ptr<function, Walk>) -> u32 {
    var found = NONE;
    while found == NONE && ((*walk).inner < (*walk).inner_end || (*walk).outer < (*walk).outer_end) {
        if (*walk).inner < (*walk).inner_end {
            found = inner_triangle(*walk);
            (*walk).inner += (*walk).part.parts;
            continue;
        }
        let outer = (*walk).outer;
        (*walk).outer = outer + 1u;
        if is_mesh() {
            let node = pool[shape.data + MESH_NODES] + 8u * outer;
            let link = pool[node + 3u];
            let count = pool[node + 7u];
            if enters(*walk, point_at(node), point_at(node + 4u)) {
                let first = pool[shape.data + MESH_ORDER] + link;
                (*walk).inner = first_of((*walk).part, first);
                (*walk).inner_end = first + count;
            } else if count == 0u {
                (*walk).outer = link;
            }
        } else {
            let columns = terrain_walk_columns(*walk, outer);
            (*walk).inner = first_of((*walk).part, 2u * columns.x);
            (*walk).inner_end = 2u * columns.y;
        }
    }
    return found;
}

// The first place from `begin` on that a part takes.
fn first_of(part: Part, begin: u32) -> u32 {
    return begin + (part.number + part.parts - begin % part.parts) % part.parts;
}

// Orders the triangle that a walk gave last among all of the shape, as a single walk would meet them.
fn place_of(walk: Walk) -> u32 {
    let inner = walk.inner - walk.part.parts;
    return select(inner + 2u * (walk.outer - 1u) * terrain_columns(), inner, is_mesh());
}

fn inner_triangle(walk: Walk) -> u32 {
    if is_mesh() {
        return pool[walk.inner];
    }
    let cell = terrain_cell(walk.outer - 1u, walk.inner / 2u, walk.low.y, walk.high.y);
    return select(2u * cell + walk.inner % 2u, NONE, cell == NONE);
}

// Whether a box may come within reach of the segment (Ericson 2005, §5.3.3).
fn enters(walk: Walk, low: vec3f, high: vec3f) -> bool {
    if !(all(low <= walk.high) && all(high >= walk.low)) {
        return false;
    }
    let path = walk.end - walk.start;
    if dot(path, path) <= 16.0 * walk.reach * walk.reach {
        return true;
    }
    let half = 0.5 * (high - low) + walk.reach;
    let middle = 0.5 * (walk.start + walk.end) - 0.5 * (low + high);
    let along = 0.5 * path;
    let extent = abs(along) + EPSILON * largest(abs(middle) + half);
    return all(abs(cross(middle, along)) <= half.yxx * extent.zzy + half.zzy * extent.yxx);
}
