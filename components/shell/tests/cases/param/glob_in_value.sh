touch a.x b.x; x='*.x'; echo $x "$x"; y="[ab].x"; echo $y
