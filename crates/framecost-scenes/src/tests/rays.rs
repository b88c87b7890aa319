//! The trees of rays: what the device builds and traces, held against the CPU twins, brute force and another library.

use glam::{Quat, Vec3A};

use super::*;
use crate::cpu::trace::{Ray, Struck, Traced};
use crate::cpu::{blas_refit, dynamic_tlas_build, shadow_mask};
use crate::pass::shared;
use crate::rays;
use crate::scene::Placement;
use crate::scene::bvh::{Bounds, Node, Trees, turned};

/// A world's trees as the twins make them at a frame.
struct Twin<'a> {
    content: &'a Content,
    moment: Moment,
    placements: Vec<Placement>,
    trees: Trees,
}

impl<'a> Twin<'a> {
    /// The trees of content that stood at `first` when they were uploaded, at `moment`.
    fn of(content: &'a Content, first: &Moment, moment: Moment) -> Self {
        let trees = rays::trees(content, first).unwrap();
        let placements = content.placed(&moment.placements);
        let mut twin = Self { content, moment, placements, trees };
        twin.move_all();
        twin
    }

    fn of_orrery(frame: u64) -> Self {
        Self::of(ORRERY.world().content(), &ORRERY.world().moment(0), ORRERY.world().moment(frame))
    }

    fn move_all(&mut self) {
        let trees = &mut self.trees;
        let boxes =
            dynamic_tlas_build::boxes(self.content, &self.moment.placements, &trees.nodes, trees.anchor);
        let keys = dynamic_tlas_build::sorted(&dynamic_tlas_build::codes(&boxes));
        let root = trees.roots[1];
        let built =
            dynamic_tlas_build::tree(root, &keys, &boxes, |id| self.content.instances[id as usize].mesh);
        if root != Node::NONE {
            trees.nodes[root as usize..][..built.len()].copy_from_slice(&built);
        }
    }

    fn traced(&self) -> Traced<'_> {
        Traced {
            nodes: &self.trees.nodes,
            corners: &self.trees.corners,
            instances: &self.content.instances,
            placements: &self.placements,
            anchor: self.trees.anchor,
            roots: self.trees.roots,
        }
    }

    /// Every triangle in the world, relative to the anchor, with its instance.
    fn triangles(&self) -> Vec<(u32, [Vec3; 3])> {
        let mut all = Vec::new();
        for ((id, instance), at) in (0..).zip(&self.content.instances).zip(&self.placements) {
            let level = &self.content.meshes.meshes[instance.mesh as usize].levels[0];
            let indices =
                &self.content.meshes.indices[level.first_index as usize..][..level.indices as usize];
            for triangle in indices.as_chunks::<3>().0 {
                all.push((
                    id,
                    triangle.map(|index| {
                        let vertex = self.content.meshes.vertices
                            [(index + level.base_vertex.cast_unsigned()) as usize];
                        let scaled = Vec3::from_array(vertex.position)
                            * Vec3::from_array(instance.stretch)
                            * at.radius;
                        let local = scaled + instance.inflate * Vec3::from_array(vertex.normal);
                        let turn = Quat::from_array(at.rotation);
                        turned(turn, local) + Vec3::from_array(at.position)
                            - Vec3::from_array(self.trees.anchor)
                    }),
                ));
            }
        }
        all
    }
}

#[expect(clippy::cast_possible_truncation, reason = "test data")]
fn random_rays(count: usize, spread: f64, seed: u64) -> Vec<Ray> {
    let mut random = crate::scene::random(seed);
    let mut point =
        |spread: f64| Vec3::from_array(std::array::from_fn(|_| random.between(-spread, spread) as f32));
    // From anywhere towards anywhere, flat as the orrery is.
    let flat = Vec3::new(1.0, 0.1, 1.0);
    (0..count)
        .map(|_| {
            let (origin, towards) = (point(spread) * flat, point(spread) * flat);
            Ray { origin, direction: (towards - origin).normalize(), most: 1e6 }
        })
        .collect()
}

/// Every part of the tree at `root` is reached once and is within its parent; what the leaves hold.
fn assert_tree(nodes: &[Node], root: u32) -> Vec<u32> {
    let mut held = Vec::new();
    let mut todo = vec![root];
    while let Some(number) = todo.pop() {
        let node = nodes[number as usize];
        if node.is_leaf() {
            held.push(node.left & !Node::LEAF);
            continue;
        }
        let [left, right] = [node.left, node.right].map(|child| nodes[child as usize].bounds());
        assert_eq!(node.bounds(), left.join(right), "node {number}: its box is that of its children");
        todo.extend([node.left, node.right]);
        assert!(held.len() + todo.len() <= nodes.len(), "the tree has no end");
    }
    held.sort_unstable();
    held
}

#[test]
fn rays_meet_what_another_library_meets() {
    use obvhs::cwbvh::builder::build_cwbvh_from_tris;
    let twin = Twin::of_orrery(400);
    let triangles = twin.triangles();
    let for_library: Vec<obvhs::triangle::Triangle> = triangles
        .iter()
        .map(|(_, [a, b, c])| obvhs::triangle::Triangle {
            v0: Vec3A::from(*a),
            v1: Vec3A::from(*b),
            v2: Vec3A::from(*c),
        })
        .collect();
    let library =
        build_cwbvh_from_tris(&for_library, obvhs::BvhBuildParams::fast_build(), &mut Duration::default());
    // Strips are another matter: without their root, both see the same.
    let mut traced = twin.traced();
    traced.roots[2] = Node::NONE;
    let (mut hits, mut apart) = (0, 0);
    for (number, ray) in random_rays(20_000, 70.0, 1).iter().enumerate() {
        let mut found = obvhs::ray::RayHit::none();
        let ray_for_library = obvhs::ray::Ray::new(ray.origin.into(), ray.direction.into(), 0.0, ray.most);
        let met = library.ray_traverse(ray_for_library, &mut found, |ray, id| {
            for_library[library.primitive_indices[id] as usize].intersect(ray)
        });
        let own = traced.closest(ray);
        assert_eq!(own.is_some(), traced.occluded(ray), "ray {number}: any hit against the nearest");
        let theirs =
            met.then(|| triangles[library.primitive_indices[found.primitive_id as usize] as usize].0);
        hits += usize::from(met);
        let same = own.map(|struck| struck.instance) == theirs
            && own.is_none_or(|struck| (struck.distance - found.t).abs() < 1e-3 * found.t.max(1.0));
        apart += usize::from(!same);
    }
    assert!(hits > 1000, "{hits} hits");
    // Normals of a hoop have eight bits an axis, edges overlap a little: rays that graze an edge go either way.
    assert!(apart * 1000 < hits, "{apart} of {hits} apart");
}

#[test]
fn rays_meet_what_brute_force_meets() {
    let twin = Twin::of_orrery(0);
    let (traced, triangles) = (twin.traced(), twin.triangles());
    let bent = &twin.trees;
    assert!(!bent.bent.is_empty());
    let mut hits = 0;
    for ray in random_rays(30, 25.0, 2) {
        let mut nearest = ray.most;
        for (_, [a, b, c]) in &triangles {
            let (ab, ac) = (*b - *a, *c - *a);
            let p = ray.direction.cross(ac);
            let volume = ab.dot(p);
            let to = ray.origin - *a;
            let q = to.cross(ab);
            let (u, v, t) = (to.dot(p) / volume, ray.direction.dot(q) / volume, ac.dot(q) / volume);
            if volume != 0.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0 {
                nearest = nearest.min(t);
            }
        }
        let mut flat = traced;
        flat.roots[2] = Node::NONE;
        let found = flat.closest(&ray).map_or(ray.most, |struck| struck.distance);
        assert!(
            (found - nearest).abs() <= 1e-3 * nearest.max(1.0),
            "{ray:?}: {found}, brute force {nearest}"
        );
        hits += usize::from(nearest < ray.most);
    }
    assert!(hits > 2, "{hits} hits");
}

#[test]
fn the_gap_between_levels_is_that_of_their_shapes() {
    // Of a ball whose edges were halved once more, the middle of a coarse triangle lies deeper by that much.
    let mut meshes = crate::scene::Meshes::default();
    meshes.add([3, 1].map(crate::scene::test_ball).into(), &[0.1]);
    let content = Content { meshes, ..Content::default() };
    let trees = rays::trees(&content, &ORRERY.world().moment(0)).unwrap();
    let coarse = rays::coarse(&content.meshes, &trees);
    // Eighty triangles: their middles are 0.935 from the centre, those of the finer ball 0.997.
    assert!((0.1 * 0.055..0.1 * 0.095).contains(&coarse), "{coarse}");
    let fine = Content::default();
    let trees = rays::trees(&fine, &ORRERY.world().moment(0)).unwrap();
    assert!(rays::coarse(&fine.meshes, &trees) < 0.0011);
}

#[test]
fn content_past_the_limits_is_refused_by_name() {
    let (content, moment) = (ORRERY.world().content(), ORRERY.world().moment(0));
    let mut many = content.clone();
    many.instances.resize((1 << 18) + 1, content.instances[0]);
    let fault = rays::trees(&many, &moment).unwrap_err();
    assert_eq!(fault, "262145 instances; allowed: at most 262144");
    let mut fine = content.clone();
    fine.meshes.indices.resize(3 * ((1 << 14) + 1), 0);
    let level = &mut fine.meshes.meshes[0].levels[0];
    (level.first_index, level.indices) = (0, 3 * ((1 << 14) + 1));
    let fault = rays::trees(&fine, &moment).unwrap_err();
    assert_eq!(fault, "mesh 0 has 16385 triangles in its finest level; allowed: 1 to 16384");
    let mut thin = content.clone();
    thin.instances[3].stretch[1] = 0.0;
    let fault = rays::trees(&thin, &moment).unwrap_err();
    assert_eq!(fault, "instance 3 is stretched by [1.0, 0.0, 1.0]; allowed: above 0");
}

#[test]
fn the_device_fits_the_bent_tree_as_its_twin_does() {
    let Some(gpu) = gpu() else { return };
    let mut engine = engine(&gpu, SMALL, &[]);
    for frame in [0, 777] {
        show(&gpu, &mut engine, frame);
        let mut trees = Twin::of_orrery(0).trees;
        let bent: Vec<[f32; 8]> = contents(&gpu, &engine.buffers.bent);
        let bent: Vec<Vec3> = bent.iter().map(|vertex| Vec3::from_slice(vertex)).collect();
        blas_refit::blas_refit(&mut trees, &bent);
        let nodes: Vec<Node> = contents(&gpu, &engine.buffers.rays.nodes);
        let root = trees.roots[2] as usize;
        let of_device = &nodes[root..root + trees.bent_nodes()];
        assert_eq!(of_device, &trees.nodes[root..root + trees.bent_nodes()], "frame {frame}");
        let corners: Vec<crate::scene::bvh::Corner> = contents(&gpu, &engine.buffers.rays.corners);
        assert_eq!(corners, trees.corners, "frame {frame}");
        let leaves = assert_tree(&nodes, trees.roots[2]);
        assert!(leaves.len() * 4 >= trees.bent.len(), "{} leaves", leaves.len());
    }
}

/// `Box` of the WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct BoxOnGpu {
    lo: [f32; 3],
    unused: u32,
    hi: [f32; 3],
    unused_too: u32,
}

/// What the device built of what moves, held against its twin.
fn assert_dynamic_tree(gpu: &Gpu, engine: &Engine<'_>, twin: &Twin<'_>) {
    let rays = &engine.buffers.rays;
    let nodes: Vec<Node> = contents(gpu, &rays.nodes);
    let moving = twin.content.moving;
    let boxes: Vec<BoxOnGpu> = contents(gpu, &rays.boxes);
    let boxes: Vec<Bounds> =
        boxes.iter().map(|it| Bounds { lo: Vec3::from_array(it.lo), hi: Vec3::from_array(it.hi) }).collect();
    let expected = dynamic_tlas_build::boxes(twin.content, &twin.moment.placements, &nodes, rays.anchor);
    assert_eq!(boxes.len(), moving.max(1));
    for (id, (found, expected)) in boxes.iter().zip(&expected).enumerate() {
        let off = (found.lo - expected.lo).abs().max((found.hi - expected.hi).abs()).max_element();
        let size = expected.lo.abs().max(expected.hi.abs()).max_element();
        assert!(off <= 2e-6 * size, "box {id}: {found:?}, twin {expected:?}");
    }
    let keys: Vec<[u32; 2]> = contents(gpu, &rays.keys[0]);
    let codes = dynamic_tlas_build::codes(&boxes);
    let mut off = 0;
    for (number, &[code, id]) in keys.iter().enumerate() {
        off += usize::from(code != codes[id as usize]);
        assert!(number == 0 || keys[number - 1] < keys[number], "key {number}: {keys:?}");
    }
    let mut ids: Vec<u32> = keys.iter().map(|key| key[1]).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..u32::try_from(moving).unwrap()).collect::<Vec<_>>(), "each instance once");
    // The device's quotient may be off by a last bit, which moves a centre on a border to the next step.
    assert!(off * 100 <= moving, "{off} of {moving} codes apart");
    let meshes = |id: u32| twin.content.instances[id as usize].mesh;
    let tree = dynamic_tlas_build::tree(rays.roots[1], &keys, &boxes, meshes);
    assert_eq!(&nodes[rays.roots[1] as usize..][..tree.len()], &tree);
    assert_eq!(assert_tree(&nodes, rays.roots[1]), ids);
}

#[test]
fn the_device_builds_the_tree_that_its_twin_builds() {
    let Some(gpu) = gpu() else { return };
    let mut engine = engine(&gpu, SMALL, &[]);
    for frame in [0, 400, 1799] {
        show(&gpu, &mut engine, frame);
        assert_dynamic_tree(&gpu, &engine, &Twin::of_orrery(frame));
    }
}

/// The orrery with only so many moving; the rest stands where it stood at the first frame.
struct Partly {
    content: Content,
}

impl Partly {
    fn moving(moving: usize) -> Self {
        let mut content = ORRERY.world().content().clone();
        content.placements = placements(0).split_off(moving);
        content.moving = moving;
        Self { content }
    }
}

impl World for Partly {
    fn content(&self) -> &Content {
        &self.content
    }

    fn moment(&self, frame: u64) -> Moment {
        let mut moment = ORRERY.world().moment(frame);
        moment.placements.truncate(self.content.moving);
        moment
    }

    fn shader(&self) -> &'static str {
        ORRERY.world().shader()
    }

    fn lighting(&self) -> &'static str {
        ORRERY.world().lighting()
    }

    fn settings(&self) -> String {
        "orrery, part of it standing still".into()
    }
}

#[test]
fn any_number_may_move() {
    let Some(gpu) = gpu() else { return };
    let info = ORRERY.info();
    let switches = resolve(&info.name, &info.switches, &Switches::default()).unwrap();
    for moving in [0, 1, 2, 257] {
        let world = Partly::moving(moving);
        let setup = Setup { size: SMALL, switches: switches.clone() };
        let mut engine = Engine::new(&gpu, &world, &setup).unwrap();
        // Twice, so that what the first left behind must not matter to the second.
        for frame in [5, 900] {
            show(&gpu, &mut engine, frame);
            let twin = Twin::of(&world.content, &world.moment(0), world.moment(frame));
            assert_eq!(engine.buffers.rays.roots, twin.trees.roots, "{moving} moving");
            if moving == 0 {
                assert_eq!(twin.trees.roots[1], Node::NONE);
            } else {
                assert_dynamic_tree(&gpu, &engine, &twin);
            }
            let still: Vec<u32> =
                (moving..world.content.instances.len()).map(|id| u32::try_from(id).unwrap()).collect();
            assert_eq!(assert_tree(&twin.trees.nodes, twin.trees.roots[0]), still, "{moving} moving");
        }
    }
}

#[test]
fn a_tree_that_is_switched_off_holds_nothing() {
    let Some(gpu) = gpu() else { return };
    let mut engine = engine(&gpu, SMALL, &[("dynamic_tlas", "off")]);
    show(&gpu, &mut engine, 0);
    let nodes: Vec<Node> = contents(&gpu, &engine.buffers.rays.nodes);
    assert_eq!(nodes[engine.buffers.rays.roots[1] as usize].left, Node::NONE);
    let keys: Vec<[u32; 2]> = contents(&gpu, &engine.buffers.rays.keys[0]);
    assert!(keys.iter().all(|key| *key == [0, 0]), "nothing was sorted");
}

/// Runs a shader of one's own over the engine's trees as its last frame left them: `own` becomes bindings 2 and on of
/// group 1, the last of them is read back.
fn compute<T: Pod>(
    gpu: &Gpu,
    engine: &Engine<'_>,
    text: &str,
    own: &[wgpu::BindingResource<'_>],
    layout: &[wgpu::BindingType],
    groups: [u32; 2],
    out: usize,
) -> Vec<T> {
    let device = &gpu.device;
    let buffers = &engine.buffers;
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: (out * size_of::<T>()) as u64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    let storage = |read_only| wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Storage { read_only },
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let types = [&[storage(true), storage(true)], layout, &[storage(false)]].concat();
    let entries: Vec<wgpu::BindGroupLayoutEntry> = (0..)
        .zip(types)
        .map(|(binding, ty)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty,
            count: None,
        })
        .collect();
    let group_layout =
        device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
    let trees = [buffers.rays.nodes.as_entire_binding(), buffers.rays.corners.as_entire_binding()];
    let resources = [&trees[..], own, &[buffer.as_entire_binding()]].concat();
    let entries: Vec<wgpu::BindGroupEntry<'_>> =
        (0..).zip(resources).map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource }).collect();
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &group_layout,
        entries: &entries,
    });
    let shader = format!(
        "const PASS: u32 = 0u;\nconst SAMPLES: u32 = 4u;\n{}{}{}{text}",
        crate::switches::wgsl(),
        shared::SCENE,
        shared::rays()
    );
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(shader.into()),
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &[Some(&buffers.scene_layout), Some(&group_layout)],
        immediate_size: 0,
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: Some(&layout),
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &buffers.scene, &[]);
        pass.set_bind_group(1, &group, &[]);
        pass.dispatch_workgroups(groups[0], groups[1], 1);
    }
    gpu.queue.submit([encoder.finish()]);
    contents(gpu, &buffer)
}

/// Of each sample's depth, the first.
fn depths(gpu: &Gpu, engine: &Engine<'_>, size: Size) -> Vec<f32> {
    let text = "
        @group(1) @binding(2) var depth_samples: texture_depth_multisampled_2d;
        @group(1) @binding(3) var<storage, read_write> out: array<f32>;
        @compute @workgroup_size(8, 8)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            if id.x < view.width && id.y < view.height {
                out[id.y * view.width + id.x] = textureLoad(depth_samples, id.xy, 0);
            }
        }";
    let own = [wgpu::BindingResource::TextureView(&engine.targets.depth_samples)];
    let layout = [wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Depth,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: true,
    }];
    let groups = [size.width.div_ceil(8), size.height.div_ceil(8)];
    compute(gpu, engine, text, &own, &layout, groups, (size.width * size.height) as usize)
}

#[test]
fn the_device_traces_what_its_twin_traces() {
    let Some(gpu) = gpu() else { return };
    let mut engine = engine(&gpu, SMALL, &[]);
    let frame = 400;
    show(&gpu, &mut engine, frame);
    let count = 100_000;
    let rays = random_rays(count, 70.0, 3);
    let words: Vec<[f32; 8]> = rays
        .iter()
        .map(|ray| {
            let ([x, y, z], [u, v, w]) = (ray.origin.to_array(), ray.direction.to_array());
            [x, y, z, ray.most, u, v, w, 0.0]
        })
        .collect();
    let input = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: (count * 32) as u64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.queue.write_buffer(&input, 0, bytemuck::cast_slice(&words));
    let text = "
        @group(1) @binding(2) var<storage, read> rays: array<array<vec4<f32>, 2>>;
        @group(1) @binding(3) var<storage, read_write> out: array<vec4<u32>>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            if id.x < arrayLength(&out) {
                let ray = rays[id.x];
                let struck = closest(ray[0].xyz, ray[1].xyz, ray[0].w);
                let shut = occluded(ray[0].xyz, ray[1].xyz, ray[0].w);
                out[id.x] = vec4<u32>(struck.instance, struck.triangle, bitcast<u32>(struck.distance), u32(shut));
            }
        }";
    let layout = [wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Storage { read_only: true },
        has_dynamic_offset: false,
        min_binding_size: None,
    }];
    let groups = [u32::try_from(count).unwrap().div_ceil(64), 1];
    let found: Vec<[u32; 4]> =
        compute(&gpu, &engine, text, &[input.as_entire_binding()], &layout, groups, count);
    // The same trees, so that only the walk is compared.
    let (nodes, corners) =
        (contents(&gpu, &engine.buffers.rays.nodes), contents(&gpu, &engine.buffers.rays.corners));
    let twin = Twin::of_orrery(frame);
    let traced = Traced { nodes: &nodes, corners: &corners, ..twin.traced() };
    let (mut hits, mut bent, mut apart) = (0, 0, 0);
    for (ray, [instance, triangle, distance, shut]) in rays.iter().zip(found) {
        let device = (triangle != Node::NONE).then(|| Struck {
            instance,
            triangle,
            distance: f32::from_bits(distance),
        });
        assert_eq!(device.is_some(), shut == 1, "{ray:?}: nearest {device:?}, any {shut}");
        let expected = traced.closest(ray);
        hits += usize::from(expected.is_some());
        bent += usize::from(expected.is_some_and(|struck| struck.instance == Node::NONE));
        match (device, expected) {
            (Some(a), Some(b)) => {
                let tied = (a.distance - b.distance).abs() <= 1e-4 * b.distance.max(1.0);
                let same = (a.instance, a.triangle) == (b.instance, b.triangle);
                apart += usize::from(!(tied || same));
                assert!(!same || tied, "{ray:?}: {a:?}, twin {b:?}");
            }
            (None, None) => {}
            _ => apart += 1,
        }
    }
    assert!(hits > 5000 && bent > 100, "{hits} hits, {bent} of them on strips");
    // Rays that graze an outline: a last bit decides whether they meet it.
    assert!(apart <= 10, "{apart} of {count} apart");
}

#[test]
fn shadows_fall_where_the_twin_has_them() {
    let Some(gpu) = gpu() else { return };
    for (size, switches) in
        [(SMALL, &[][..]), (Size { width: 61, height: 97 }, &[][..]), (SMALL, &[("shadow_rays", "off")][..])]
    {
        let mut engine = engine(&gpu, size, switches);
        // Lit drops the depth.
        engine.until = FRAME.iter().position(|pass| pass.name == "lit").unwrap();
        for frame in [590, 1300] {
            show(&gpu, &mut engine, frame);
            let mask = image::read(&gpu.device, &gpu.queue, engine.targets.mask.texture()).unwrap();
            let mask: Vec<f32> = bytemuck::pod_collect_to_vec(&mask.rgba);
            let depth = depths(&gpu, &engine, size);
            let (nodes, corners) =
                (contents(&gpu, &engine.buffers.rays.nodes), contents(&gpu, &engine.buffers.rays.corners));
            let twin = Twin::of_orrery(frame);
            let traced = Traced { nodes: &nodes, corners: &corners, ..twin.traced() };
            let expected =
                shadow_mask::shadow_mask(&engine.view.unwrap(), &depth, &traced, engine.buffers.rays.coarse);
            let apart = mask.iter().zip(&expected).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
            let dark = mask.iter().filter(|&&open| open < 0.5).count();
            // A ray that grazes a thing goes either way by a last bit.
            assert!(apart * 500 <= mask.len(), "frame {frame} at {size}: {apart} of {} apart", mask.len());
            assert_eq!(
                dark > mask.len() / 100,
                switches.is_empty(),
                "frame {frame} at {size}: {dark} in shadow"
            );
        }
    }
}
