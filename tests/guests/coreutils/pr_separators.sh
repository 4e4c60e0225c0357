cd "$(mktemp -d)" || exit 1
seq 6 > f; for o in -s -s, -sab -S -S: '-S | ' '-J' '-J -S:' '-s, -w 20' '-s -w 20' '-s, -S:' '-s, -W 20'; do echo "[$o]"; pr -t -3 ${o%% | } f; done; pr -t -3 '-S | ' f; pr -t -a -4 -s, f
