trap 'echo x' EXIT; trap 'y' INT; trap -p; trap - EXIT INT; trap -p; echo none
