x=häßlich; echo ${x:1:3} ${x: -2}
