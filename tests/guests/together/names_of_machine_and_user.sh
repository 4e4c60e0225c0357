# Every program says the same about the machine and the user, and so do the files that others read.
uname -snrvm
python3 -c 'import os, platform; print(*os.uname()); print(platform.system(), platform.release(), platform.machine(), platform.node())'
cat /proc/sys/kernel/ostype /proc/sys/kernel/osrelease; cut -d' ' -f1-3 /proc/version
hostname; cat /etc/hostname; python3 -c 'import socket; print(socket.gethostname())'
id; id -un; whoami; logname; echo "$USER $LOGNAME"; python3 -c '
import getpass, grp, os, pwd
me = pwd.getpwuid(os.getuid())
print(getpass.getuser(), me.pw_name, me.pw_dir, me.pw_shell, grp.getgrgid(os.getgid()).gr_name, os.getgroups())'
getent passwd user; echo ~user
. /etc/os-release; echo "$ID|$NAME"; python3 -c 'import platform; print(platform.freedesktop_os_release()["ID"])'
python --version; python3 --version; readlink /usr/bin/python
