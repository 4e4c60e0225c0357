shopt -s nocasematch; [[ ABC == abc ]] && echo eq; case FOO in foo) echo case;; esac; [[ Hello =~ ^hello$ ]] && echo re
