//! Wheels of Python packages, made in memory.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// The wheel `file` (`NAME-VERSION-…`) with one module: it prints `says`, or else its name and version. `requires` names what it
/// depends on.
pub fn wheel(file: &str, says: &str, requires: &[&str]) -> Vec<u8> {
    let (name, version) = named(file);
    let says = if says.is_empty() { format!("{name} {version}") } else { says.to_owned() };
    made(file, format!("print('{says}')\n"), requires, Vec::new())
}

/// The wheel `file` with a module whose `main` is the program `command`: it prints its arguments.
pub fn wheel_with_command(file: &str, command: &str) -> Vec<u8> {
    let (name, version) = named(file);
    let module = format!("import sys\n\n\ndef main():\n    print('{name} {version}', *sys.argv[1:])\n");
    let points = format!("[console_scripts]\n{command} = {name}:main\n");
    made(file, module, &[], vec![(format!("{name}-{version}.dist-info/entry_points.txt"), points)])
}

/// The name and the version in a wheel's name.
fn named(file: &str) -> (&str, &str) {
    let mut parts = file.split('-');
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}

fn made(file: &str, module: String, requires: &[&str], more: Vec<(String, String)>) -> Vec<u8> {
    let (name, version) = named(file);
    let info = format!("{name}-{version}.dist-info");
    let requires: String = requires.iter().map(|name| format!("Requires-Dist: {name}\n")).collect();
    let mut files = vec![
        (format!("{name}.py"), module),
        (format!("{info}/METADATA"), format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{requires}")),
        (format!("{info}/WHEEL"), "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n".into()),
    ];
    files.extend(more);
    let line = |(path, text): &(String, String)| {
        format!("{path},sha256={},{}\n", URL_SAFE_NO_PAD.encode(Sha256::digest(text.as_bytes())), text.len())
    };
    let record: String = files.iter().map(line).collect();
    files.push((format!("{info}/RECORD"), format!("{record}{info}/RECORD,,\n")));
    zip(&files)
}

/// A zip archive (APPNOTE 6.3) of files that are stored as they are.
fn zip(files: &[(String, String)]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (path, text) in files {
        let mut crc = flate2::Crc::new();
        crc.update(text.as_bytes());
        let size = u32::try_from(text.len()).expect("a small file").to_le_bytes();
        let length = u16::try_from(path.len()).expect("a short path").to_le_bytes();
        // version 2.0, no flags, stored, 1 January 1980
        let common = [&[20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0][..], &crc.sum().to_le_bytes(), &size, &size, &length, &[0, 0]].concat();
        let offset = u32::try_from(archive.len()).expect("a small archive").to_le_bytes();
        archive.extend([b"PK\x03\x04", &common[..], path.as_bytes(), text.as_bytes()].concat());
        directory.extend([b"PK\x01\x02", &[20, 0][..], &common, &[0; 10], &offset, path.as_bytes()].concat());
    }
    let count = u16::try_from(files.len()).expect("few files").to_le_bytes();
    let number = |length: usize| u32::try_from(length).expect("a small archive").to_le_bytes();
    let end = [b"PK\x05\x06", &[0; 4][..], &count, &count, &number(directory.len()), &number(archive.len()), &[0, 0]].concat();
    [archive, directory, end].concat()
}
