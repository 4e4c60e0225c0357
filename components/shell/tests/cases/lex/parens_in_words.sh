echo "a(b)c" 'p(q)' \(x\); f(){ echo f;};f
