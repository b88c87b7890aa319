//! Angles as whole numbers. In: an angle in 2^-32 turns. Out: its sine and cosine, bit for bit the same on every
//! machine, which the platform's own functions do not promise.

use std::f64::consts::PI;

/// An angle; a full turn wraps to zero, so a phase after any number of frames is exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Turn(pub(crate) u32);

const FULL: f64 = 4_294_967_296.0;

impl Turn {
    /// The angle nearest to `turns`, whole turns dropped.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "wraps into 32 bits by intent"
    )]
    pub(crate) fn of(turns: f64) -> Self {
        Self(((turns - turns.floor()) * FULL) as u64 as u32)
    }

    /// This phase after `frames` steps of `rate`.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "phases wrap at 32 bits, so the high bits have no part in it"
    )]
    pub(crate) const fn after(self, rate: Self, frames: u64) -> Self {
        Self(self.0.wrapping_add(rate.0.wrapping_mul(frames as u32)))
    }

    /// Sine and cosine, to about 1e-15.
    pub(crate) fn sin_cos(self) -> (f64, f64) {
        // The nearest quarter is taken off, so that the series runs over an eighth of a turn to either side only.
        let quarter = self.0.wrapping_add(1 << 29) >> 30;
        let rest = self.0.wrapping_sub(quarter << 30).cast_signed();
        let x = f64::from(rest) * (PI / 2_147_483_648.0);
        let (sine, cosine) = (sine_series(x), cosine_series(x));
        match quarter & 3 {
            0 => (sine, cosine),
            1 => (cosine, -sine),
            2 => (-sine, -cosine),
            _ => (-cosine, sine),
        }
    }
}

/// Taylor's series up to x^17, as quotients of neighbouring terms; plain operations only, since a fused one would round
/// differently.
fn sine_series(x: f64) -> f64 {
    const STEPS: [f64; 8] =
        [1.0 / 272.0, 1.0 / 210.0, 1.0 / 156.0, 1.0 / 110.0, 1.0 / 72.0, 1.0 / 42.0, 1.0 / 20.0, 1.0 / 6.0];
    let xx = x * x;
    x * STEPS.iter().fold(1.0, |sum, step| 1.0 - xx * step * sum)
}

fn cosine_series(x: f64) -> f64 {
    const STEPS: [f64; 8] =
        [1.0 / 240.0, 1.0 / 182.0, 1.0 / 132.0, 1.0 / 90.0, 1.0 / 56.0, 1.0 / 30.0, 1.0 / 12.0, 1.0 / 2.0];
    let xx = x * x;
    STEPS.iter().fold(1.0, |sum, step| 1.0 - xx * step * sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_and_cosine_agree_with_the_platform() {
        for i in 0..=4096u32 {
            let turn = Turn(i.wrapping_mul(1_048_573));
            let angle = f64::from(turn.0) / FULL * 2.0 * PI;
            let (sine, cosine) = turn.sin_cos();
            assert!((sine - angle.sin()).abs() < 2e-15, "sine of {angle}: {sine}");
            assert!((cosine - angle.cos()).abs() < 2e-15, "cosine of {angle}: {cosine}");
        }
    }

    #[test]
    fn phases_wrap_without_losing_a_step() {
        let (start, rate) = (Turn(7), Turn(3_000_000_001));
        let stepped = (0..1000).fold(start, |turn, _| turn.after(rate, 1));
        assert_eq!(stepped, start.after(rate, 1000));
        assert_eq!(Turn::of(-0.25), Turn(3 << 30));
        assert_eq!(Turn::of(1.0), Turn(0));
    }
}
