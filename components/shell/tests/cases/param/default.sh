unset x; y=; echo ${x-a} ${x:-b} [${y-c}] ${y:-d}; z=v; echo ${z-a} ${z:-b}
