//! A program that has a device of its own lends it to motes and draws the particles from where they are, without a copy:
//! `cargo run --release --example own_device -p motes-gpu`. The picture is off-screen and comes out as letters.

use std::error::Error;

use motes_core::colliders::Plane;
use motes_core::glam::Vec3;
use motes_core::{Collider, Group, Material, Pose, Settings, World};
use motes_gpu::{Buffer, Gpu, GpuEngine, required_features, required_limits};

const WIDTH: u32 = 64;
const HEIGHT: u32 = 24;
const DRAW: &str = "
@vertex fn place(@location(0) position: vec4f) -> @builtin(position) vec4f {
    return vec4f(position.x / 2.0, position.y / 1.5 - 0.95, 0.5, 1.0);
}
@fragment fn shade() -> @location(0) vec4f {
    return vec4f(1.0);
}";

fn main() -> Result<(), Box<dyn Error>> {
    // The program's own device, made for its own purposes.
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default()))?;
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        required_features: required_features(adapter.features()),
        required_limits: required_limits(&adapter.limits()),
        ..Default::default()
    }))?;
    let gpu = Gpu::new(device, queue);
    println!("{}", gpu.description());

    // Any number of worlds can run on it.
    let mut worlds = [column(&gpu, -1.0)?, column(&gpu, 0.8)?];
    let renderer = Renderer::new(&gpu);
    for frame in 1..=40 {
        for world in &mut worlds {
            world.step(1.0 / 60.0);
        }
        if frame % 20 == 0 {
            println!("after {frame} frames\n{}", renderer.draw(&gpu, &mut worlds)?);
        }
    }
    Ok(())
}

/// A column of sand that falls apart.
fn column(gpu: &Gpu, x: f32) -> Result<World, Box<dyn Error>> {
    let mut world = World::with_engine(Settings::default(), Box::new(GpuEngine::new(gpu)?))?;
    let sand = world.add_material(Material::SAND)?;
    let group = world.add_group(Group::grains("sand", sand))?;
    let floor = Plane::new(Vec3::Y, 0.0)?;
    world.add_collider(Collider::new("floor", floor.into(), sand, Pose::IDENTITY))?;
    let places: Vec<Vec3> = (0..1500)
        .map(|i| {
            let (row, layer, column) = (i % 10, i / 100, i / 10 % 10);
            let shift = if layer % 2 == 0 { 0.0 } else { 0.03 };
            Vec3::new(x + shift, 0.05, shift) + 0.1 * Vec3::new(row as f32, layer as f32, column as f32)
        })
        .collect();
    world.add_particles(group, &places, Vec3::ZERO)?;
    Ok(world)
}

struct Renderer {
    pipeline: wgpu::RenderPipeline,
    target: wgpu::Texture,
}

impl Renderer {
    fn new(gpu: &Gpu) -> Self {
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let module = gpu.device().create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(DRAW.into()),
        });
        let pipeline = gpu.device().create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("place"),
                compilation_options: Default::default(),
                buffers: &[Some(wgpu::VertexBufferLayout {
                    array_stride: 16,
                    step_mode: wgpu::VertexStepMode::Vertex,
                    attributes: &wgpu::vertex_attr_array![0 => Float32x4],
                })],
            },
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::PointList,
                ..Default::default()
            },
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("shade"),
                compilation_options: Default::default(),
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let target = gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d {
                width: WIDTH,
                height: HEIGHT,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        Self { pipeline, target }
    }

    fn draw(&self, gpu: &Gpu, worlds: &mut [World]) -> Result<String, Box<dyn Error>> {
        let view = self.target.create_view(&Default::default());
        let mut encoder = gpu.device().create_command_encoder(&Default::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations::default(),
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        for world in worlds {
            let count = world.particle_count() as u32;
            let Some(engine) = world.engine_as::<GpuEngine>() else {
                continue;
            };
            // The engine may move to larger buffers between frames, so they are asked for each time.
            pass.set_vertex_buffer(0, engine.position_buffer().raw().slice(..));
            pass.draw(0..count, 0..1);
        }
        drop(pass);
        let pixels = Buffer::<[u8; 4]>::new(gpu, "pixels", (WIDTH * HEIGHT) as usize)?;
        encoder.copy_texture_to_buffer(
            self.target.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: pixels.raw(),
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(4 * WIDTH),
                    rows_per_image: None,
                },
            },
            self.target.size(),
        );
        gpu.queue().submit([encoder.finish()]);
        let pixels = pixels.read(0..(WIDTH * HEIGHT) as usize)?.wait()?;
        let letter = |pixel: &[u8; 4]| if pixel[0] > 0 { '#' } else { '.' };
        let rows = pixels.chunks(WIDTH as usize);
        Ok(rows
            .map(|row| row.iter().map(letter).chain(['\n']).collect::<String>())
            .collect())
    }
}
