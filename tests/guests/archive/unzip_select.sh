cd "$(mktemp -d)" || exit 1
mkdir d; for n in a b c; do echo $n > d/$n.txt; done; echo m > d/m.md; zip -rq a.zip d; unzip -Z1 a.zip | sort; unzip -q a.zip 'd/*.txt' -x '*/b*' -d o; find o -type f | sort; unzip -p a.zip '*.md'; unzip a.zip nofile 2>&1; echo $?; unzip -t a.zip d/a.txt
