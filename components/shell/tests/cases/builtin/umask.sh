umask 022; umask; umask -S; umask 077; > f; ls -l f | cut -c1-10; umask u=rwx,g=rx,o=; umask
