unset x; y=; z=1; echo "[${x+a}][${x:+b}][${y+c}][${y:+d}][${z+e}][${z:+f}]"
