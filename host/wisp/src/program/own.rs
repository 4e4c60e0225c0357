//! The file that this code was loaded from.

#![expect(clippy::disallowed_methods, reason = "what the kernel says about this process")]

use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// Returns the file with this library's code: the running program, or a shared library that it has loaded, such as a module of Python's.
/// `None` if the system does not say, or the file has been replaced or removed since.
pub fn code_file() -> Option<PathBuf> {
    let maps = fs::read("/proc/self/maps").ok()?;
    let path = file_at(&maps, code_file as *const () as usize)?;
    path.exists().then_some(path)
}

/// Returns the file that is mapped at this address: `proc(5)`, `/proc/pid/maps`. A newline in its name is `\012` there.
fn file_at(maps: &[u8], address: usize) -> Option<PathBuf> {
    maps.split(|byte| *byte == b'\n').find_map(|line| {
        // BEGIN-END PERMISSIONS OFFSET DEVICE INODE, each with one space after it, then more spaces and the path.
        let text = str::from_utf8(line.get(..line.iter().position(|byte| *byte == b' ')?)?).ok()?;
        let (begin, end) = text.split_once('-')?;
        let range = usize::from_str_radix(begin, 16).ok()?..usize::from_str_radix(end, 16).ok()?;
        let path = line.get(line.iter().position(|byte| *byte == b'/')?..)?;
        range.contains(&address).then(|| PathBuf::from(std::ffi::OsString::from_vec(path.to_vec())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_finds_itself() {
        assert_eq!(code_file(), std::env::current_exe().ok());
    }

    #[test]
    fn a_file_is_found_by_an_address_in_it() {
        let maps = b"1000-2000 r-xp 00000000 fe:00 12  /bin/one\n2000-3000 rw-p 00000000 00:00 0 \n\
                     3000-4000 r-xp 00001000 fe:00 13                         /a b/c (x).so\n5000-6000 r-xp 00000000 00:00 0   [vdso]\n";
        let found = |address| file_at(maps, address).map(|path| path.display().to_string());
        assert_eq!(found(0x1000).as_deref(), Some("/bin/one"));
        assert_eq!(found(0x3fff).as_deref(), Some("/a b/c (x).so"));
        for address in [0xfff, 0x2000, 0x4000, 0x5000] {
            assert_eq!(found(address), None, "{address:x}");
        }
    }
}
