"""Prints number, quality and the hashes of eight views of the pictures of a folder."""

import os
import sys

import numpy
import pdqhash
from PIL import Image

folder = sys.argv[1]
for name in sorted(os.listdir(folder)):
    pixels = numpy.asarray(Image.open(os.path.join(folder, name)).convert("RGB"))
    views, quality = pdqhash.compute_dihedral(pixels)
    alone, same = pdqhash.compute(pixels)
    assert quality == same
    if min(pixels.shape[:2]) != 64 or pixels.shape[0] != pixels.shape[1]:
        assert (alone == views[0]).all(), name
    views[0] = alone
    # Bit i of a hash is the vector's element 255 - i.
    hashes = ["%064x" % int("".join(str(int(b)) for b in view), 2) for view in views]
    print(name.removesuffix(".ppm"), quality, *hashes, sep="\t")
