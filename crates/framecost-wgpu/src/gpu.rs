//! Opening a device that can stamp. In: which adapter, and what the scene requires. Out: [`Gpu`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use framecost_sample::AdapterClass;

use crate::Support;

/// An opened device with all that framecost knows about its clocks.
#[derive(Debug)]
pub struct Gpu {
    /// The adapter that the device came from.
    pub adapter: wgpu::Adapter,
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    /// What the adapter says about itself.
    pub info: wgpu::AdapterInfo,
    /// What it can stamp.
    pub support: Support,
    pub(crate) lost: Arc<AtomicBool>,
}

/// Which adapter to open and with what.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// Part of the adapter's name, in any case; none takes the best: discrete, integrated, virtual, cpu.
    pub adapter: Option<String>,
    /// Features that the scene cannot do without. Those for stamping are added where they exist.
    pub features: wgpu::Features,
    /// Limits that the scene cannot do without.
    pub limits: wgpu::Limits,
}

/// Why no device was opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The machine has no adapter that wgpu can use.
    #[error("no graphics adapter found; install a driver, or a software one such as mesa-vulkan-drivers")]
    NoAdapter,
    /// No adapter's name holds the text.
    #[error("no adapter's name holds `{wanted}`; there are: {found}")]
    NoSuchAdapter {
        /// The text that was looked for.
        wanted: String,
        /// The names that there are.
        found: String,
    },
    /// The scene needs features that the adapter lacks.
    #[error("adapter `{adapter}` lacks the features {missing}")]
    MissingFeatures {
        /// The adapter's name.
        adapter: String,
        /// The missing features.
        missing: String,
    },
    /// The driver refused.
    #[error("adapter `{adapter}`: {source}")]
    Refused {
        /// The adapter's name.
        adapter: String,
        /// What it said.
        source: wgpu::RequestDeviceError,
    },
}

/// What one adapter is and can stamp.
#[derive(Clone, Debug)]
pub struct AdapterReport {
    /// The adapter's name as its driver gives it.
    pub name: String,
    /// The kind of adapter.
    pub class: AdapterClass,
    /// The graphics API in lower case.
    pub backend: String,
    /// The driver's name and version.
    pub driver: String,
    /// What it can stamp, or why it could not be opened.
    pub support: Result<Support, String>,
}

impl Gpu {
    /// Opens the best adapter that fits, with every feature for stamping that it has.
    ///
    /// # Errors
    /// No adapter, none of that name, a feature that the scene requires is missing, or the driver refuses.
    pub fn open(options: &OpenOptions) -> Result<Self, OpenError> {
        let adapter = choose(candidates(), options.adapter.as_deref())?;
        Self::from_adapter(adapter, options)
    }

    /// Opens this adapter, with every feature for stamping that it has.
    ///
    /// # Errors
    /// A feature that the scene requires is missing, or the driver refuses.
    pub fn from_adapter(adapter: wgpu::Adapter, options: &OpenOptions) -> Result<Self, OpenError> {
        let info = adapter.get_info();
        let missing = options.features - adapter.features();
        if !missing.is_empty() {
            return Err(OpenError::MissingFeatures { adapter: info.name, missing: missing.to_string() });
        }
        let stamping = wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("framecost"),
            required_features: options.features | (adapter.features() & stamping),
            required_limits: options.limits.clone(),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|source| OpenError::Refused { adapter: info.name.clone(), source })?;
        let lost = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&lost);
        device.set_device_lost_callback(move |_, _| flag.store(true, Ordering::Release));
        let support = Support::decide(&device, &queue, &info);
        Ok(Self { adapter, device, queue, info, support, lost })
    }

    /// The kind of adapter.
    #[must_use]
    pub const fn adapter_class(&self) -> AdapterClass {
        class_of(self.info.device_type)
    }

    /// The graphics API in lower case, such as `vulkan`.
    #[must_use]
    pub fn backend(&self) -> String {
        backend_name(self.info.backend)
    }
}

/// Every adapter of the machine, best first, with what it can stamp.
#[must_use]
pub fn adapters() -> Vec<AdapterReport> {
    candidates().into_iter().map(report).collect()
}

fn report(adapter: wgpu::Adapter) -> AdapterReport {
    let info = adapter.get_info();
    let support = Gpu::from_adapter(adapter, &OpenOptions::default());
    AdapterReport {
        class: class_of(info.device_type),
        backend: backend_name(info.backend),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        name: info.name,
        support: support.map(|gpu| gpu.support).map_err(|fault| fault.to_string()),
    }
}

/// Adapters of the backends whose timestamps are per pass, best first.
fn candidates() -> Vec<wgpu::Adapter> {
    let backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends,
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let mut adapters = pollster::block_on(instance.enumerate_adapters(backends));
    adapters.sort_by_key(|adapter| rank(adapter.get_info().device_type));
    adapters
}

fn choose(adapters: Vec<wgpu::Adapter>, wanted: Option<&str>) -> Result<wgpu::Adapter, OpenError> {
    let names: Vec<String> = adapters.iter().map(|adapter| adapter.get_info().name).collect();
    let Some(wanted) = wanted else {
        return adapters.into_iter().next().ok_or(OpenError::NoAdapter);
    };
    let fits =
        |adapter: &wgpu::Adapter| adapter.get_info().name.to_lowercase().contains(&wanted.to_lowercase());
    adapters.into_iter().find(fits).ok_or_else(|| match names.is_empty() {
        true => OpenError::NoAdapter,
        false => OpenError::NoSuchAdapter { wanted: wanted.into(), found: names.join(", ") },
    })
}

const fn class_of(device_type: wgpu::DeviceType) -> AdapterClass {
    match device_type {
        wgpu::DeviceType::DiscreteGpu => AdapterClass::Discrete,
        wgpu::DeviceType::IntegratedGpu => AdapterClass::Integrated,
        wgpu::DeviceType::VirtualGpu => AdapterClass::Virtual,
        wgpu::DeviceType::Cpu => AdapterClass::Cpu,
        wgpu::DeviceType::Other => AdapterClass::Other,
    }
}

const fn rank(device_type: wgpu::DeviceType) -> u8 {
    match device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    }
}

fn backend_name(backend: wgpu::Backend) -> String {
    backend.to_str().to_owned()
}
