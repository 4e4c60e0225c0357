# builds app.wasm
set -e
cd /work/spike-threads/py/ext; R=$WISP_GUEST_RUSTC
CARGO_TARGET_DIR=/work/spike-threads/py/target RUSTC=$R cargo rustc --release --quiet --target wasm32-wasip2 --lib --crate-type staticlib -- -C relocation-model=pic 2>&1 | grep -E "^error" -A8 | head -20 || true
L=$($R --print sysroot)/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld; cd ..
mkdir -p pkg; $WISP_TOOLCHAIN_PYTHON assemble.py
$L -flavor wasm -shared --experimental-pic --no-entry --allow-undefined --gc-sections --strip-all --export=PyInit__spike target/wasm32-wasip2/release/libext.a -o pkg/_spike.cpython-314-wasm32-wasi.so
cp app.py threads.py programs.py pkg/; $(dirname $WISP_TOOLCHAIN_PYTHON)/componentize-py -d wit -w app componentize -p pkg app -o app.wasm 2>&1 | head -25|cut -c1-200; rm -f app.wasm.cwasm
