// dynamic_tlas_build: a tree over what moves, from nothing. In: placements, the roots of the meshes' trees. Out: the nodes
// from view.roots.y on: inner ones, then leaves. Twin: cpu/dynamic_tlas_build.rs.
//
// Boxes and codes along a curve; a stable radix sort, eight bits at a time, a tile of 256 keys to a workgroup; the radix
// tree over the sorted codes, every inner node at once; boxes from the leaves up. Without DYNAMIC_TLAS the root says that
// the tree holds nothing, and nothing else is done.

// Box of each instance that moves.
@group(1) @binding(2) var<storage, read_write> boxes: array<Box>;
// Code and instance: the sort goes from the one to the other, four times there and back.
@group(1) @binding(3) var<storage, read_write> before: array<vec2<u32>>;
@group(1) @binding(4) var<storage, read_write> after: array<vec2<u32>>;
// Codes of the least and the greatest centre in the first eight, then for each tile how many keys have each digit; after
// the scan, where they go.
@group(1) @binding(5) var<storage, read_write> counts: array<atomic<u32>>;

// The lowest bit of the digit that is sorted by.
override SHIFT: u32 = 0u;

const TILE: u32 = 256u;
const DIGITS: u32 = 256u;
const BOUNDS: u32 = 8u;

var<workgroup> least: array<atomic<u32>, 3>;
var<workgroup> greatest: array<atomic<u32>, 3>;

fn middle(held: Box) -> vec3<f32> {
    return (held.lo + held.hi) * 0.5;
}

@compute @workgroup_size(256)
fn clear(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x == 0u {
        nodes[view.roots.y].left = NONE;
    }
    if !is_on(DYNAMIC_TLAS) {
        return;
    }
    if id.x < arrayLength(&fits) {
        cleared(id.x);
        fits[id.x].parent = NONE;
    }
    if id.x < BOUNDS {
        atomicStore(&counts[id.x], select(0u, 0xffffffffu, id.x < 3u));
    }
}

// Box of an instance relative to the anchor, from the box of its mesh: the same formula as in scene/bvh.rs.
fn placed_box(id: u32) -> Box {
    let at = placements[id];
    let root = nodes[instances[id].mesh];
    let scale = stretch(id) * at.radius;
    let half = (root.hi - root.lo) * 0.5 * scale + instances[id].inflate;
    let centre = turned(at.rotation, (root.hi + root.lo) * 0.5 * scale) + (at.position - view.anchor);
    let reach = abs(turned(at.rotation, vec3<f32>(1.0, 0.0, 0.0))) * half.x
        + abs(turned(at.rotation, vec3<f32>(0.0, 1.0, 0.0))) * half.y
        + abs(turned(at.rotation, vec3<f32>(0.0, 0.0, 1.0))) * half.z;
    // A few roundings' worth wider, so that no corner sticks out.
    let wide = reach + (reach + abs(centre)) * 1e-6;
    return Box(centre - wide, centre + wide);
}

@compute @workgroup_size(256)
fn surround(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    if !is_on(DYNAMIC_TLAS) {
        return;
    }
    if lane < 3u {
        atomicStore(&least[lane], 0xffffffffu);
        atomicStore(&greatest[lane], 0u);
    }
    workgroupBarrier();
    if id.x < view.moving {
        let held = placed_box(id.x);
        boxes[id.x] = held;
        let code = codes(middle(held));
        for (var axis = 0u; axis < 3u; axis++) {
            atomicMin(&least[axis], code[axis]);
            atomicMax(&greatest[axis], code[axis]);
        }
    }
    workgroupBarrier();
    if lane < 3u {
        atomicMin(&counts[lane], atomicLoad(&least[lane]));
        atomicMax(&counts[3u + lane], atomicLoad(&greatest[lane]));
    }
}

// Ten bits with two zeros between each two.
fn spread(bits: vec3<u32>) -> vec3<u32> {
    let a = (bits | (bits << vec3<u32>(16u))) & vec3<u32>(0x030000ffu);
    let b = (a | (a << vec3<u32>(8u))) & vec3<u32>(0x0300f00fu);
    let c = (b | (b << vec3<u32>(4u))) & vec3<u32>(0x030c30c3u);
    return (c | (c << vec3<u32>(2u))) & vec3<u32>(0x09249249u);
}

// Code of each box: its centre along a curve through all of them (Morton 1966), ten bits an axis.
@compute @workgroup_size(256)
fn encode(@builtin(global_invocation_id) id: vec3<u32>) {
    if !is_on(DYNAMIC_TLAS) || id.x >= view.moving {
        return;
    }
    let lo = floats(vec3<u32>(atomicLoad(&counts[0]), atomicLoad(&counts[1]), atomicLoad(&counts[2])));
    let hi = floats(vec3<u32>(atomicLoad(&counts[3]), atomicLoad(&counts[4]), atomicLoad(&counts[5])));
    let scale = vec3<f32>(1024.0) / max(hi - lo, vec3<f32>(1e-20));
    let step = clamp((middle(boxes[id.x]) - lo) * scale, vec3<f32>(0.0), vec3<f32>(1023.0));
    let bits = spread(vec3<u32>(step));
    before[id.x] = vec2<u32>((bits.x << 2u) | (bits.y << 1u) | bits.z, id.x);
}

fn digit(key: vec2<u32>) -> u32 {
    return (key.x >> SHIFT) % DIGITS;
}

var<workgroup> tally: array<atomic<u32>, DIGITS>;

// How many keys of each tile have each digit.
@compute @workgroup_size(256)
fn count(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) tile: vec3<u32>,
) {
    if !is_on(DYNAMIC_TLAS) {
        return;
    }
    atomicStore(&tally[lane], 0u);
    workgroupBarrier();
    if id.x < view.moving {
        atomicAdd(&tally[digit(before[id.x])], 1u);
    }
    workgroupBarrier();
    atomicStore(&counts[BOUNDS + tile.x * DIGITS + lane], atomicLoad(&tally[lane]));
}

var<workgroup> sums: array<u32, DIGITS>;

// Where the keys of each digit of each tile go: behind all of lesser digits, and of the same one in earlier tiles.
@compute @workgroup_size(256)
fn scan(@builtin(local_invocation_index) lane: u32) {
    if !is_on(DYNAMIC_TLAS) {
        return;
    }
    let tiles = (view.moving + TILE - 1u) / TILE;
    var sum = 0u;
    for (var tile = 0u; tile < tiles; tile++) {
        sum += atomicLoad(&counts[BOUNDS + tile * DIGITS + lane]);
    }
    sums[lane] = sum;
    workgroupBarrier();
    // Sums of ever longer stretches that end at this digit (Hillis and Steele 1986).
    for (var reach = 1u; reach < DIGITS; reach *= 2u) {
        var longer = sums[lane];
        if lane >= reach {
            longer += sums[lane - reach];
        }
        workgroupBarrier();
        sums[lane] = longer;
        workgroupBarrier();
    }
    var next = sums[lane] - sum;
    for (var tile = 0u; tile < tiles; tile++) {
        let place = BOUNDS + tile * DIGITS + lane;
        next += atomicExchange(&counts[place], next);
    }
}

const WORDS: u32 = TILE / 32u;

// For each digit a bit for each key of the tile that has it.
var<workgroup> holders: array<atomic<u32>, DIGITS * WORDS>;

@compute @workgroup_size(256)
fn scatter(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) tile: vec3<u32>,
) {
    if !is_on(DYNAMIC_TLAS) {
        return;
    }
    for (var word = 0u; word < WORDS; word++) {
        atomicStore(&holders[word * TILE + lane], 0u);
    }
    workgroupBarrier();
    let held = id.x < view.moving;
    var key = vec2<u32>(0u);
    if held {
        key = before[id.x];
        atomicOr(&holders[digit(key) * WORDS + lane / 32u], 1u << (lane % 32u));
    }
    workgroupBarrier();
    if !held {
        return;
    }
    // Earlier keys of the tile with the same digit keep their place before this one.
    var earlier = 0u;
    for (var word = 0u; word < lane / 32u; word++) {
        earlier += countOneBits(atomicLoad(&holders[digit(key) * WORDS + word]));
    }
    let own = atomicLoad(&holders[digit(key) * WORDS + lane / 32u]);
    earlier += countOneBits(own & ((1u << (lane % 32u)) - 1u));
    after[atomicLoad(&counts[BOUNDS + tile.x * DIGITS + digit(key)]) + earlier] = key;
}

// Leading bits that two keys have in common, their places deciding where the codes are equal; -1 beyond the list.
fn alike(a: i32, b: i32) -> i32 {
    if b < 0 || b >= i32(view.moving) {
        return -1;
    }
    let one = before[a].x;
    let other = before[b].x;
    if one != other {
        return i32(countLeadingZeros(one ^ other));
    }
    return 32 + i32(countLeadingZeros(u32(a ^ b)));
}

// The radix tree (Karras 2012, Maximizing parallelism in the construction of BVHs, octrees, and k-d trees): each inner
// node finds for itself which keys are under it and where they split.
@compute @workgroup_size(256)
fn link(@builtin(global_invocation_id) id: vec3<u32>) {
    if !is_on(DYNAMIC_TLAS) || id.x + 1u >= view.moving {
        return;
    }
    let i = i32(id.x);
    let way = select(-1, 1, alike(i, i + 1) > alike(i, i - 1));
    let beyond = alike(i, i - way);
    var reach = 2;
    while alike(i, i + reach * way) > beyond {
        reach *= 2;
    }
    var length = 0;
    for (var step = reach / 2; step > 0; step /= 2) {
        if alike(i, i + (length + step) * way) > beyond {
            length += step;
        }
    }
    let end = i + length * way;
    let shared_bits = alike(i, end);
    var split = 0;
    var step = length;
    while step > 1 {
        step = (step + 1) / 2;
        if alike(i, i + (split + step) * way) > shared_bits {
            split += step;
        }
    }
    let border = i + split * way + min(way, 0);
    let inner = i32(view.moving) - 1;
    let left = u32(select(border, inner + border, border == min(i, end)));
    let right = u32(select(border + 1, inner + border + 1, border + 1 == max(i, end)));
    fits[left].parent = id.x;
    fits[right].parent = id.x;
    nodes[view.roots.y + id.x].left = view.roots.y + left;
    nodes[view.roots.y + id.x].right = view.roots.y + right;
}

@compute @workgroup_size(256)
fn leaves(@builtin(global_invocation_id) id: vec3<u32>) {
    if !is_on(DYNAMIC_TLAS) || id.x >= view.moving {
        return;
    }
    let leaf = view.moving - 1u + id.x;
    let instance = before[id.x].y;
    let held = boxes[instance];
    nodes[view.roots.y + leaf] = Node(held.lo, LEAF | instance, held.hi, instances[instance].mesh);
    climb(fits[leaf].parent, held);
}

@compute @workgroup_size(256)
fn finish(@builtin(global_invocation_id) id: vec3<u32>) {
    if !is_on(DYNAMIC_TLAS) || id.x + 1u >= view.moving {
        return;
    }
    let held = finished(id.x);
    nodes[view.roots.y + id.x].lo = held.lo;
    nodes[view.roots.y + id.x].hi = held.hi;
}
