f(){ echo "$#:$*"; }; f "$(echo)" ; f $(echo); f ""; f "" ""; e=; f $e"$e"; f "${e:-}" ${e:+x}
