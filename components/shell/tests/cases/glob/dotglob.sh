touch .a b; shopt -s dotglob; echo *; shopt -u dotglob; echo *
