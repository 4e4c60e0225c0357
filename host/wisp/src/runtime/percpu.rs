//! Stacks that remember which processor put an element on them: its caches hold that element.

use parking_lot::{Mutex, MutexGuard};

/// Interchangeable elements, of which one is taken at a time. If several processors put and take, each gets its own
/// back.
pub(crate) struct PerCpuStack<T>(Mutex<Vec<(usize, T)>>);

impl<T> Default for PerCpuStack<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> PerCpuStack<T> {
    fn lock(&self) -> MutexGuard<'_, Vec<(usize, T)>> {
        self.0.lock()
    }

    /// Returns the number of elements.
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    /// Puts one more on it.
    pub(crate) fn put(&self, thing: T) {
        self.lock().push((processor(), thing));
    }

    /// Puts one more on it unless there are `most`.
    pub(crate) fn put_below(&self, most: usize, thing: T) {
        let mut all = self.lock();
        if all.len() < most {
            all.push((processor(), thing));
        }
    }

    /// Takes what this processor put there last, otherwise what any processor did.
    pub(crate) fn take(&self) -> Option<T> {
        self.take_that(|_| true)
    }

    /// Works like [`PerCpuStack::take`], for elements that fit.
    pub(crate) fn take_that(&self, fits: impl Fn(&T) -> bool) -> Option<T> {
        let mut all = self.lock();
        let here = processor();
        let at = all.iter().rposition(|(processor, thing)| *processor == here && fits(thing));
        let at = at.or_else(|| all.iter().rposition(|(_, thing)| fits(thing)))?;
        Some(all.remove(at).1)
    }
}

/// Returns the processor on which this thread runs now.
fn processor() -> usize {
    rustix::thread::sched_getcpu()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_here_last_comes_first() {
        let stack = PerCpuStack::default();
        let here = processor();
        *stack.lock() = vec![(here + 1, "other"), (here, "mine"), (here, "mine, later"), (here + 1, "other, later")];
        // The thread may be moved in the meantime: then it takes others first, and the test proves nothing.
        let taken = [stack.take(), stack.take(), stack.take(), stack.take(), stack.take()];
        if processor() == here {
            assert_eq!(taken, [Some("mine, later"), Some("mine"), Some("other, later"), Some("other"), None]);
        }
        assert_eq!(taken.iter().flatten().count(), 4);
    }
}
