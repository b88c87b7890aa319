//! The program `framecost`: the command line over the reference scenes.

use std::process::ExitCode;

fn main() -> ExitCode {
    quiet_about_displays();
    framecost_cli::main(framecost_scenes::all())
}

/// Mesa's layer that chooses among devices looks for a display, and where no session runs complains of that on stderr at
/// every start. We choose by ourselves, so that there it may as well stay out.
fn quiet_about_displays() {
    let set = |name: &str| std::env::var_os(name).is_some();
    if cfg!(target_os = "linux")
        && !["XDG_RUNTIME_DIR", "NODEVICE_SELECT", "MESA_VK_DEVICE_SELECT"].into_iter().any(set)
    {
        // SAFETY: the first call of `main`, so that no other thread is there to read the environment meanwhile.
        #[allow(unsafe_code, reason = "the layer listens to nothing but the environment")]
        unsafe {
            std::env::set_var("NODEVICE_SELECT", "1");
        }
    }
}
