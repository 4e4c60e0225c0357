# A tokenizer and a calculator with precedence, as shell functions with state.
declare -a tokens out ops
declare -i at

tokenize() {
    local text=$1 c num=
    tokens=()
    while [[ -n $text ]]; do
        c=${text:0:1}
        case $c in
            [[:space:]]) text=${text:1} ;;
            [0-9])
                num=${text%%[!0-9]*}
                tokens+=("$num")
                text=${text#"$num"} ;;
            [-+*/%^\(\)]) tokens+=("$c"); text=${text:1} ;;
            *) echo "bad character '$c'"; return 1 ;;
        esac
    done
}
prec() {
    case $1 in
        ^) echo 3 ;;
        [*/%]) echo 2 ;;
        [-+]) echo 1 ;;
        *) echo 0 ;;
    esac
}
rpn() {
    local t top
    out=() ops=()
    for t in "${tokens[@]}"; do
        case $t in
            [0-9]*) out+=("$t") ;;
            \() ops+=("$t") ;;
            \))
                while ((${#ops[@]})) && [[ ${ops[-1]} != \( ]]; do
                    out+=("${ops[-1]}")
                    unset 'ops[-1]'
                done
                ((${#ops[@]})) || { echo "unbalanced"; return 1; }
                unset 'ops[-1]' ;;
            *)
                while ((${#ops[@]})); do
                    top=${ops[-1]}
                    if (($(prec "$top") > $(prec "$t"))) || { (($(prec "$top") == $(prec "$t"))) && [[ $t != ^ ]]; }; then
                        out+=("$top")
                        unset 'ops[-1]'
                    else
                        break
                    fi
                done
                ops+=("$t") ;;
        esac
    done
    while ((${#ops[@]})); do
        [[ ${ops[-1]} == \( ]] && { echo "unbalanced"; return 1; }
        out+=("${ops[-1]}")
        unset 'ops[-1]'
    done
}
evaluate() {
    local -a stack=()
    local t a b
    for t in "${out[@]}"; do
        if [[ $t == [0-9]* ]]; then
            stack+=("$t")
            continue
        fi
        ((${#stack[@]} < 2)) && { echo "missing operand"; return 1; }
        b=${stack[-1]} a=${stack[-2]}
        unset 'stack[-1]' 'stack[-1]'
        case $t in
            +) stack+=($((a + b))) ;;
            -) stack+=($((a - b))) ;;
            '*') stack+=($((a * b))) ;;
            /) ((b)) || { echo "division by zero"; return 1; }; stack+=($((a / b))) ;;
            %) stack+=($((a % b))) ;;
            ^) stack+=($((a ** b))) ;;
        esac
    done
    echo "${stack[0]}"
}
calc() {
    tokenize "$1" && rpn && echo "${out[*]}" && evaluate
    echo "status $?"
}
calc '1 + 2 * 3'
calc '(1 + 2) * 3'
calc '2 ^ 3 ^ 2 - 100 / 7 % 5'
calc '8/(4-4)'
calc '(1'
calc '1 +'
calc '3 & 4'
for expr in '10-4-3' '2*(3+(4-1))'; do
    tokenize "$expr" && rpn && [[ $(evaluate) == $(($expr)) ]] && echo "$expr agrees"
done
