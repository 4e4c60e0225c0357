cd "$(mktemp -d)" || exit 1
export TERM=xterm; mkdir d; touch f x; chmod +x x; ln -s f l; ls --color=always | cat -v; TERM=dumb ls --color=always; ls --color=never; ls --color=auto
