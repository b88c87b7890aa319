//! CPU twins: each compute pass again, under its name, in plain Rust. They are the truth in tests.

pub mod behind;
pub mod bend;
pub mod blas_refit;
pub mod culling;
pub mod culling_one;
pub mod culling_two;
pub mod depth_pyramid;
pub mod dynamic_tlas_build;
pub mod froxel;
pub mod shadow_mask;
pub mod trace;
