f() { false; }; trap 'echo err' ERR; f; set -E; f; echo x
