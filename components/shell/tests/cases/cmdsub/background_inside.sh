x=$(sh -c 'echo bg' & wait; echo fg); echo $x
