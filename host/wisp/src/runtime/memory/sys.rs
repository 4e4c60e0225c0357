//! Address space: reserves it, maps files into it, and finds what was written. All unsafe code of the memory in which
//! processes run is here, in [`super::creator`], which passes the addresses to wasmtime, and in [`super::live`], which gives access
//! to the memory of an instance.
//!
//! Everything is in bytes and whole pages. A range that is not, or not inside its reservation, panics before any
//! system call: it would be a bug in wisp, never something a guest can cause.

#![expect(clippy::disallowed_methods, reason = "/proc/self/pagemap, which says what a process wrote")]

use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::ioctl::{Ioctl, IoctlOutput, Opcode, opcode};
use rustix::mm::{Advice, MapFlags, MprotectFlags, ProtFlags, madvise, mmap, mmap_anonymous, mprotect, munmap};

/// Returns the size of a page in bytes: everything here is a multiple of it.
pub(super) fn page() -> usize {
    rustix::param::page_size()
}

/// Reserved address space. Nothing in it can be accessed until something is mapped or allowed.
#[derive(Debug)]
pub(super) struct Region {
    base: NonNull<u8>,
    len: usize,
    /// Bytes reserved before `base`, never accessible.
    front: usize,
}

// SAFETY: a Region is an address and a length; the pages there belong to the process, not to a thread. Access to the
// contents is through `unsafe` methods, whose callers promise exclusive access.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

impl Region {
    /// Reserves `len` bytes.
    ///
    /// # Errors
    /// When the address space or the number of maps is used up.
    pub(super) fn reserve(len: usize) -> io::Result<Self> {
        Self::guarded(0, len)
    }

    /// Reserves `len` bytes, preceded by `front` bytes that stay inaccessible.
    ///
    /// # Errors
    /// As [`Region::reserve`].
    pub(super) fn guarded(front: usize, len: usize) -> io::Result<Self> {
        assert!(len > 0 && len.is_multiple_of(page()) && front.is_multiple_of(page()), "a reservation of {front} + {len} bytes");
        let (rights, flags) = (ProtFlags::empty(), MapFlags::PRIVATE | MapFlags::NORESERVE);
        // SAFETY: a new mapping at an address that the kernel chooses replaces nothing.
        let start = unsafe { mmap_anonymous(std::ptr::null_mut(), front + len, rights, flags)? };
        let base = NonNull::new(start.cast::<u8>().wrapping_add(front)).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { base, len, front })
    }

    /// Returns the number of bytes reserved.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the first byte's address.
    pub(super) fn base(&self) -> *mut u8 {
        self.base.as_ptr()
    }

    fn at(&self, range: &Range<usize>) -> *mut std::ffi::c_void {
        let whole = range.start.is_multiple_of(page()) && range.end.is_multiple_of(page());
        assert!(whole && range.start <= range.end && range.end <= self.len, "{range:?} of {} bytes", self.len);
        self.base.as_ptr().wrapping_add(range.start).cast()
    }

    /// Maps `range.len()` bytes of `file`, starting at `offset`, over `range`: read-only, or copy-on-write if `writable`.
    ///
    /// # Errors
    /// The system's.
    ///
    /// # Safety
    /// The range must not be accessed at the same time, and its previous contents are lost. The file must not be truncated
    /// while it is mapped.
    pub(super) unsafe fn map_file(&self, range: Range<usize>, file: BorrowedFd<'_>, offset: u64, writable: bool) -> io::Result<()> {
        if range.is_empty() {
            return Ok(());
        }
        let rights = if writable { ProtFlags::READ | ProtFlags::WRITE } else { ProtFlags::READ };
        // SAFETY: `at` checked that the range is inside this reservation, so MAP_FIXED replaces nothing else; the
        // caller promises that the range is not in use.
        unsafe { mmap(self.at(&range), range.len(), rights, MapFlags::PRIVATE | MapFlags::FIXED | MapFlags::NORESERVE, file, offset)? };
        Ok(())
    }

    /// Allows or forbids access to a range. The contents of the pages stay.
    ///
    /// # Errors
    /// The system's: the number of maps may be used up.
    pub(super) fn allow(&self, range: Range<usize>, access: bool) -> io::Result<()> {
        if range.is_empty() {
            return Ok(());
        }
        let rights = if access { MprotectFlags::READ | MprotectFlags::WRITE } else { MprotectFlags::empty() };
        // SAFETY: the range is inside this reservation. Forbidding access makes later accesses fault, which is the
        // purpose of guard pages; it breaks no Rust reference, because none to the contents outlives an unsafe
        // method.
        unsafe { mprotect(self.at(&range), range.len(), rights)? };
        Ok(())
    }

    /// Returns whether the page at `offset` is in memory.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn is_resident(&self, offset: usize) -> io::Result<bool> {
        let (at, mut resident) = (self.at(&(offset..offset + page())), 0_u8);
        // SAFETY: the page is inside this reservation, whose contents the kernel neither reads nor changes; it writes one byte for one page.
        match unsafe { libc::mincore(at, page(), &raw mut resident) } {
            0 => Ok(resident & 1 != 0),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Releases the pages of a range: it holds again what is mapped there, or zeros.
    ///
    /// # Errors
    /// The system's.
    ///
    /// # Safety
    /// The range must not be accessed at the same time, and its previous contents are lost.
    pub(super) unsafe fn discard(&self, range: Range<usize>) -> io::Result<()> {
        if range.is_empty() {
            return Ok(());
        }
        // SAFETY: the range is inside this reservation; losing its contents is what the caller asks for.
        unsafe { madvise(self.at(&range), range.len(), Advice::LinuxDontNeed)? };
        Ok(())
    }

    /// Keeps the kernel from backing this reservation with huge pages: a first touch would clear 2 MiB. The space before it
    /// gets the same advice, so that the kernel can make one map of it and of the end of the reservation below.
    pub(super) fn small_pages(&self) {
        // SAFETY: advice about page sizes changes no contents. A kernel without huge pages returns an error, which
        // does no harm.
        let _ = unsafe { madvise(self.base.as_ptr().wrapping_sub(self.front).cast(), self.front + self.len, Advice::LinuxNoHugepage) };
    }

    /// Makes a range inaccessible and releases its pages: it is reserved space again, which is one map together with the
    /// reserved space beside it. Forbidding access would leave a map of its own.
    ///
    /// # Errors
    /// The system's. The range is then as it was.
    ///
    /// # Safety
    /// The range must not be accessed until it is allowed again, and its contents are lost.
    pub(super) unsafe fn withdraw(&self, range: Range<usize>) -> io::Result<()> {
        if range.is_empty() {
            return Ok(());
        }
        let (at, flags) = (self.at(&range), MapFlags::PRIVATE | MapFlags::FIXED | MapFlags::NORESERVE);
        // SAFETY: `at` checked that the range is inside this reservation, so MAP_FIXED replaces nothing else; losing its
        // contents is what the caller asks for. The advice is the one that `small_pages` gave to all of it.
        unsafe {
            mmap_anonymous(at, range.len(), ProtFlags::empty(), flags)?;
            let _ = madvise(at, range.len(), Advice::LinuxNoHugepage);
        }
        Ok(())
    }

    /// Returns the contents of a range.
    ///
    /// # Safety
    /// The range must be readable, and must not be written to while the reference lives.
    pub(super) unsafe fn bytes(&self, range: Range<usize>) -> &[u8] {
        let start = self.at(&range).cast::<u8>();
        // SAFETY: inside this reservation; readable and unchanged by the caller's promise.
        unsafe { std::slice::from_raw_parts(start, range.len()) }
    }

    /// Returns the contents of a range, for writing.
    ///
    /// # Safety
    /// The range must be writable, and must not be accessed otherwise while the reference lives.
    #[expect(clippy::mut_from_ref, reason = "exclusive access is the caller's promise: the reservation itself is shared")]
    pub(super) unsafe fn bytes_mut(&self, range: Range<usize>) -> &mut [u8] {
        let start = self.at(&range).cast::<u8>();
        // SAFETY: inside this reservation; writable and exclusive by the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(start, range.len()) }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: the reservation belongs to this value alone, and every user of its address keeps the value alive. A
        // failure leaks address space, nothing else.
        let _ = unsafe { munmap(self.base.as_ptr().wrapping_sub(self.front).cast(), self.front + self.len) };
    }
}

/// A file mapped for reading.
pub(super) struct FileView {
    region: Option<Region>,
    len: usize,
}

impl FileView {
    /// Maps the whole of `file`, which must not change or be truncated while the view lives.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn of(file: &File) -> io::Result<Self> {
        let len = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        if len == 0 {
            return Ok(Self { region: None, len });
        }
        let region = Region::reserve(len.next_multiple_of(page()))?;
        // SAFETY: the reservation was made just now, and its address is not shared.
        unsafe { region.map_file(0..region.len(), file.as_fd(), 0, false)? };
        Ok(Self { region: Some(region), len })
    }
}

impl AsRef<[u8]> for FileView {
    fn as_ref(&self) -> &[u8] {
        let Some(region) = &self.region else { return &[] };
        // SAFETY: all of it is mapped for reading, and the file does not change: see `of`.
        let bytes = unsafe { region.bytes(0..region.len()) };
        &bytes[..self.len]
    }
}

/// Stands for a count that is not available.
static UNKNOWN: AtomicU64 = AtomicU64::new(1);

/// Returns the page faults of this thread so far. Every page that becomes private was a fault of the thread that wrote to it, in
/// its code or in a system call.
pub(crate) fn thread_faults() -> u64 {
    let mut usage = MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the kernel fills the structure, or reports that it did not.
    let usage = match unsafe { libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr()) } {
        // SAFETY: it reports that it did.
        0 => unsafe { usage.assume_init() },
        // Not known to happen; a number that always differs makes every page be checked.
        _ => return UNKNOWN.fetch_add(1, Ordering::Relaxed),
    };
    (usage.ru_minflt as u64).wrapping_add(usage.ru_majflt as u64)
}

/// Returns whether the kernel may merge any of this process's pages with others' (KSM, for the process as a whole; Linux 6.4).
pub(super) fn merges_pages() -> bool {
    const PR_GET_MEMORY_MERGE: libc::c_int = 68;
    // SAFETY: this prctl only reads a flag of the process; a kernel that does not know it returns an error.
    unsafe { libc::prctl(PR_GET_MEMORY_MERGE, 0, 0, 0, 0) == 1 }
}

/// Finds written pages: `/proc/self/pagemap` and its ioctl PAGEMAP_SCAN (Linux 6.7 and newer;
/// `Documentation/admin-guide/mm/pagemap.rst` of the kernel).
#[derive(Debug)]
pub(super) struct Pagemap(File);

/// Maximum ranges the kernel reports in one call.
const BATCH: usize = 512;

const IS_FILE: u64 = 1 << 2;
const IS_PRESENT: u64 = 1 << 3;
const IS_SWAPPED: u64 = 1 << 4;
const IS_ZERO: u64 = 1 << 5;

/// `struct page_region`.
#[repr(C)]
#[derive(Clone, Copy)]
struct PageRegion {
    start: u64,
    end: u64,
    categories: u64,
}

/// `struct pm_scan_arg`.
#[repr(C)]
#[derive(Default)]
struct ScanArgument {
    size: u64,
    flags: u64,
    start: u64,
    end: u64,
    walk_end: u64,
    vec: u64,
    vec_len: u64,
    max_pages: u64,
    category_inverted: u64,
    category_mask: u64,
    category_anyof_mask: u64,
    return_mask: u64,
}

/// One PAGEMAP_SCAN over an argument and the vector that it names.
struct Scan<'a>(&'a mut ScanArgument);

// SAFETY: the opcode is that of PAGEMAP_SCAN, whose argument is a `pm_scan_arg`; the kernel writes to it (`IS_MUTATING`) and
// to the vector it names, which the one caller below keeps alive and unborrowed. The result is a count.
unsafe impl Ioctl for Scan<'_> {
    type Output = usize;

    const IS_MUTATING: bool = true;

    fn opcode(&self) -> Opcode {
        opcode::read_write::<ScanArgument>(b'f', 16)
    }

    fn as_ptr(&mut self) -> *mut std::ffi::c_void {
        std::ptr::from_mut(self.0).cast()
    }

    unsafe fn output_from_ptr(output: IoctlOutput, _: *mut std::ffi::c_void) -> rustix::io::Result<usize> {
        usize::try_from(output).map_err(|_| rustix::io::Errno::INVAL)
    }
}

impl Pagemap {
    /// Opens that of this process.
    ///
    /// # Errors
    /// When `/proc` does not exist or must not be read.
    pub(super) fn open() -> io::Result<Self> {
        File::open("/proc/self/pagemap").map(Self)
    }

    /// Collects the parts of `range` that were written since they were mapped or discarded: private pages of this process, in
    /// memory or swapped out. Calls the function with each, in ascending order.
    ///
    /// # Errors
    /// When the kernel has no PAGEMAP_SCAN.
    pub(super) fn written(&self, region: &Region, range: Range<usize>, mut found: impl FnMut(Range<usize>)) -> io::Result<()> {
        let base = region.base() as usize;
        let end = region.at(&range) as usize + range.len();
        let mut start = region.at(&range) as usize;
        while start < end {
            // Not cleared: that alone took as long as the kernel's walk.
            let mut regions = [const { MaybeUninit::<PageRegion>::uninit() }; BATCH];
            let mut argument = ScanArgument {
                size: size_of::<ScanArgument>() as u64,
                start: start as u64,
                end: end as u64,
                vec: regions.as_mut_ptr() as u64,
                vec_len: BATCH as u64,
                // Neither a page of the file nor the shared page of zeros, but present in memory or swap. A written
                // page is never the page of zeros unless pages are merged: KSM with `use_zero_pages` does that, but
                // only in memory that its process marks for it (`Space::prove` refuses to start if the whole process
                // is marked).
                category_inverted: IS_FILE | IS_ZERO,
                category_mask: IS_FILE | IS_ZERO,
                category_anyof_mask: IS_PRESENT | IS_SWAPPED,
                ..ScanArgument::default()
            };
            // SAFETY: the argument names `regions`, which outlives the call and has room for the count given.
            let count = unsafe { rustix::ioctl::ioctl(self.0.as_fd(), Scan(&mut argument))? };
            for region in &regions[..count.min(BATCH)] {
                // SAFETY: the kernel wrote as many as it reports.
                let region = unsafe { region.assume_init_ref() };
                found(region.start as usize - base..region.end as usize - base);
            }
            let walked = argument.walk_end as usize;
            if walked <= start {
                return Err(io::Error::other("PAGEMAP_SCAN makes no progress"));
            }
            start = walked;
        }
        Ok(())
    }
}
