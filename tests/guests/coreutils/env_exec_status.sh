cd "$(mktemp -d)" || exit 1
touch noexec; env ./noexec; echo $?; mkdir d; env ./d; echo $?; printf '#!/bin/sh\necho script $1\n' > s; chmod +x s; env ./s x; printf 'echo plain\n' > p; chmod +x p; env ./p
