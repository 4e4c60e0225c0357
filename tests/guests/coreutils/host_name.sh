# One name for the machine, whoever is asked, whatever the environment says.
hostname; uname -n; echo "$HOSTNAME"; cat /etc/hostname /proc/sys/kernel/hostname
HOSTNAME=other hostname
HOSTNAME=other uname -n
