//! Frames in flight: frame i starts when frame i - n is finished. In: a ticket for each submitted frame. Out: the one to
//! wait for. Knows no device, so that its rule is tested without one.

use std::collections::VecDeque;

/// The frames that may still be under way, oldest first.
#[derive(Debug)]
pub(crate) struct InFlight<T> {
    most: usize,
    tickets: VecDeque<T>,
}

impl<T> InFlight<T> {
    pub(crate) fn new(most: u32) -> Self {
        let most = most.max(1) as usize;
        Self { most, tickets: VecDeque::with_capacity(most + 1) }
    }

    /// The frame that must be finished before the next may start; none while there is room.
    pub(crate) fn due(&mut self) -> Option<T> {
        if self.tickets.len() < self.most { None } else { self.tickets.pop_front() }
    }

    /// A frame was submitted.
    pub(crate) fn submitted(&mut self, ticket: T) {
        self.tickets.push_back(ticket);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_i_starts_when_frame_i_minus_n_is_finished() {
        for most in 1..=4u64 {
            let mut in_flight = InFlight::new(u32::try_from(most).unwrap());
            // The slowest GPU there is: it finishes a frame only when it is waited for.
            let mut finished = 0;
            for frame in 0..20 {
                if let Some(ticket) = in_flight.due() {
                    assert_eq!(ticket + most, frame, "waits for exactly the frame that is {most} back");
                    finished = ticket + 1;
                }
                in_flight.submitted(frame);
                assert!(frame + 1 - finished <= most, "{most} in flight at most, this one among them");
            }
            assert_eq!(finished, 20 - most, "and no fewer: nothing waits without need");
        }
    }
}
