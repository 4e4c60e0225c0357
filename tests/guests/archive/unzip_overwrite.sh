cd "$(mktemp -d)" || exit 1
echo new > f; zip -q a.zip f; echo old > f; unzip -n a.zip; cat f; unzip -o a.zip; cat f; echo old > f; unzip a.zip < /dev/null 2>/dev/null; echo $?; cat f; echo y | unzip a.zip 2>/dev/null; cat f
