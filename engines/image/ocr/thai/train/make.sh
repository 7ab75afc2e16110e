#!/bin/bash
# make.sh DATA FONTS WORK: teaches the head for Thai and puts head.bin and signs.txt beside network.go.
#
# In one go what the head that ships learnt in two parts (CARD.md). DATA has the shared text (permissive*.jsonl.gz), FONTS the lists taught.txt, held.txt and measured.txt of
# font files (CARD.md says which), WORK takes some 2 GB. PYTHON has requirements.txt; the fetched models lie in
# PORTCULLIS_MODELS. Each step is seeded. Without much else to do, two cores take half an hour.
set -euo pipefail
data=$(realpath "$1") fonts=$(realpath "$2") work=$(realpath "$3")
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
rec=${PORTCULLIS_MODELS:?the folder of the fetched models}/ppocr-v6/rec.onnx

draw() { # NAME PICTURES SEED TEXTS FONTS
	(cd "$here/../.." && PORTCULLIS_DRAW_THAI="$work/$1.bin" PORTCULLIS_DRAW_PICTURES=$2 PORTCULLIS_DRAW_SEED=$3 \
		PORTCULLIS_DRAW_TEXTS="$work/$4.txt" PORTCULLIS_DRAW_FONTS="$fonts/$5.txt" go test -count=1 -timeout 60m -run DrawThai .)
}
show() { "$python" "$here/features.py" "$rec" "$work/$1.bin" "$work/$1" "${@:2}"; }

"$python" "$here/texts.py" "$data" "$work"
draw held 60 81000000 held measured && show held
draw heldb 40 82000000 held held && show heldb
draw train1 700 71000000 texts taught && show train1 --jitter
draw train2 900 72000000 texts taught && show train2 --jitter
"$python" "$here/train.py" "$work/signs.txt" "$work/head.npz" --taught "$work"/train{1,2} --held "$work"/held{,b} --epochs 7
"$python" "$here/handover.py" "$work/signs.txt" "$work/head.npz" "$here/../head.bin" --held "$work"/held{,b}
cp "$work/signs.txt" "$here/../signs.txt"
