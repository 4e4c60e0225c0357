{ echo a; echo b >&2; } &> f; cat f; { echo c; echo d >&2; } &>> f; cat f; { echo e; echo g >&2; } >& f; cat f
