{ echo o; echo e >&2; } |& sort
