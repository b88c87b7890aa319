// bend: shapes the strips. In: vertices at rest, anchors. Out: vertices in the world. Twin: cpu/bend.rs.

struct Rest {
    strip: u32,
    along: f32,
    side: f32,
    unused: f32,
}

struct Anchor {
    origin: vec3<f32>,
    size: f32,
    x: vec3<f32>,
    unused: f32,
    y: vec3<f32>,
    unused_too: f32,
}

@group(1) @binding(0) var<storage, read> rest: array<Rest>;
@group(1) @binding(1) var<storage, read> anchors: array<Anchor>;
@group(1) @binding(2) var<storage, read_write> bent: array<Bent>;

const TURN: f32 = 6.2831853;

// Where a strand of tail has its middle: it streams along x, is dragged along y, and winds and flutters on its way.
fn tail(strip: Strip, anchor: Anchor, along: f32) -> vec3<f32> {
    let z = cross(anchor.x, anchor.y);
    let wind = strip.angle + 1.7 * along + 0.35 * sin(7.0 * along - 2.2 * view.time + 3.0 * strip.angle);
    let out = strip.reach * sqrt(along) * (1.0 + 0.18 * sin(11.0 * along - 3.1 * view.time + 5.0 * strip.angle));
    let way = anchor.x * (strip.stretch * along) + anchor.y * (0.34 * strip.stretch * along * along + out * cos(wind));
    return anchor.origin + anchor.size * (way + z * (out * sin(wind)));
}

// Height of a ring over its plane: a wave that winds around and wanders.
fn swell(strip: Strip, angle: f32, out: f32) -> f32 {
    return strip.stretch * sin(14.0 * out - 3.0 * angle + 0.9 * view.time) * (out - 1.2);
}

fn ring_point(strip: Strip, anchor: Anchor, angle: f32, out: f32) -> vec3<f32> {
    let z = cross(anchor.x, anchor.y);
    let flat = anchor.x * cos(angle) + anchor.y * sin(angle);
    return anchor.origin + anchor.size * (flat * out + z * swell(strip, angle, out));
}

// Cloth held along its edge at the anchor: waves run along it and grow on the way, and it sags a little.
fn flag(strip: Strip, anchor: Anchor, along: f32, side: f32) -> vec3<f32> {
    let z = cross(anchor.x, anchor.y);
    let wave = sin(9.0 * along - 5.3 * view.time + strip.angle + 0.8 * side);
    let slow = sin(3.7 * along - 2.1 * view.time + 2.3 * strip.angle - 0.5 * side);
    let swing = strip.reach * along * (0.62 * wave + 0.38 * slow);
    // What goes into waves is missing from its length.
    let reached = strip.stretch * along * (1.0 - 0.12 * abs(slow) * along);
    let way = anchor.x * reached + anchor.y * (side * strip.half_width);
    return anchor.origin + anchor.size * (way + z * swing);
}

struct Shaped {
    position: vec3<f32>,
    normal: vec3<f32>,
}

fn shaped(vertex: Rest) -> Shaped {
    let strip = strips[vertex.strip];
    let anchor = anchors[strip.anchor];
    if strip.kind == 0u {
        let middle = tail(strip, anchor, vertex.along);
        let ahead = tail(strip, anchor, vertex.along + 0.01) - middle;
        // The band faces the eye, and narrows to nothing at its end.
        let across = normalize(cross(ahead, view.eye - middle));
        let width = strip.half_width * (1.0 - vertex.along) * (0.25 + sqrt(vertex.along));
        let position = middle + across * (vertex.side * anchor.size * width);
        return Shaped(position, normalize(cross(across, ahead)));
    }
    if strip.kind == 2u {
        let position = flag(strip, anchor, vertex.along, vertex.side);
        let ahead = flag(strip, anchor, vertex.along + 0.01, vertex.side) - position;
        let across = flag(strip, anchor, vertex.along, vertex.side + 0.1) - position;
        return Shaped(position, normalize(cross(ahead, across)));
    }
    let angle = vertex.along * TURN + strip.angle;
    let out = strip.reach + vertex.side * strip.half_width;
    let position = ring_point(strip, anchor, angle, out);
    let around = ring_point(strip, anchor, angle + 0.02, out) - position;
    let outward = ring_point(strip, anchor, angle, out + 0.02) - position;
    return Shaped(position, normalize(cross(outward, around)));
}

@compute @workgroup_size(64)
fn bend(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&rest) {
        return;
    }
    var vertex = rest[id.x];
    let along = vertex.along;
    var out = Shaped(vec3<f32>(-3.0e38), vec3<f32>(-3.0e38));
    for (var i = 0u; i < load(); i++) {
        vertex.along = along + f32(i) * view.zero;
        let once = shaped(vertex);
        out = Shaped(max(out.position, once.position), max(out.normal, once.normal));
    }
    bent[id.x] = Bent(
        out.position.x, out.position.y, out.position.z, along,
        out.normal.x, out.normal.y, out.normal.z, vertex.strip,
    );
}
