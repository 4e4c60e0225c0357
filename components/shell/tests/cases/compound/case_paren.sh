case x in (x) echo yes;; esac; case x in
  (y) echo no ;;
  (x|z)
    echo z
esac; case z in y) ;; esac; echo $?
