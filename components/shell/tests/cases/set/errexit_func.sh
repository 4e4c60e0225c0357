set -e; f() { false; echo in; }; f || echo caught; if f; then echo t; fi; (f; echo no) || echo sub; x=$(false) || echo cs; echo end
