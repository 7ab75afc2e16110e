"""What both trainings of an encoder share, in engines/text/encoder/train: that folder is no
package, and is found from here so that programs can be started from anywhere."""
import os
import sys

# Behind the program's own folder, which comes first.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../encoder/train"))

import batches
import checkpoint
import encoder
import figures
import optimise

__all__ = ["batches", "checkpoint", "encoder", "figures", "optimise"]
