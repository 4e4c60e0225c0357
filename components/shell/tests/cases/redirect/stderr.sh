{ echo out; echo err >&2; } 2> e > o; cat o; cat e; { echo o2; echo e2 >&2; } > both 2>&1; cat both
