{ sleep 0; echo late; } > f & wait; cat f
