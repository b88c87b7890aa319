//! exploration
use framecost_probe::alloc::{AllocCounts, CountingAlloc};
use std::time::Instant;
#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();
const P: u32 = 12;
fn main() {
    let i = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::NOOP,
        backend_options: wgpu::BackendOptions {
            noop: wgpu::NoopBackendOptions { enable: true, ..Default::default() },
            ..Default::default()
        },
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let a = pollster::block_on(i.request_adapter(&Default::default())).unwrap();
    let (d, q) = pollster::block_on(a.request_device(&wgpu::DeviceDescriptor {
        required_features: wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS,
        ..Default::default()
    }))
    .unwrap();
    let mkset = |count| {
        d.create_query_set(&wgpu::QuerySetDescriptor { label: None, ty: wgpu::QueryType::Timestamp, count })
    };
    let set = mkset(26);
    let big = mkset(26 * 8);
    let huge = mkset(4096);
    let sets: Vec<_> = (0..16).map(|_| mkset(26)).collect();
    let buf = |usage| {
        d.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 16384,
            usage,
            mapped_at_creation: false,
        })
    };
    let rb = buf(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC);
    let mb = buf(wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ);
    let ct = d
        .create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: 640, height: 360, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        })
        .create_view(&Default::default());
    let compute = |set: Option<&wgpu::QuerySet>| {
        let mut e = d.create_command_encoder(&Default::default());
        for k in 0..P {
            let timestamp_writes = set.map(|query_set| wgpu::ComputePassTimestampWrites {
                query_set,
                beginning_of_pass_write_index: Some(2 * k + 2),
                end_of_pass_write_index: Some(2 * k + 3),
            });
            e.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes });
        }
        e
    };
    let render = |set: Option<&wgpu::QuerySet>| {
        let mut e = d.create_command_encoder(&Default::default());
        for k in 0..P {
            let timestamp_writes = set.map(|query_set| wgpu::RenderPassTimestampWrites {
                query_set,
                beginning_of_pass_write_index: Some(2 * k + 2),
                end_of_pass_write_index: Some(2 * k + 3),
            });
            e.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: None,
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &ct,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                depth_stencil_attachment: None,
                timestamp_writes,
                occlusion_query_set: None,
                multiview_mask: None,
            });
        }
        e
    };
    let mut prof =
        wgpu_profiler::GpuProfiler::new(&d, wgpu_profiler::GpuProfilerSettings::default()).unwrap();
    let mut prof2 =
        wgpu_profiler::GpuProfiler::new(&d, wgpu_profiler::GpuProfilerSettings::default()).unwrap();
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let go = |e: wgpu::CommandEncoder| {
        q.submit([e.finish()]);
        let _ = d.poll(wgpu::PollType::Poll);
    };
    let back = |n: usize| {
        let mut r = d.create_command_encoder(&Default::default());
        for k in 0..n {
            r.resolve_query_set(&sets[k], 2..26, &rb, 256 * k as u64);
        }
        r.copy_buffer_to_buffer(&rb, 0, &mb, 0, 4096);
        q.submit([r.finish()]);
        mb.map_async(wgpu::MapMode::Read, .., |_| {});
        let _ = d.poll(wgpu::PollType::Poll);
        let _ = mb.get_mapped_range(..).unwrap();
        mb.unmap();
    };
    let mut cases: Vec<(&str, Box<dyn FnMut() + '_>)> = vec![
        ("compute untimed", Box::new(|| go(compute(None)))),
        ("compute bare 26", Box::new(|| go(compute(Some(&set))))),
        ("compute bare 208", Box::new(|| go(compute(Some(&big))))),
        ("compute bare 4096", Box::new(|| go(compute(Some(&huge))))),
        ("render untimed", Box::new(|| go(render(None)))),
        ("render bare 26", Box::new(|| go(render(Some(&set))))),
        ("render bare 208", Box::new(|| go(render(Some(&big))))),
        ("render bare 4096", Box::new(|| go(render(Some(&huge))))),
        ("back 1", Box::new(|| back(1))),
        ("back 4", Box::new(|| back(4))),
        ("back 8", Box::new(|| back(8))),
        ("back 16", Box::new(|| back(16))),
        (
            "profiler compute",
            Box::new(|| {
                let mut e = d.create_command_encoder(&Default::default());
                for name in names {
                    let mut q = prof.begin_pass_query(name, &mut e);
                    let timestamp_writes = q.compute_pass_timestamp_writes();
                    let p =
                        e.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes });
                    drop(p);
                    prof.end_query(&mut e, q);
                }
                prof.resolve_queries(&mut e);
                q.submit([e.finish()]);
                prof.end_frame().unwrap();
                let _ = d.poll(wgpu::PollType::Poll);
                let _ = prof.process_finished_frame(q.get_timestamp_period());
            }),
        ),
        (
            "profiler compute scoped",
            Box::new(|| {
                let mut e = d.create_command_encoder(&Default::default());
                {
                    let mut s = prof2.scope("frame", &mut e);
                    for name in names {
                        s.scoped_compute_pass(name);
                    }
                }
                prof2.resolve_queries(&mut e);
                q.submit([e.finish()]);
                prof2.end_frame().unwrap();
                let _ = d.poll(wgpu::PollType::Poll);
                let _ = prof2.process_finished_frame(q.get_timestamp_period());
            }),
        ),
    ];
    let mut times = vec![Vec::new(); cases.len()];
    for round in 0..61 {
        for (k, (_, f)) in cases.iter_mut().enumerate() {
            for _ in 0..20 {
                f();
            }
            let t = Instant::now();
            for _ in 0..100 {
                f();
            }
            if round > 0 {
                times[k].push(t.elapsed().as_secs_f64() * 1e6 / 100.0);
            }
        }
    }
    for (k, (name, f)) in cases.iter_mut().enumerate() {
        let b = AllocCounts::of_thread();
        for _ in 0..100 {
            f();
        }
        let al = AllocCounts::of_thread().since(b).allocations as f64 / 100.0;
        times[k].sort_by(f64::total_cmp);
        println!("{name:30} min {:8.2} median {:8.2} us/frame  {al:.1} allocs", times[k][0], times[k][30]);
    }
}
