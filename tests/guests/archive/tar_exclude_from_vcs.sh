cd "$(mktemp -d)" || exit 1
mkdir -p p/.git q; echo > p/.git/x; echo > p/f; echo > p/f~; printf '*~\nq\n' > ex; tar cf x.tar --exclude-vcs p; tar tf x.tar | sort; tar cf y.tar -X ex p q; tar tf y.tar | sort; tar cf z.tar --exclude-backups p; tar tf z.tar | sort
