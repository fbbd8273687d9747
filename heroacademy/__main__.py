import sys

from heroacademy.cli import main

sys.exit(main())
