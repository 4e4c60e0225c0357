python3 -V
python3 --version
python3 -VV | cut -d' ' -f1
python3 -h | head -1
python3 --help | grep -c WebAssembly
