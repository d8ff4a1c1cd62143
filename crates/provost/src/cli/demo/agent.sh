#!/bin/sh
# An agent for the demo: the prompt comes on standard input, what it says goes to standard output.
cat > /dev/null
sleep @PACE@
task="$PROVOST_TASK"
case "$PROVOST_ROLE" in
  developer)
    mkdir -p src
    if [ "$task" = parser ] && [ "$PROVOST_ATTEMPT" = 1 ]; then
      # It says that it is done. It is not, and the check will show it.
      echo "module parser: half" > src/parser.txt
    elif [ "$task" = docs ] && [ "$PROVOST_ATTEMPT" = 1 ]; then
      echo "module docs: done" > src/docs.txt
    else
      printf 'module %s: done\nwith care\n' "$task" > "src/$task.txt"
    fi
    printf 'READY_FOR_REVIEW: %s\nSummary: all tests pass\n' "$task" ;;
  critic)
    if [ "$task" = docs ] && ! grep -q 'with care' src/docs.txt; then
      printf 'REVIEW_FAILED: docs\nIssues Found:\n- src/docs.txt:1: nobody will understand this\nRequired Fixes:\n- write it with care\n'
    else
      printf 'REVIEW_PASSED: %s\nSummary: clear and small\n' "$task"
    fi ;;
  auditor)
    printf 'AUDIT_PASSED: %s\nSummary: it does what was asked\n' "$task" ;;
esac
