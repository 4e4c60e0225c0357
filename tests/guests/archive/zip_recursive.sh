cd "$(mktemp -d)" || exit 1
mkdir -p d/e; echo 1 > d/a; echo 2 > d/e/b; touch -d @1700000000 d/a; zip -r a.zip d | sort; unzip -Z1 a.zip | sort; zip -rq b.zip d -x 'd/e/*'; unzip -Z1 b.zip | sort; zip -rDq c.zip d; unzip -Z1 c.zip | sort; zip -jrq j.zip d; unzip -Z1 j.zip | sort; zip -rq i.zip d -i '*a'; unzip -Z1 i.zip
