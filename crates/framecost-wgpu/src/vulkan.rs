//! The Vulkan that wgpu does not show: valid bits, calibrated timestamps, and stamps at the top of the pipe.
//! In: wgpu's own objects, whose Vulkan handles are borrowed. Out: plain values. All unsafe code of the crate is here.

use std::ops::Range;
use std::sync::Arc;

use ash::vk;
use wgpu::hal::api::Vulkan;

/// The extensions that extend one timeline over all of a device's submissions and queues, the ratified one first.
const CALIBRATED: [&std::ffi::CStr; 2] =
    [ash::khr::calibrated_timestamps::NAME, ash::ext::calibrated_timestamps::NAME];

/// Opens a Vulkan device with calibrated timestamps enabled. None where the adapter is no Vulkan one or has none of them.
pub(crate) fn open_calibrated(
    adapter: &wgpu::Adapter,
    descriptor: &wgpu::DeviceDescriptor<'_>,
) -> Option<Result<(wgpu::Device, wgpu::Queue), String>> {
    if !descriptor.required_limits.check_limits(&adapter.limits()) {
        // wgpu's own way of opening names the limit that is too high.
        return None;
    }
    #[allow(unsafe_code, reason = "wgpu has no safe way to enable a device extension of Vulkan")]
    // SAFETY: the guard is dropped before the adapter is; the handle behind it is not destroyed.
    let hal = unsafe { adapter.as_hal::<Vulkan>() }?;
    let capabilities = hal.physical_device_capabilities();
    let extension = CALIBRATED.into_iter().find(|name| capabilities.supports_extension(name))?;
    let add = Box::new(move |args: wgpu::hal::vulkan::CreateDeviceCallbackArgs<'_, '_, '_>| {
        args.extensions.push(extension);
    });
    #[allow(unsafe_code, reason = "wgpu has no safe way to enable a device extension of Vulkan")]
    // SAFETY: as for `Adapter::open`: the features are those of this adapter, as our caller checked, and the limits were
    // checked above. The callback adds one extension that the adapter supports; it takes nothing away.
    let opened = unsafe {
        hal.open_with_callback(
            descriptor.required_features,
            &descriptor.required_limits,
            &descriptor.memory_hints,
            Some(add),
        )
    };
    drop(hal);
    let opened = match opened {
        Ok(opened) => opened,
        Err(fault) => return Some(Err(fault.to_string())),
    };
    #[allow(unsafe_code, reason = "the second half of opening a device through hal")]
    // SAFETY: the device was just opened from this adapter with the descriptor's features.
    let created = unsafe { adapter.create_device_from_hal::<Vulkan>(opened, descriptor) };
    Some(created.map_err(|fault| fault.to_string()))
}

/// Valid bits of the queue's timestamps, and which extension puts them on one timeline. None where the device is no
/// Vulkan one.
pub(crate) fn clock_facts(device: &wgpu::Device) -> Option<(u32, Option<&'static str>)> {
    #[allow(unsafe_code, reason = "wgpu tells neither valid bits nor extensions")]
    // SAFETY: the guard and the handles read from it do not outlive this function; nothing is destroyed.
    let (families, family, extensions) = unsafe {
        let hal = device.as_hal::<Vulkan>()?;
        let instance = hal.shared_instance().raw_instance();
        let families = instance.get_physical_device_queue_family_properties(hal.raw_physical_device());
        (families, hal.queue_family_index(), hal.enabled_device_extensions().to_vec())
    };
    let bits = families.get(family as usize)?.timestamp_valid_bits;
    let extension = CALIBRATED.into_iter().find(|name| extensions.contains(name));
    Some((bits, extension.and_then(|name| name.to_str().ok())))
}

/// Where in the pipe a stamp is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pipe {
    /// When the GPU takes up the next command.
    Top,
    /// When all earlier commands are done.
    Bottom,
}

/// A device's Vulkan functions, kept for as long as pools use them.
#[derive(Clone)]
pub(crate) struct RawDevice(Arc<RawDeviceInner>);

struct RawDeviceInner {
    raw: ash::Device,
    /// Keeps `raw` alive.
    _device: wgpu::Device,
}

impl std::fmt::Debug for RawDevice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("RawDevice").field(&self.0.raw.handle()).finish()
    }
}

/// Timestamp queries of Vulkan's own, beside those of wgpu.
#[derive(Debug)]
pub(crate) struct Pool {
    device: RawDevice,
    raw: vk::QueryPool,
    queries: u32,
    /// Set where the GPU may never be done with it.
    forsaken: bool,
}

impl RawDevice {
    /// The device's Vulkan functions; none where it is no Vulkan device.
    pub(crate) fn of(device: &wgpu::Device) -> Option<Self> {
        #[allow(unsafe_code, reason = "wgpu writes no stamp at the top of the pipe")]
        // SAFETY: the device that owns the handle is kept beside it, so the handle stays valid; it is not destroyed.
        let raw = unsafe { device.as_hal::<Vulkan>()?.raw_device().clone() };
        Some(Self(Arc::new(RawDeviceInner { raw, _device: device.clone() })))
    }
}

impl Pool {
    /// So many timestamp queries.
    ///
    /// # Errors
    /// What the driver said.
    pub(crate) fn new(device: &RawDevice, queries: u32) -> Result<Self, String> {
        let info =
            vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(queries);
        #[allow(unsafe_code, reason = "wgpu's query sets cannot be written at the top of the pipe")]
        // SAFETY: the device is alive; the pool is destroyed once, in `drop`.
        let raw =
            unsafe { device.0.raw.create_query_pool(&info, None) }.map_err(|fault| fault.to_string())?;
        Ok(Self { device: device.clone(), raw, queries, forsaken: false })
    }

    /// Records that queries are reset. The encoder records nothing of wgpu's own.
    pub(crate) fn reset(&self, encoder: &mut wgpu::CommandEncoder, queries: Range<u32>) {
        debug_assert!(queries.end <= self.queries, "queries {queries:?} of {}", self.queries);
        self.record(encoder, |raw, buffer| {
            let count = queries.end - queries.start;
            #[allow(unsafe_code, reason = "wgpu cannot reset a pool that is not its own")]
            // SAFETY: the buffer is recording, outside a render pass; the pool holds these queries, and the ring gives them
            // to a frame only when no earlier submission writes them any more.
            unsafe {
                raw.cmd_reset_query_pool(buffer, self.raw, queries.start, count);
            }
        });
    }

    /// Records a stamp. The encoder records nothing of wgpu's own; the query was reset in a command buffer before.
    pub(crate) fn stamp(&self, encoder: &mut wgpu::CommandEncoder, query: u32, pipe: Pipe) {
        debug_assert!(query < self.queries, "query {query} of {}", self.queries);
        let stage = match pipe {
            Pipe::Top => vk::PipelineStageFlags::TOP_OF_PIPE,
            Pipe::Bottom => vk::PipelineStageFlags::BOTTOM_OF_PIPE,
        };
        self.record(encoder, |raw, buffer| {
            #[allow(unsafe_code, reason = "wgpu writes stamps only at the bottom of the pipe")]
            // SAFETY: the buffer is recording; the ring hands out queries below `queries`, each once between resets.
            unsafe {
                raw.cmd_write_timestamp(buffer, stage, self.raw, query);
            }
        });
    }

    /// Records that the GPU waits until a stamp recorded in this encoder is taken, by copying it where nobody reads it.
    pub(crate) fn settle(&self, encoder: &mut wgpu::CommandEncoder, query: u32, into: &wgpu::Buffer) {
        #[allow(unsafe_code, reason = "the way to a buffer's handle")]
        // SAFETY: the backend keeps the buffer for as long as its slots, and nothing is destroyed here.
        let into = unsafe { into.as_hal::<Vulkan>().map(|buffer| buffer.raw_handle()) };
        let Some(into) = into else { return };
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
        self.record(encoder, |raw, buffer| {
            #[allow(unsafe_code, reason = "wgpu cannot copy from a pool that is not its own")]
            // SAFETY: the buffer is recording, outside a render pass; the query was written before in it, so that waiting
            // for it ends; the target holds 8 bytes for each query, which nobody reads.
            unsafe {
                raw.cmd_copy_query_pool_results(
                    buffer,
                    self.raw,
                    query,
                    1,
                    into,
                    u64::from(query) * 8,
                    8,
                    flags,
                );
            }
        });
    }

    fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        record: impl FnOnce(&ash::Device, vk::CommandBuffer),
    ) {
        #[allow(unsafe_code, reason = "the way to a command buffer's handle")]
        // SAFETY: only raw commands go to this encoder, as wgpu demands, and the buffer is not ended here.
        unsafe {
            encoder.as_hal_mut::<Vulkan, _, _>(|encoder| {
                if let Some(encoder) = encoder {
                    record(&self.device.0.raw, encoder.raw_handle());
                }
            });
        }
    }

    /// Reads adjacent queries from `first` on; none for each that is not available. Only for submissions that have
    /// completed: some drivers (Mesa's lavapipe 22.3) block otherwise.
    ///
    /// # Errors
    /// What the driver said.
    pub(crate) fn read(&self, first: u32, into: &mut [Option<u64>]) -> Result<(), vk::Result> {
        const AT_ONCE: usize = 64;
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WITH_AVAILABILITY;
        let mut from = first;
        for chunk in into.chunks_mut(AT_ONCE) {
            let mut words = [[0u64; 2]; AT_ONCE];
            let words = &mut words[..chunk.len()];
            #[allow(unsafe_code, reason = "wgpu cannot read a pool that is not its own")]
            // SAFETY: the pool is alive and holds these queries; each element takes a value and its availability.
            let read = unsafe { self.device.0.raw.get_query_pool_results(self.raw, from, words, flags) };
            match read {
                Ok(()) | Err(vk::Result::NOT_READY) => {}
                Err(fault) => return Err(fault),
            }
            for (into, [value, available]) in chunk.iter_mut().zip(words) {
                *into = (*available != 0).then_some(*value);
                from += 1;
            }
        }
        Ok(())
    }

    /// Gives the pool up to the GPU, which may still use it: it is never destroyed.
    pub(crate) const fn forsake(&mut self) {
        self.forsaken = true;
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if self.forsaken {
            return;
        }
        #[allow(unsafe_code, reason = "what is created by hand is destroyed by hand")]
        // SAFETY: the ring drops or renews a slot only when its submissions have completed; whoever cannot know that
        // forsakes the pool first.
        unsafe {
            self.device.0.raw.destroy_query_pool(self.raw, None);
        }
    }
}
