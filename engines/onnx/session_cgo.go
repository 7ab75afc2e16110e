//go:build cgo

package onnx

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
	"golang.org/x/sys/cpu"
)

// started is the one library of the process: ONNX Runtime has one environment, and
// what is loaded stays loaded until the process ends.
var started struct {
	sync.Mutex
	lib string
}

// Start loads the library at path, once a process: the same path again is no error,
// another is. It may be called by several at a time.
func Start(path string) error {
	started.Lock()
	defer started.Unlock()
	if started.lib == path {
		return nil
	}
	if started.lib != "" {
		return fmt.Errorf("load ONNX Runtime %s: %s is loaded already", path, started.lib)
	}
	if !isFile(path) {
		return fmt.Errorf("load ONNX Runtime: %w: %s", ErrNoLibrary, path)
	}
	ort.SetSharedLibraryPath(path)
	if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
		return fmt.Errorf("load ONNX Runtime %s: %w", path, err)
	}
	// It only exists in builds by Microsoft for Windows; elsewhere this is nothing.
	if err := ort.DisableTelemetry(); err != nil {
		return fmt.Errorf("load ONNX Runtime %s: switch telemetry off: %w", path, err)
	}
	started.lib = path
	return nil
}

// Version is that of the loaded library, "" before Start.
func Version() string {
	started.Lock()
	defer started.Unlock()
	if started.lib == "" {
		return ""
	}
	return ort.GetVersion()
}

// Session is a model ready to run. Any number of goroutines may call Run at a time;
// whoever made it closes it, after which Run says ErrClosed.
type Session struct {
	inputs, outputs []Info

	mu     sync.RWMutex // Close waits for those that run
	runner runner       // nil once closed
}

// New makes a session of a model's bytes, which are not kept. Every input and output
// must hold float32.
func New(model []byte) (*Session, error) {
	s, model, err := describe(model)
	if err != nil {
		return nil, err
	}
	if err := s.exact(model); err != nil {
		return nil, err
	}
	giveBack()
	return s, nil
}

// NewHalf is New for a model of one input and one output whose results may be rounded to
// bfloat16's 8 bits along the way: it computes in those where StartHalf was called, which
// takes less time, and as New does elsewhere.
func NewHalf(model []byte) (*Session, error) {
	s, model, err := describe(model)
	if err != nil {
		return nil, err
	}
	if HalfVersion() == "" || len(s.inputs) != 1 || len(s.outputs) != 1 || len(s.inputs[0].Shape) > mostDims {
		err = s.exact(model)
	} else {
		s.runner, err = newVino(model)
	}
	if err != nil {
		return nil, err
	}
	giveBack()
	return s, nil
}

// describe reads what a model takes and gives. It returns the model as it is to be run.
func describe(model []byte) (*Session, []byte, error) {
	if Version() == "" {
		return nil, nil, ErrNotStarted
	}
	if len(model) == 0 {
		return nil, nil, errors.New("read model: it is empty")
	}
	model = inLibraryOrder(model)
	ins, outs, err := ort.GetInputOutputInfoWithONNXData(model)
	if err != nil {
		return nil, nil, fmt.Errorf("read model: %w", err)
	}
	s := &Session{}
	if s.inputs, err = infos("input", ins); err != nil {
		return nil, nil, err
	}
	if s.outputs, err = infos("output", outs); err != nil {
		return nil, nil, err
	}
	return s, model, nil
}

// exact has ONNX Runtime run the session, in float32.
func (s *Session) exact(model []byte) error {
	options, err := sessionOptions(oneShape(s.inputs))
	if err != nil {
		return err
	}
	defer func() { _ = options.Destroy() }() // what it describes was copied
	session, err := ort.NewDynamicAdvancedSessionWithONNXData(model, names(s.inputs), names(s.outputs), options)
	if err != nil {
		return fmt.Errorf("prepare model: %w", err)
	}
	s.runner = &float{s.inputs, s.outputs, session}
	return nil
}

func sessionOptions(pattern bool) (*ort.SessionOptions, error) {
	options, err := ort.NewSessionOptions()
	if err != nil {
		return nil, fmt.Errorf("prepare model: %w", err)
	}
	err = errors.Join(
		options.SetIntraOpNumThreads(1),
		options.SetInterOpNumThreads(1),
		// Patterns are kept for each shape seen: lines of text have a new one each time, networks
		// of one shape run in a fifth to a third less with theirs.
		options.SetMemPattern(pattern),
	)
	if err == nil && !sumsWide() {
		err = options.AddSessionConfigEntry("session.x64quantprecision", "1")
	}
	if err != nil {
		_ = options.Destroy()
		return nil, fmt.Errorf("prepare model: %w", err)
	}
	return options, nil
}

// sumsWide reports whether the processor has VNNI instructions, which add products of 8 bits in
// 32. x86 processors without them add two in 16, which overflow; there matrices have to be
// turned into those that don't. The library would do it on all of them, at twice the time.
func sumsWide() bool { return cpu.X86.HasAVX512VNNI || cpu.X86.HasAVXVNNI }

func infos(what string, from []ort.InputOutputInfo) ([]Info, error) {
	to := make([]Info, len(from))
	for i, info := range from {
		if info.OrtValueType != ort.ONNXTypeTensor || info.DataType != ort.TensorElementDataTypeFloat {
			return nil, fmt.Errorf("read model: %s %s holds %v of %v: only tensors of float32 are supported", what, info.Name, info.OrtValueType, info.DataType)
		}
		to[i].Name = info.Name
		for _, d := range info.Dimensions {
			to[i].Shape = append(to[i].Shape, int(d))
		}
	}
	return to, nil
}

func names(of []Info) []string {
	names := make([]string, len(of))
	for i, info := range of {
		names[i] = info.Name
	}
	return names
}

// Inputs describes what Run takes, in its order. It must not be changed.
func (s *Session) Inputs() []Info { return s.inputs }

// Outputs describes what the function given to Run is given. It must not be changed.
func (s *Session) Outputs() []Info { return s.outputs }

// Run computes the outputs for inputs and gives them to use, on the goroutine of the
// caller. The outputs lie in memory of the library that is freed when use returns, so
// it copies what it keeps. The error of use is returned as it is.
func (s *Session) Run(inputs []Tensor, use func(outputs []Tensor) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.runner == nil {
		return ErrClosed
	}
	if err := check(s.inputs, inputs); err != nil {
		return fmt.Errorf("run model: %w", err)
	}
	return s.runner.run(inputs, use)
}

// float is a model in ONNX Runtime.
type float struct {
	inputs, outputs []Info
	session         *ort.DynamicAdvancedSession
}

// run implements runner.
func (s *float) run(inputs []Tensor, use func([]Tensor) error) error {
	var pins runtime.Pinner // the library holds pointers into inputs for longer than one call
	defer pins.Unpin()
	in := make([]ort.Value, len(inputs))
	defer destroy(in)
	for i, t := range inputs {
		pins.Pin(&t.Data[0])
		value, err := ort.NewTensor(shape(t.Shape), t.Data)
		if err != nil {
			return fmt.Errorf("run model: input %s: %w", s.inputs[i].Name, err)
		}
		in[i] = value
	}
	out := make([]ort.Value, len(s.outputs))
	defer destroy(out)
	if err := s.session.Run(in, out); err != nil {
		return fmt.Errorf("run model: %w", err)
	}
	outputs := make([]Tensor, len(out))
	for i, value := range out {
		t, ok := value.(*ort.Tensor[float32])
		if !ok {
			return fmt.Errorf("run model: output %s holds no float32", s.outputs[i].Name)
		}
		for _, d := range t.GetShape() {
			outputs[i].Shape = append(outputs[i].Shape, int(d))
		}
		outputs[i].Data = t.GetData()
	}
	return use(outputs)
}

func shape(of []int) ort.Shape {
	to := make(ort.Shape, len(of))
	for i, d := range of {
		to[i] = int64(d)
	}
	return to
}

// destroy frees what the library keeps of values, nil ones among them.
func destroy(values []ort.Value) {
	for _, v := range values {
		if v != nil {
			_ = v.Destroy() // it can only say that it was freed before
		}
	}
}

// close implements runner.
func (s *float) close() error {
	if err := s.session.Destroy(); err != nil {
		return fmt.Errorf("close model: %w", err)
	}
	return nil
}

// Close waits for those that run and frees the session. A second call does nothing.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runner == nil {
		return nil
	}
	runner := s.runner
	s.runner = nil
	return runner.close()
}
