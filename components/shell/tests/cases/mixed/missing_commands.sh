if ! command -v foo123 >/dev/null 2>&1; then echo missing; fi; which cat >/dev/null && echo found; foo123 2>/dev/null || echo rc=$?
