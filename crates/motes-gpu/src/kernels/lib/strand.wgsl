// Equations of a tridiagonal system, a thread each, solved by parallel cyclic reduction (Hockney 1965): motes-core's `strand.rs`. Of an equation the sum of its row (x) is kept and
// not its diagonal, with what it takes of the one before (y) and of the one after (z): halving the system makes sums of these that lose nothing.

var<workgroup> equations: array<vec4f, WORKGROUP>;
// What each wants.
var<workgroup> wants: array<vec4f, WORKGROUP>;

fn diagonal(equation: vec4f) -> f32 {
    return equation.x + equation.y + equation.z;
}

// The answer to an equation, of so many. All threads come here.
fn answer(i: u32, count: u32, own: vec4f, wanted: vec3f) -> vec3f {
    var equation = own;
    var want = wanted;
    for (var stride = 1u; stride < count; stride *= 2u) {
        equations[i] = equation;
        wants[i] = vec4f(want, 0.0);
        workgroupBarrier();
        var before = vec4f(1.0, 0.0, 0.0, 0.0);
        var after = before;
        var wanted_before = vec3f();
        var wanted_after = vec3f();
        if i >= stride && i < count {
            before = equations[i - stride];
            wanted_before = wants[i - stride].xyz;
        }
        if i + stride < count {
            after = equations[i + stride];
            wanted_after = wants[i + stride].xyz;
        }
        workgroupBarrier();
        let parts = vec2f(equation.y / diagonal(before), equation.z / diagonal(after));
        equation = vec4f(equation.x + parts.x * before.x + parts.y * after.x, parts.x * before.y, parts.y * after.z, 0.0);
        want += parts.x * wanted_before + parts.y * wanted_after;
    }
    return want / diagonal(equation);
}
