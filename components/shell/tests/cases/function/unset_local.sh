x=global; f() { local x=1; unset x; echo "[${x-unset}]"; }; f; echo $x; g() { local x=2; h; echo $x; }; h() { unset x; echo $x; }; g
