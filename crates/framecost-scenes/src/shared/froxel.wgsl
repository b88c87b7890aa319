// The cells of the view's volume and where their lists of lights lie. Their numbers (CELLS, FIRST_SLICE, LAST_SLICE,
// MOST_LIGHTS) are put before this text by cells.rs. Twin: cpu/froxel.rs.

// Where slice `k` begins, for k from 1: slices grow by the same factor.
fn slice_start(k: u32) -> f32 {
    return FIRST_SLICE * pow(LAST_SLICE / FIRST_SLICE, f32(k - 1u) / f32(CELLS.z - 2u));
}

fn slice_of(ahead: f32) -> u32 {
    let steps = log2(max(ahead, 1e-6) / FIRST_SLICE) / log2(LAST_SLICE / FIRST_SLICE) * f32(CELLS.z - 2u);
    return u32(clamp(floor(steps) + 1.0, 0.0, f32(CELLS.z - 1u)));
}

// Number of the cell that holds a place `ahead` of the eye, seen at a pixel.
fn cell_of(pixel: vec2<f32>, ahead: f32) -> u32 {
    let at = vec2<u32>(pixel * vec2<f32>(CELLS.xy) / vec2<f32>(f32(view.width), f32(view.height)));
    let column = min(at, CELLS.xy - 1u);
    return (slice_of(ahead) * CELLS.y + column.y) * CELLS.x + column.x;
}

// Where a cell's list begins: its length, then the lights in ascending order.
fn list_of(cell: u32) -> u32 {
    return cell * (MOST_LIGHTS + 1u);
}
