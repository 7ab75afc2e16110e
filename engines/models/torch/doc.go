// Package torch converts one kind of PyTorch checkpoint to ONNX: the speaker encoder of
// Resemblyzer, three layers of LSTM and a linear one. It reads the format that PyTorch
// wrote before version 1.6 (torch/serialization.py, _legacy_save): pickles, then the
// storages in the order of their keys. Of pickle it knows the opcodes that such a file
// has, and it builds nothing but lists, dictionaries and tensors: unlike Python's it
// can't be made to call anything.
package torch
