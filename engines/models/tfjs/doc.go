// Package tfjs turns graph models of TensorFlow.js into ONNX, so that networks which
// are only published for browsers run in engines/onnx. It reads the model.json and
// weight shards, also where they are packed as JavaScript modules, as npm packages do;
// weights that are stored as 8 or 16 bit numbers are widened to float32 as
// TensorFlow.js itself does. It knows the operators of convolutional classifiers; any
// other is an error that names it.
//
// Tensors of four dimensions are turned from TensorFlow's NHWC to ONNX's NCHW once,
// at the input, which stays NHWC.
package tfjs
