cd "$(mktemp -d)" || exit 1
umask 022; touch f; chmod 640 f; mkdir d; chmod 1777 d; ln -s f l; ls -l | grep -v total | cut -c1-10 | sort; ls -ld d | cut -c1-10; chmod u+s f; ls -l f | cut -c1-10
