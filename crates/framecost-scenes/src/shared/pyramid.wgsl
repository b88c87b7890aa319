// Where the depth pyramid keeps each level. Level 0 has a texel for each square of two pixels, each next level one for
// each square of two texels of the one before, rounded up: the texel of pixel (x, y) at level k is (x, y) >> (k + 1).
// Twin: cpu/pyramid.rs.

fn level_size(level: u32) -> vec2<u32> {
    let texels = 2u << level;
    return (vec2<u32>(view.width, view.height) + texels - 1u) >> vec2<u32>(level + 1u);
}

fn level_start(level: u32) -> u32 {
    var start = 0u;
    for (var i = 0u; i < level; i++) {
        let size = level_size(i);
        start += size.x * size.y;
    }
    return start;
}

// Levels down to a single texel.
fn level_count() -> u32 {
    let longest = max(max(view.width, view.height), 2u) - 1u;
    return firstLeadingBit(longest) + 1u;
}
