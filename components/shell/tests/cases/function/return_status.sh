f() { false; }; f; echo $?; g() { return; }; false; g; echo $?; h() { (exit 4); return; }; h; echo $?
