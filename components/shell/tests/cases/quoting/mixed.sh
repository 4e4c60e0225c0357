x='a b'; echo pre"$x"post'$x'\$x
