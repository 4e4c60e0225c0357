"""What the scripts of toolchain/ share, one module a subject. Python finds it because it lies beside them; standard library only."""
