cd "$(mktemp -d)" || exit 1
mkdir bin; printf '#!/bin/sh\n' > bin/tool; chmod +x bin/tool; touch bin/noexec; PATH=$PWD/bin:$PATH; which tool | grep -o 'bin/tool$'; which noexec; echo $?; which nope; echo $?; which tool nope >/dev/null; echo $?
