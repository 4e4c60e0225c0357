# A process without a terminal finds the device, and nothing behind it: ENXIO.
ls -l /dev/tty | cut -c1-10
: </dev/tty
echo x >/dev/tty
cat /dev/tty
test -c /dev/tty && echo device
python3 -c '
import errno, os
for how in (os.O_RDONLY, os.O_WRONLY, os.O_RDWR):
    try: os.open("/dev/tty", how)
    except OSError as e: print(e.errno == errno.ENXIO, e)
try: open("/dev/tty")
except OSError as e: print(type(e).__name__, e.strerror)
'
