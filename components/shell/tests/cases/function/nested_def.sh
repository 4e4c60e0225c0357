f() { g() { echo inner; }; }; f; g
