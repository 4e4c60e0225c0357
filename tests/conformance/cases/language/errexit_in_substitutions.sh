exec 2>&1
set -e; f() { false; echo no; }; if f; then echo y; fi; f || echo z; (false; echo q) || echo w; echo $(false; echo in); x=$(false) || echo caught; ! false; echo alive; false | true; echo pipe; local_() { local v=$(false); echo localok; }; local_; true && false; echo unreached?
