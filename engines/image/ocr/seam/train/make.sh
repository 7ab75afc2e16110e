#!/bin/bash
# make.sh DATA FONTS WORK: teaches the network of seams and puts seam.bin beside network.go.
#
# DATA has the shared text (permissive*.jsonl.gz), FONTS is a list of files of fonts with Hangul (CARD.md says which),
# WORK takes some 200 MB. PYTHON has ../../thai/train/requirements.txt; the fetched models lie in PORTCULLIS_MODELS.
# Each step is seeded. Without much else to do, two cores take a quarter of an hour.
set -euo pipefail
data=$(realpath "$1") fonts=$(realpath "$2") work=$(realpath "$3")
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}

"$python" "$here/texts.py" "$data" "$here/../../../../../internal/pictures/phrase.go" "$work"
for part in 1 2 3 4 6; do
	texts=taught
	if [ $part = 6 ]; then texts=held; fi
	(cd "$here/../.." && PORTCULLIS_DRAW_SEAMS="$work/$part.bin" PORTCULLIS_DRAW_PICTURES=150 PORTCULLIS_DRAW_SEED=$((60000000 + part * 100000)) \
		PORTCULLIS_DRAW_TEXTS="$work/$texts.txt" PORTCULLIS_DRAW_FONTS="$fonts" go test -count=1 -timeout 60m -run DrawSeams .)
done
"$python" "$here/teach.py" "$here/../seam.bin" --taught "$work"/{1,2,3,4}.bin --held "$work/6.bin"
