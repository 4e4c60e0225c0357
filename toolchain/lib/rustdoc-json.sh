#!/bin/sh
# rustdoc with its unstable options, for toolchain/public-api.
RUSTC_BOOTSTRAP=1 exec rustdoc "$@"
