//! What a scene is to the harness: its description, how it is loaded, how it draws a frame.

use framecost_sample::{Metric, Size, Switches};
use framecost_wgpu::{Frame, Gpu};

use crate::{FrameSamples, RunError, SwitchDef};

/// Whatever went wrong inside a scene; `?` turns any error, or a text, into one.
pub type SceneError = Box<dyn std::error::Error + Send + Sync>;

/// What a scene says about itself before it is loaded. [`SceneInfo::new`] fills in everything but the name and the
/// passes; change what differs.
#[derive(Clone, Debug)]
pub struct SceneInfo {
    /// The program that the scene belongs to; a part of the key of its runs.
    pub program: String,
    /// Lower case with hyphens; what a command line calls it.
    pub name: String,
    /// What it shows or stresses, in one sentence.
    pub about: String,
    /// Names of its timed passes, in the order in which a frame runs them.
    pub passes: Vec<String>,
    /// Spans of passes that budgets may be set on.
    pub gates: Vec<Gate>,
    /// Its options.
    pub switches: Vec<SwitchDef>,
    /// Which switch takes which pass's work out of the frame, where one does.
    pub without: Vec<Without>,
    /// Metrics of its own, beside framecost's, that it sets through [`FrameSamples`].
    pub metrics: Vec<Metric>,
    /// Length of its path: frame indices run from 0 to this.
    pub frames: u64,
    /// Frames that a first look measures: fewer for a scene whose frames take seconds on a software renderer.
    pub quick_frames: u64,
    /// Device features that it cannot do without.
    pub features: wgpu::Features,
    /// Device limits that it cannot do without.
    pub limits: wgpu::Limits,
    /// Everything that its pictures hang on and no switch names: seeds, counts, formats, sample count. Its hash is a
    /// part of the key, so that runs of different content are never compared.
    pub settings: String,
}

/// A named span of passes: from the start of one to the latest end among those up to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Unique among the scene's gates.
    pub name: String,
    /// The pass that opens it.
    pub from: String,
    /// The last pass that may close it.
    pub to: String,
}

/// A way to take a pass's work out of the frame, so that the frame with it can be held against the frame without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Without {
    /// The pass.
    pub pass: String,
    /// The switch.
    pub switch: String,
    /// The value with which the frame does without the pass's work, whether the pass still runs or not.
    pub value: String,
}

/// The conditions under which a scene is loaded.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Size of the image.
    pub size: Size,
    /// Every switch of the scene with the value in force.
    pub switches: Switches,
}

/// A scene that can be measured.
pub trait Benchmark: Send + Sync {
    /// What it is. Cheap, always the same.
    fn info(&self) -> SceneInfo;

    /// Makes the scene on this device: called anew for each variant and repeat, but see [`Scene::again`].
    ///
    /// # Errors
    /// Whatever the scene cannot do; the run ends with it.
    fn load(&self, gpu: &Gpu, setup: &Setup) -> Result<Box<dyn Scene>, SceneError>;
}

/// A scene that was loaded.
pub trait Scene {
    /// Records and submits one frame, its passes through `frame`. The same index is the same work every time: let all
    /// motion hang on `index`, not on a clock. Waits for nothing. The time that this call takes is the frame's CPU time.
    fn frame(&mut self, index: u64, frame: &mut Frame<'_>, samples: &mut FrameSamples<'_>);

    /// Sets the scene up for another run as if it had just been loaded so, which saves loading it; `false` where it cannot,
    /// and is loaded anew. Asked only under [`crate::Plan::reuse`]. By default it cannot.
    ///
    /// # Errors
    /// Whatever the scene cannot do; the run ends with it.
    fn again(&mut self, setup: &Setup) -> Result<bool, SceneError> {
        let _ = setup;
        Ok(false)
    }

    /// Called once after the last frame of a run, when the GPU is done: the moment for readings that come late.
    fn finish(&mut self, samples: &mut FrameSamples<'_>) {
        let _ = samples;
    }

    /// Moves the scene on over frame `index` without drawing it: for scenes whose frame hangs on the one before. Asked for
    /// only where a few frames far apart are drawn for their pictures, never in a measured run. By default nothing.
    fn simulate(&mut self, index: u64) {
        let _ = index;
    }

    /// What lies behind a pixel of the last frame, nearest first, as the scene names it, such as `instance 1234 (mesh 7)`.
    /// Asked for where two pictures differ that should not; may be slow. Empty (the default) where the scene cannot tell.
    fn behind(&mut self, x: u32, y: u32) -> Vec<String> {
        let _ = (x, y);
        Vec::new()
    }

    /// The picture that the last frame drew. May wait.
    ///
    /// # Errors
    /// The scene offers none (the default), or it could not be read.
    fn image(&mut self) -> Result<Image, SceneError> {
        Err("the scene offers no picture".into())
    }
}

/// A picture: eight bits for each of red, green, blue, alpha, as a display takes them, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Its size.
    pub size: Size,
    /// Four bytes a pixel.
    pub rgba: Vec<u8>,
}

impl SceneInfo {
    /// A scene of that name with these passes: no switches, no gates, a path of 600 frames, a device of wgpu's default
    /// limits.
    #[must_use]
    pub fn new(name: &str, passes: &[&str]) -> Self {
        Self {
            program: name.into(),
            name: name.into(),
            about: String::new(),
            passes: passes.iter().map(|&pass| pass.to_owned()).collect(),
            gates: Vec::new(),
            switches: Vec::new(),
            without: Vec::new(),
            metrics: Vec::new(),
            frames: 600,
            quick_frames: 120,
            features: wgpu::Features::empty(),
            limits: wgpu::Limits::default(),
            settings: String::new(),
        }
    }

    /// Checks what only the whole run's capture would tell otherwise: its own metrics' names, and its gates.
    pub(crate) fn check(&self) -> Result<(), RunError> {
        self.gates.iter().enumerate().try_for_each(|(i, gate)| self.check_gate(gate, &self.gates[..i]))?;
        let taken = |(i, metric): &(usize, &Metric)| {
            let twice = self.metrics[..*i].iter().any(|other| other.name == metric.name);
            twice || metric.name.is_empty() || Metric::built_in(&metric.name).is_some()
        };
        let Some((_, metric)) = self.metrics.iter().enumerate().find(taken) else { return Ok(()) };
        Err(RunError::BadMetric { scene: self.name.clone(), metric: metric.name.clone() })
    }

    /// A gate has a name of its own and opens no later than it closes.
    fn check_gate(&self, gate: &Gate, others: &[Gate]) -> Result<(), RunError> {
        let place = |name: &str| self.passes.iter().position(|pass| pass == name);
        let fault =
            |cause: String| RunError::BadGate { scene: self.name.clone(), gate: gate.name.clone(), cause };
        if gate.name.is_empty() || others.iter().any(|other| other.name == gate.name) {
            return Err(fault("its name is empty or stands twice; each gate has a name of its own".into()));
        }
        for pass in [&gate.from, &gate.to] {
            if place(pass).is_none() {
                return Err(RunError::UnknownPass {
                    scene: self.name.clone(),
                    gate: gate.name.clone(),
                    pass: pass.clone(),
                    passes: self.passes.join(", "),
                });
            }
        }
        if place(&gate.from) > place(&gate.to) {
            let (from, to) = (&gate.from, &gate.to);
            return Err(fault(format!(
                "it opens with `{from}`, which comes after `{to}`; allowed: passes in the order in which a frame runs them"
            )));
        }
        Ok(())
    }

    /// Hash of all that must be equal between two runs and no switch names, as sixteen hexadecimal digits.
    #[must_use]
    pub fn settings_hash(&self) -> String {
        let Self { passes, gates, frames, settings, .. } = self;
        let text = format!("passes {passes:?}\ngates {gates:?}\nframes {frames}\nsettings {settings}\n");
        format!("{:016x}", crate::stable_hash(text.as_bytes()))
    }
}

impl Gate {
    /// The gate of that name, from the start of `from` to the end of `to`.
    #[must_use]
    pub fn new(name: &str, from: &str, to: &str) -> Self {
        Self { name: name.into(), from: from.into(), to: to.into() }
    }
}

impl Without {
    /// That switch, set to that value, takes that pass's work out of the frame.
    #[must_use]
    pub fn new(pass: &str, switch: &str, value: &str) -> Self {
        Self { pass: pass.into(), switch: switch.into(), value: value.into() }
    }
}

impl Setup {
    /// The value of a switch.
    ///
    /// # Errors
    /// The scene declared no such switch.
    pub fn value(&self, switch: &str) -> Result<&str, SceneError> {
        let known = || self.switches.0.keys().cloned().collect::<Vec<_>>().join(", ");
        let value = self.switches.0.get(switch);
        value.map(String::as_str).ok_or_else(|| {
            format!(
                "the scene asked for a switch `{switch}` that it did not declare; it declared {}",
                known()
            )
            .into()
        })
    }

    /// Whether a switch is `on`.
    ///
    /// # Errors
    /// The scene declared no such switch.
    pub fn is_on(&self, switch: &str) -> Result<bool, SceneError> {
        self.value(switch).map(|value| value == "on")
    }

    /// The value of a switch that is a number.
    ///
    /// # Errors
    /// The scene declared no such switch, or one whose value is no number.
    pub fn number(&self, switch: &str) -> Result<u64, SceneError> {
        let value = self.value(switch)?;
        value.parse().map_err(|_| format!("switch `{switch}` is `{value}`, which is no whole number").into())
    }

    /// A texture of the image's size to draw to, which can be read back.
    #[must_use]
    pub fn target(&self, gpu: &Gpu, format: wgpu::TextureFormat) -> wgpu::Texture {
        gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("image"),
            size: wgpu::Extent3d {
                width: self.size.width,
                height: self.size.height,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use framecost_sample::{Better, Unit, metric_names};

    #[test]
    fn a_metric_has_a_name_of_its_own() {
        let check = |names: &[&str]| {
            let metric = |name: &&str| Metric::new(name, Unit::Count, Better::Neither, "");
            let metrics = names.iter().map(metric).collect();
            SceneInfo { metrics, ..SceneInfo::new("town", &["lit"]) }
                .check()
                .map_err(|fault| fault.to_string())
        };
        assert_eq!(check(&["uploads", "lamps"]), Ok(()));
        for taken in [&[metric_names::GPU_TOTAL][..], &[metric_names::START_UP], &["a", "a"], &[""]] {
            assert!(check(taken).is_err(), "{taken:?}");
        }
        insta::assert_snapshot!(check(&["gpu_total"]).unwrap_err(), @"scene `town` declares a metric `gpu_total`; allowed: a name of its own, once, none of framecost's metrics");
    }

    #[test]
    fn a_gate_opens_no_later_than_it_closes() {
        let check = |gates: &[(&str, &str, &str)]| {
            let gates = gates.iter().map(|(name, from, to)| Gate::new(name, from, to)).collect();
            let info = SceneInfo { gates, ..SceneInfo::new("town", &["cull", "lit"]) };
            info.check().map_err(|fault| fault.to_string())
        };
        assert_eq!(check(&[("all", "cull", "lit"), ("lit", "lit", "lit")]), Ok(()));
        insta::assert_snapshot!(check(&[("g", "lit", "cull")]).unwrap_err(), @"scene `town`: gate `g`: it opens with `lit`, which comes after `cull`; allowed: passes in the order in which a frame runs them");
        insta::assert_snapshot!(check(&[("g", "lit", "sky")]).unwrap_err(), @"scene `town`: gate `g` names pass `sky`; the scene has cull, lit");
        insta::assert_snapshot!(check(&[("g", "lit", "lit"), ("g", "cull", "lit")]).unwrap_err(), @"scene `town`: gate `g`: its name is empty or stands twice; each gate has a name of its own");
    }

    #[test]
    fn the_settings_hash_sees_every_part() {
        let base = SceneInfo::new("a", &["x", "y"]);
        let mut hashes = vec![base.settings_hash()];
        hashes.push(SceneInfo::new("a", &["x"]).settings_hash());
        hashes.push(SceneInfo { frames: 601, ..base.clone() }.settings_hash());
        hashes.push(SceneInfo { settings: "seed 2".into(), ..base.clone() }.settings_hash());
        hashes.push(SceneInfo { gates: vec![Gate::new("g", "x", "y")], ..base.clone() }.settings_hash());
        let distinct: std::collections::HashSet<_> = hashes.iter().collect();
        assert_eq!(distinct.len(), hashes.len(), "{hashes:?}");
        assert_eq!(base.settings_hash(), SceneInfo { about: "words".into(), ..base }.settings_hash());
    }

    #[test]
    fn a_scene_that_asks_for_what_it_did_not_declare_is_told() {
        let setup = Setup {
            size: Size { width: 1, height: 1 },
            switches: Switches([("culling".into(), "on".into())].into()),
        };
        assert!(setup.is_on("culling").unwrap());
        insta::assert_snapshot!(setup.is_on("cull").unwrap_err(), @"the scene asked for a switch `cull` that it did not declare; it declared culling");
        insta::assert_snapshot!(setup.number("culling").unwrap_err(), @"switch `culling` is `on`, which is no whole number");
    }
}
