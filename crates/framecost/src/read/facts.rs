//! What capture tools call the parts of a machine. In: a file's name for one. Out: the fact that it is in every log.

/// Names in files, in lower case, each with its fact. OCAT's columns of the machine and CapFrameX' lines of it are these.
const NAMES: &[(&str, &str)] = &[
    ("motherboard", "motherboard"),
    ("os", "os"),
    ("processor", "cpu"),
    ("system ram", "ram"),
    ("base driver version", "driver"),
    ("driver package", "driver package"),
    ("gpu #", "gpus"),
    ("gpu", "gpu"),
    ("gpu core clock (mhz)", "gpu core clock (MHz)"),
    ("gpu memory clock (mhz)", "gpu memory clock (MHz)"),
    ("gpu memory (mb)", "gpu memory (MB)"),
    ("comment", "comment"),
];

/// The fact that a name in lower case stands for, if it is one of the machine.
pub(super) fn of_machine(name: &str) -> Option<&'static str> {
    NAMES.iter().find(|it| it.0 == name).map(|it| it.1)
}
