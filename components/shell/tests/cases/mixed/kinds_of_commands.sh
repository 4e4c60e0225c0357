timeout 1 sleep 0; echo $?; command -v nosuch || echo none; type -t for; hash cat; echo $?
