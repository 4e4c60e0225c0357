true && echo a; false && echo b; false || echo c; true || echo d; true && false || echo e; false || true && echo f
