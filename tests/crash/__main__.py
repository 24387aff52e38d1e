"""`python -m tests.crash`: a long crash run; exits with 1 if anything was lost."""

import sys

from tests.crash.long_run import main

if __name__ == "__main__":
    sys.exit(main())
