cd "$(mktemp -d)" || exit 1
mkdir -p d/e; head -c 5000 /dev/zero > d/f; head -c 100 /dev/zero > d/e/g; du -b d/f; du -ab d/f d/e/g; du --apparent-size -B1 d/f; du -s nope; echo $?; du -ba d | grep -v 'd$\|e$' | sort -k2; du -d 0 d | cut -f2; du -h d/f | cut -f2; du -bc d/f d/e/g | tail -1
