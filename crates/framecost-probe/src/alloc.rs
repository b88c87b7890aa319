//! Counting of allocations. In: a program whose global allocator is [`CountingAlloc`]. Out: [`AllocCounts`], of the
//! process or of the calling thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// An allocator that counts and hands on to another.
///
/// ```
/// use framecost_probe::alloc::{AllocCounts, CountingAlloc};
///
/// #[global_allocator]
/// static ALLOC: CountingAlloc = CountingAlloc::system();
///
/// let before = AllocCounts::of_thread();
/// let list = vec![1, 2, 3];
/// assert_eq!(AllocCounts::of_thread().since(before).allocations, 1);
/// # drop(list);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAlloc<A = System>(A);

/// How often memory was asked for and given back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllocCounts {
    /// Calls that asked for memory. A block that grows or shrinks counts as one.
    pub allocations: u64,
    /// Bytes asked for.
    pub bytes: u64,
    /// Calls that gave memory back.
    pub frees: u64,
}

/// Of all threads. Relaxed: the counts are statistics, nothing is ordered by them.
static PROCESS: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];

thread_local! {
    // Without a destructor and initialised at compile time, so that reading it can neither allocate nor fail.
    static THREAD: Cell<AllocCounts> = const { Cell::new(AllocCounts { allocations: 0, bytes: 0, frees: 0 }) };
}

impl CountingAlloc {
    /// Counts what the system's allocator is asked for.
    #[must_use]
    pub const fn system() -> Self {
        Self(System)
    }
}

impl<A> CountingAlloc<A> {
    /// Counts what `inner` is asked for.
    #[must_use]
    pub const fn around(inner: A) -> Self {
        Self(inner)
    }
}

/// Whether anything is counted now.
static COUNTING: AtomicBool = AtomicBool::new(true);

/// Stops counting, or goes on: for a program that also measures time, which counting takes.
pub fn set_counting(on: bool) {
    COUNTING.store(on, Ordering::Relaxed);
}

impl AllocCounts {
    /// Of the whole process since its start. All zero where the program's allocator does not count.
    #[must_use]
    pub fn of_process() -> Self {
        let [allocations, bytes, frees] = &PROCESS;
        Self {
            allocations: allocations.load(Ordering::Relaxed),
            bytes: bytes.load(Ordering::Relaxed),
            frees: frees.load(Ordering::Relaxed),
        }
    }

    /// Of the calling thread since its start: other threads' allocations do not disturb it.
    #[must_use]
    pub fn of_thread() -> Self {
        THREAD.get()
    }

    /// What was added since `before`.
    #[must_use]
    pub const fn since(self, before: Self) -> Self {
        Self {
            allocations: self.allocations - before.allocations,
            bytes: self.bytes - before.bytes,
            frees: self.frees - before.frees,
        }
    }
}

fn count(allocations: u64, bytes: usize, frees: u64) {
    if !COUNTING.load(Ordering::Relaxed) {
        return;
    }
    for (total, add) in PROCESS.iter().zip([allocations, bytes as u64, frees]) {
        if add != 0 {
            total.fetch_add(add, Ordering::Relaxed);
        }
    }
    // A thread that is being torn down may have lost its counts; the process's stay whole.
    let _ = THREAD.try_with(|thread| {
        let old = thread.get();
        thread.set(AllocCounts {
            allocations: old.allocations + allocations,
            bytes: old.bytes + bytes as u64,
            frees: old.frees + frees,
        });
    });
}

#[allow(unsafe_code, reason = "GlobalAlloc is an unsafe trait; there is no other way to count allocations")]
// SAFETY: every call goes unchanged to the inner allocator, whose contract is the caller's. Counting touches atomics
// and a thread-local cell without destructor, so it neither allocates nor unwinds.
unsafe impl<A: GlobalAlloc> GlobalAlloc for CountingAlloc<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size(), 0);
        // SAFETY: the caller keeps the contract.
        unsafe { self.0.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size(), 0);
        // SAFETY: the caller keeps the contract.
        unsafe { self.0.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(1, size, 0);
        // SAFETY: the caller keeps the contract.
        unsafe { self.0.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(0, 0, 1);
        // SAFETY: the caller keeps the contract.
        unsafe { self.0.dealloc(block, layout) }
    }
}
