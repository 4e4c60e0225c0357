# Every program reports the same name for the machine, whatever the environment says.
hostname; uname -n; echo "$HOSTNAME"; cat /etc/hostname /proc/sys/kernel/hostname
HOSTNAME=other hostname
HOSTNAME=other uname -n
