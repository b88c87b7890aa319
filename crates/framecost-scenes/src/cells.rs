//! The cells of the view's volume, each with a list of the lights that reach into it: one place for their numbers.
//! Out: the numbers, and the same for WGSL.

/// Columns of cells across the image.
pub(crate) const COLUMNS: u32 = 32;
/// Rows of cells down the image.
pub(crate) const ROWS: u32 = 18;
/// Slices into the image: the first begins at the eye, the last has no end.
pub(crate) const SLICES: u32 = 32;
/// Where the first slice ends.
pub(crate) const FIRST_SLICE: f32 = 2.0;
/// Where the last slice begins.
pub(crate) const LAST_SLICE: f32 = 1500.0;
/// The most lights that a cell lists.
pub(crate) const MOST_LIGHTS: u32 = 64;
/// All cells.
pub(crate) const CELLS: usize = (COLUMNS * ROWS * SLICES) as usize;

/// The numbers under the names that `shared/froxel.wgsl` has for them.
pub(crate) fn wgsl() -> String {
    format!(
        "const CELLS: vec3<u32> = vec3<u32>({COLUMNS}u, {ROWS}u, {SLICES}u);\n\
         const FIRST_SLICE: f32 = {FIRST_SLICE:.1};\n\
         const LAST_SLICE: f32 = {LAST_SLICE:.1};\n\
         const MOST_LIGHTS: u32 = {MOST_LIGHTS}u;\n"
    )
}
