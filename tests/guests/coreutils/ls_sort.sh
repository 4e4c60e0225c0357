cd "$(mktemp -d)" || exit 1
printf 1 > a; printf 333 > b; printf 22 > c; touch -d 2001-01-01 a; touch -d 2003-01-01 b; touch -d 2002-01-01 c; ls -S; echo --; ls -t; echo --; ls -tr; echo --; ls -rS; echo --; ls -U | sort; touch f10 f9 f1; ls -v f*; touch x.b y.a; ls -X x.b y.a
