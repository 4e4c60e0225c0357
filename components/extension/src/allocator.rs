//! The C library's allocator.

use core::alloc::{GlobalAlloc, Layout};
use core::ptr::null_mut;

unsafe extern "C" {
    fn malloc(size: usize) -> *mut u8;
    fn calloc(count: usize, size: usize) -> *mut u8;
    fn realloc(block: *mut u8, size: usize) -> *mut u8;
    fn aligned_alloc(align: usize, size: usize) -> *mut u8;
    fn free(block: *mut u8);
}

/// The C library's allocator, which CPython uses too.
pub struct Allocator;

/// What `malloc` aligns to.
const ALIGNED: usize = 8;

// SAFETY: the functions of the C library keep what the trait asks for; `aligned_alloc` gets multiples of the alignment.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGNED {
            // SAFETY: any size may be asked for.
            unsafe { malloc(layout.size()) }
        } else {
            // SAFETY: as above.
            unsafe { aligned_alloc(layout.align(), layout.pad_to_align().size()) }
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGNED {
            // SAFETY: any size may be asked for.
            return unsafe { calloc(1, layout.size()) };
        }
        // SAFETY: the caller's promise.
        let block = unsafe { self.alloc(layout) };
        if !block.is_null() {
            // SAFETY: the block has this size.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, _: Layout) {
        // SAFETY: the block comes from one of the functions above.
        unsafe { free(block) };
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if layout.align() <= ALIGNED {
            // SAFETY: the block comes from `malloc`.
            return unsafe { realloc(block, size) };
        }
        let Ok(wanted) = Layout::from_size_align(size, layout.align()) else { return null_mut() };
        // SAFETY: the caller's promise; both blocks have the smaller size.
        unsafe {
            let moved = self.alloc(wanted);
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(size));
                free(block);
            }
            moved
        }
    }
}
