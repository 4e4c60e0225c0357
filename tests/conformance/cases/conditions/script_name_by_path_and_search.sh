exec 2>&1
cd /tmp/w; printf '#!/bin/bash\necho $0\n' > t; chmod +x t; ./t; mkdir d; mv t d; d/t; cd d; PATH=.:$PATH; t; /tmp/w/d/t; env ./t; ../d/t
