//! The stand-in for `vulkan.rs` on systems whose wgpu has no Vulkan: nothing there can be had.

/// None: there is no Vulkan.
pub(crate) fn open_calibrated(
    _: &wgpu::Adapter,
    _: &wgpu::DeviceDescriptor<'_>,
) -> Option<Result<(wgpu::Device, wgpu::Queue), String>> {
    None
}

/// None: there is no Vulkan.
pub(crate) fn clock_facts(_: &wgpu::Device) -> Option<(u32, Option<&'static str>)> {
    None
}

/// Where in the pipe a stamp is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pipe {
    /// When the GPU takes up the next command.
    Top,
    /// When all earlier commands are done.
    Bottom,
}

/// There is none.
#[derive(Clone, Debug)]
pub(crate) enum RawDevice {}

/// There is none.
#[derive(Debug)]
pub(crate) enum Pool {}

impl RawDevice {
    /// None: there is no Vulkan.
    pub(crate) const fn of(_: &wgpu::Device) -> Option<Self> {
        None
    }
}

impl Pool {
    pub(crate) fn new(device: &RawDevice, _: u32) -> Result<Self, String> {
        match *device {}
    }

    pub(crate) fn reset(&self, _: &mut wgpu::CommandEncoder, _: std::ops::Range<u32>) {
        match *self {}
    }

    pub(crate) fn stamp(&self, _: &mut wgpu::CommandEncoder, _: u32, _: Pipe) {
        match *self {}
    }

    pub(crate) fn settle(&self, _: &mut wgpu::CommandEncoder, _: u32, _: &wgpu::Buffer) {
        match *self {}
    }

    pub(crate) fn read(&self, _: u32, _: &mut [Option<u64>]) -> Result<(), String> {
        match *self {}
    }

    pub(crate) fn forsake(&mut self) {
        match *self {}
    }
}
