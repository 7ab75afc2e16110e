package onnx

// Networks that look at pictures lose nothing by computing in bfloat16, which has float32's
// range and 8 bits of its digits: processors that multiply it (AVX-512 BF16, AMX) take a half
// to two thirds of the time. ONNX Runtime has no such kernels for them; OpenVINO does. So a
// network of NewHalf runs in OpenVINO where the processor has bfloat16 and StartHalf found the
// library, and as one of New everywhere else. Which processors those are, engines/models knows.

// HalfName is the library's main file in the folder that StartHalf takes.
const HalfName = "libopenvino_c.so.2641"

// runner is a library's session.
type runner interface {
	// run computes inputs, which were checked, and gives the outputs to use while they last.
	run(inputs []Tensor, use func(outputs []Tensor) error) error
	close() error
}

// mostDims is more than any network's input or output has.
const mostDims = 8
