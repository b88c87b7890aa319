//! bend, held against its twin.

use super::*;
use crate::Reference;
use crate::scene::crowd::CROWD;

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct BentOnGpu {
    position: [f32; 3],
    along: f32,
    normal: [f32; 3],
    strip: u32,
}

#[test]
fn bend_shapes_tails_and_rings_as_its_twin_shapes() {
    holds(&ORRERY);
}

#[test]
fn bend_shapes_flags_as_its_twin_shapes() {
    holds(&CROWD);
}

fn holds(scene: &'static Reference) {
    let Some(gpu) = gpu() else { return };
    let info = scene.info();
    let switches = resolve(&info.name, &info.switches, &Switches::default()).unwrap();
    let mut engine = scene.engine(&gpu, &Setup { size: SMALL, switches }).unwrap();
    let content = scene.world().content();
    for frame in [0, 601, 1799] {
        draw(&gpu, &info, &mut engine, frame, Duration::from_secs(120)).unwrap();
        let bent: Vec<BentOnGpu> = contents(&gpu, &engine.buffers.bent);
        let anchors = scene.world().moment(frame).anchors;
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
