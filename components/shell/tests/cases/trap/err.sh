trap 'echo "err $?"' ERR; false; true; (exit 4); if false; then :; fi; false || true; echo end
