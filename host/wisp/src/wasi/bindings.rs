//! Generated bindings of every interface the host can provide. `wasi:io` is wasmtime's own implementation of the
//! traits; all other interfaces are implemented in the files beside this one.
#![allow(missing_docs, clippy::all, clippy::pedantic)]

wasmtime::component::bindgen!({
    path: "wit",
    inline: "
        package wisp:host;
        world command {
            import wasi:cli/environment@0.2.12;
            import wasi:cli/exit@0.2.12;
            import wasi:cli/stdin@0.2.12;
            import wasi:cli/stdout@0.2.12;
            import wasi:cli/stderr@0.2.12;
            import wasi:cli/terminal-input@0.2.12;
            import wasi:cli/terminal-output@0.2.12;
            import wasi:cli/terminal-stdin@0.2.12;
            import wasi:cli/terminal-stdout@0.2.12;
            import wasi:cli/terminal-stderr@0.2.12;
            import wasi:clocks/wall-clock@0.2.12;
            import wasi:clocks/monotonic-clock@0.2.12;
            import wasi:filesystem/types@0.2.12;
            import wasi:filesystem/preopens@0.2.12;
            import wasi:random/random@0.2.12;
            import wasi:random/insecure@0.2.12;
            import wasi:random/insecure-seed@0.2.12;
            import wisp:sandbox/files@0.1.0;
            import wisp:sandbox/process@0.1.0;
            import wisp:sandbox/terminal@0.1.0;
            import wisp:sandbox/loopback@0.1.0;
            import wisp:sandbox/artifacts@0.1.0;
            import wisp:sandbox/session@0.1.0;
            import wisp:sandbox/network@0.1.0;
            import wisp:sandbox/frontend@0.1.0;
            import wisp:sandbox/host@0.1.0;
            import wasi:http/types@0.2.12;
            import wasi:http/outgoing-handler@0.2.12;
            export wasi:cli/run@0.2.12;
        }
    ",
    world: "wisp:host/command",
    with: {
        "wasi:io": wasmtime_wasi_io::bindings::wasi::io,
        "wasi:cli/terminal-input.terminal-input": super::cli::Terminal,
        "wasi:cli/terminal-output.terminal-output": super::cli::Terminal,
        "wasi:filesystem/types.descriptor": super::filesystem::Descriptor,
        "wasi:filesystem/types.directory-entry-stream": super::filesystem::DirectoryEntries,
        "wasi:http/types.fields": super::http::Fields,
        "wasi:http/types.incoming-request": super::http::Nothing,
        "wasi:http/types.outgoing-request": super::http::OutgoingRequest,
        "wasi:http/types.request-options": super::http::RequestOptions,
        "wasi:http/types.response-outparam": super::http::Nothing,
        "wasi:http/types.incoming-response": super::http::IncomingResponse,
        "wasi:http/types.incoming-body": super::http::IncomingBody,
        "wasi:http/types.future-trailers": super::http::FutureTrailers,
        "wasi:http/types.outgoing-response": super::http::OutgoingResponse,
        "wasi:http/types.outgoing-body": super::http::OutgoingBody,
        "wasi:http/types.future-incoming-response": super::http::FutureResponse,
        "wisp:sandbox/files.open-file": super::files::OpenFileHandle,
        "wisp:sandbox/process.child": super::process::Child,
        "wisp:sandbox/host.running-call": super::host::RunningCall,
    },
    trappable_error_type: {
        "wasi:filesystem/types.error-code" => super::filesystem::FsFailure,
    },
    imports: {
        "wasi:filesystem/types": async | trappable,
        "wisp:sandbox/files": async | trappable,
        "wisp:sandbox/terminal": async | trappable,
        "wisp:sandbox/loopback.bind": async | trappable,
        "wisp:sandbox/loopback.connect": async | trappable,
        "wisp:sandbox/process.spawn": async | trappable,
        "wisp:sandbox/process.spawn-with": async | trappable,
        "wisp:sandbox/process.exec": async | trappable,
        "wisp:sandbox/process.kill": async | trappable,
        "wisp:sandbox/process.kill-group": async | trappable,
        "wisp:sandbox/process.write-to": async | trappable,
        "wisp:sandbox/process.read-from": async | trappable,
        "wisp:sandbox/process.[method]child.wait": async | trappable,
        "wisp:sandbox/frontend.ask": async | trappable,
        "wisp:sandbox/host.call": async | trappable,
        default: trappable,
    },
    exports: { default: async },
});

/// The export of an interpreter that stays alive.
pub mod interpreter {
    wasmtime::component::bindgen!({
        path: "wit",
        inline: "
            package wisp:host;
            world interpreter {
                export wisp:sandbox/evaluation@0.1.0;
            }
        ",
        world: "wisp:host/interpreter",
        with: {
            "wasi:io": wasmtime_wasi_io::bindings::wasi::io,
            "wasi:clocks": super::wasi::clocks,
            "wasi:filesystem": super::wasi::filesystem,
        },
        exports: { default: async },
    });
}
