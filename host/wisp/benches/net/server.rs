//! The server of the benchmark: a separate thread that answers as fast as it can.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use crate::{DOWNLOAD, Result};

/// Starts it; returns its port.
pub(crate) fn start() -> Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    thread::spawn(move || {
        let piece = vec![b'x'; 256 << 10];
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            // A request that is cut off is the client's concern.
            let _ = stream.set_nodelay(true).and_then(|()| answer(&mut stream, &piece));
        }
    });
    Ok(port)
}

fn answer(stream: &mut std::net::TcpStream, piece: &[u8]) -> std::io::Result<()> {
    let mut head = Vec::new();
    let mut buffer = [0; 4096];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            return Ok(());
        }
        head.extend_from_slice(&buffer[..count]);
    }
    let length = if head.starts_with(b"GET /large") { DOWNLOAD } else { 2 };
    stream.write_all(format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n").as_bytes())?;
    let mut left = length;
    while left > 0 {
        let count = left.min(piece.len());
        stream.write_all(&piece[..count])?;
        left -= count;
    }
    Ok(())
}
