//! bend, held against its twin.

use super::*;

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct BentOnGpu {
    position: [f32; 3],
    along: f32,
    normal: [f32; 3],
    strip: u32,
}

#[test]
fn bend_shapes_as_its_twin_shapes() {
    let Some(gpu) = gpu() else { return };
    let mut engine = engine(&gpu, SMALL, &[]);
    let content = ORRERY.world().content();
    for frame in [0, 601, 1799] {
        show(&gpu, &mut engine, frame);
        let bent: Vec<BentOnGpu> = contents(&gpu, &engine.buffers.bent);
        let anchors = ORRERY.world().moment(frame).anchors;
        let twin = cpu::bend::bend(&engine.view(frame), &content.strips, &anchors, &content.rest);
        assert_eq!(bent.len(), twin.len());
        for (i, ((gpu, cpu), rest)) in bent.iter().zip(&twin).zip(&content.rest).enumerate() {
            assert_eq!((gpu.strip, gpu.along), (rest.strip, rest.along), "vertex {i}");
            let apart = Vec3::from_array(gpu.position).distance(cpu.position);
            // Sines of arguments up to fifty lose six bits on the way; lengths are of the order of fifty.
            assert!(apart < 2e-3, "vertex {i} of frame {frame}: {apart} apart");
            let turned = Vec3::from_array(gpu.normal).dot(cpu.normal);
            assert!(turned > 0.99, "normal {i} of frame {frame}: cosine {turned}");
        }
    }
}
