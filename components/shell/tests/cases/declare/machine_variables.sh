# OSTYPE, HOSTTYPE, MACHTYPE and HOSTNAME can be assigned, and are taken from the environment.
OSTYPE=darwin20; case $OSTYPE in darwin*) echo mac;; esac
OSTYPE=x HOSTTYPE=y MACHTYPE=z HOSTNAME=h bash -c 'echo $OSTYPE $HOSTTYPE $MACHTYPE $HOSTNAME'
export OSTYPE; bash -c 'echo $OSTYPE; declare -p OSTYPE'
unset HOSTNAME OSTYPE; echo "[$HOSTNAME$OSTYPE]"
env -u OSTYPE bash -c 'echo $OSTYPE; declare -p OSTYPE'
