cd "$(mktemp -d)" || exit 1
echo x > f; zstd -q f; zstd -q f < /dev/null 2>/dev/null; echo $?; zstd -d nofile.zst 2>&1; echo $?; echo junk > j.zst; zstd -dc j.zst 2>&1; echo $?; mkdir d; zstd d 2>&1; echo $?
