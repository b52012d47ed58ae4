"""terminal.py COMMAND...: runs COMMAND with standard error on a pseudo terminal, prints what
it wrote there, and exits as it does."""

import os
import pty
import subprocess
import sys

ours, theirs = pty.openpty()
process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs)
os.close(theirs)
written = b""
while True:
    try:
        part = os.read(ours, 4096)
    except OSError:  # The other end is closed.
        break
    if not part:
        break
    written += part
sys.stdout.write(written.decode().replace("\r", "\n"))
sys.exit(process.wait())
