printf '#!/bin/sh\necho shebang $1\nexit 4\n' > s; chmod +x s; ./s arg; echo $?; printf 'echo noshebang $1\n' > t; chmod +x t; ./t x
