exec 2>&1
echo 'echo hi $0 $1' > s; . ./s a; bash s b; sh s c; printf '#!/bin/bash\necho shebang $0\n' > t; chmod +x t; ./t; PATH=.:$PATH t; printf '#!/nonexist\n' > u; chmod +x u; ./u; echo $?
