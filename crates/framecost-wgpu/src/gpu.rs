//! Opening a device that can stamp. In: which adapter, and what the scene requires. Out: [`Gpu`].

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use framecost_sample::AdapterClass;

use crate::known_work::KnownWork;
use crate::proof::{Method, ProofReport, Trial, attempts};
use crate::{Able, Support, vulkan};

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
    proof: OnceLock<ProofReport>,
    top_bottom_proof: OnceLock<ProofReport>,
}

/// Which adapter to open and with what.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// Part of the adapter's name, in any case; none takes the best: discrete, integrated, virtual, other, cpu.
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
    /// The scene needs more than the adapter grants.
    #[error("adapter `{adapter}` has {limit} up to {allowed}; {wanted} is asked for")]
    PastLimit {
        /// The adapter's name.
        adapter: String,
        /// The limit, by wgpu's name.
        limit: &'static str,
        /// What is asked for.
        wanted: u64,
        /// What the adapter grants.
        allowed: u64,
    },
    /// The driver refused.
    #[error("adapter `{adapter}`: {why}")]
    Refused {
        /// The adapter's name.
        adapter: String,
        /// What it said.
        why: String,
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
    /// What it can stamp, or why it could not be opened. The clock's step is in it, where a trial found it.
    pub support: Result<Support, String>,
    /// Its ways of stamping, tried on known work, each with its verdict.
    pub trials: Vec<Trial>,
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

    /// Opens this adapter, with every feature for stamping that it has. On Vulkan with calibrated timestamps enabled
    /// where they exist, since that promises one timeline for all submissions.
    ///
    /// # Errors
    /// A feature that the scene requires is missing, a limit is past the adapter's, or the driver refuses.
    pub fn from_adapter(adapter: wgpu::Adapter, options: &OpenOptions) -> Result<Self, OpenError> {
        let info = adapter.get_info();
        let missing = options.features - adapter.features();
        if !missing.is_empty() {
            return Err(OpenError::MissingFeatures { adapter: info.name, missing: missing.to_string() });
        }
        let mut past = None;
        options.limits.check_limits_with_fail_fn(&adapter.limits(), true, |limit, wanted, allowed| {
            past = Some((limit, wanted, allowed));
        });
        if let Some((limit, wanted, allowed)) = past {
            return Err(OpenError::PastLimit { adapter: info.name, limit, wanted, allowed });
        }
        let stamping = wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("framecost"),
            required_features: options.features | (adapter.features() & stamping),
            required_limits: options.limits.clone(),
            ..Default::default()
        };
        let opened = vulkan::open_calibrated(&adapter, &descriptor).unwrap_or_else(|| {
            pollster::block_on(adapter.request_device(&descriptor)).map_err(|fault| fault.to_string())
        });
        let (device, queue) = opened.map_err(|why| OpenError::Refused { adapter: info.name.clone(), why })?;
        let gpu = Self::from_device(adapter, device, queue);
        let lost = Arc::clone(&gpu.lost);
        gpu.device.set_device_lost_callback(move |_, _| lost.store(true, Ordering::Release));
        Ok(gpu)
    }

    /// A device that the program opened itself. What it can stamp depends on the features and extensions that it was
    /// opened with; of its loss framecost learns when it next asks for a submission.
    #[must_use]
    pub fn from_device(adapter: wgpu::Adapter, device: wgpu::Device, queue: wgpu::Queue) -> Self {
        let info = adapter.get_info();
        Self {
            support: Support::decide(&device, &queue, info.backend),
            adapter,
            device,
            queue,
            info,
            lost: Arc::new(AtomicBool::new(false)),
            proof: OnceLock::new(),
            top_bottom_proof: OnceLock::new(),
        }
    }

    /// The device's stamps by pass attachments, tried on known work: once, when it is first asked for.
    pub fn proof(&self) -> &ProofReport {
        self.proof
            .get_or_init(|| self.prove(&self.support.pass_stamps, [Method::Attachments, Method::OwnBuffer]))
    }

    /// The device's stamps at the top of the pipe, tried on known work: once, when it is first asked for.
    pub fn top_bottom_proof(&self) -> &ProofReport {
        let methods = [Method::TopBottom, Method::SettledTopBottom];
        self.top_bottom_proof.get_or_init(|| self.prove(&self.support.top_of_pipe, methods))
    }

    /// Tries the plain way, and the mended one if that fails, each again where it failed by noise.
    fn prove(&self, able: &Able, [plain, mended]: [Method; 2]) -> ProofReport {
        if let Able::No(why) = able {
            return ProofReport::failed(plain, why.clone());
        }
        let work = match KnownWork::new(self) {
            Ok(work) => work,
            Err(why) => return ProofReport::failed(plain, why),
        };
        let mut trials = attempts(|| work.try_method(plain));
        if !trials.iter().any(Trial::proven) {
            trials.extend(match &self.support.encoder_stamps {
                Able::No(why) if !mended.is_raw() => vec![Trial::failed(mended, why.clone())],
                _ => attempts(|| work.try_method(mended)),
            });
        }
        ProofReport { trials }
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

/// Every adapter of the machine, best first, with what it can stamp and how it did on known work. Takes up to two seconds
/// for a software adapter, and a few times that on a machine that is busy with something else.
#[must_use]
pub fn adapters() -> Vec<AdapterReport> {
    candidates().into_iter().map(report).collect()
}

fn report(adapter: wgpu::Adapter) -> AdapterReport {
    let info = adapter.get_info();
    let opened = Gpu::from_adapter(adapter, &OpenOptions::default());
    let mut trials = Vec::new();
    let support = opened.map_err(|fault| fault.to_string()).map(|gpu| {
        trials.extend_from_slice(&gpu.proof().trials);
        if gpu.support.top_of_pipe.is_yes() {
            trials.extend_from_slice(&gpu.top_bottom_proof().trials);
        }
        let mut support = gpu.support.clone();
        if let Some(step) = gpu.proof().step() {
            support.clock.step = framecost_sample::Reading::Measured(step);
        }
        support
    });
    AdapterReport {
        class: class_of(info.device_type),
        backend: backend_name(info.backend),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        name: info.name,
        support,
        trials,
    }
}

/// Adapters of the backends whose timestamps are per pass, best first.
fn candidates() -> Vec<wgpu::Adapter> {
    let backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends,
        // Validation would be measured with the rest; WGPU_VALIDATION=1 asks for it.
        flags: wgpu::InstanceFlags::empty().with_env(),
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
    let lower = wanted.to_lowercase();
    let fits = |adapter: &wgpu::Adapter| adapter.get_info().name.to_lowercase().contains(&lower);
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
