function a { echo a; }
function b() ( echo b; )
c() { echo c; } > /dev/null
d ()
{
  echo d
}
e() if true; then echo e; fi
a; b; c; d; e
