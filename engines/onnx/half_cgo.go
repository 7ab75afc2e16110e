//go:build cgo && linux && amd64

package onnx

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// What is used of OpenVINO's C interface (openvino/c/*.h, 2026.4). Its objects are opaque there too.
typedef struct { int64_t rank; int64_t *dims; } vino_shape;
typedef struct { const char *build, *description; } vino_version;
enum { VINO_F32 = 4 }; // ov_element_type_e

static struct {
	int (*core)(void **);
	int (*version)(vino_version *);
	int (*read)(void *, const char *, size_t, void *, void **);
	int (*compile)(void *, void *, const char *, size_t, void **, ...);
	int (*request)(void *, void **);
	int (*wrap)(int, vino_shape, void *, void **);
	int (*set)(void *, size_t, void *);
	int (*infer)(void *);
	int (*get)(void *, size_t, void **);
	int (*shape)(void *, vino_shape *);
	int (*free_shape)(vino_shape *);
	int (*data)(void *, void **);
	void (*free_tensor)(void *), (*free_request)(void *), (*free_compiled)(void *), (*free_model)(void *);
	const char *(*last)(void);
} vino;

static void *vino_core; // lives as long as the process

// vino_load gives NULL, or what is missing.
static const char *vino_load(const char *path) {
	void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!lib) return dlerror();
#define NEED(field, name) if (!(*(void **)&vino.field = dlsym(lib, name))) return name
	NEED(core, "ov_core_create");
	NEED(version, "ov_get_openvino_version");
	NEED(read, "ov_core_read_model_from_memory_buffer");
	NEED(compile, "ov_core_compile_model");
	NEED(request, "ov_compiled_model_create_infer_request");
	NEED(wrap, "ov_tensor_create_from_host_ptr");
	NEED(set, "ov_infer_request_set_input_tensor_by_index");
	NEED(infer, "ov_infer_request_infer");
	NEED(get, "ov_infer_request_get_output_tensor_by_index");
	NEED(shape, "ov_tensor_get_shape");
	NEED(free_shape, "ov_shape_free");
	NEED(data, "ov_tensor_data");
	NEED(free_tensor, "ov_tensor_free");
	NEED(free_request, "ov_infer_request_free");
	NEED(free_compiled, "ov_compiled_model_free");
	NEED(free_model, "ov_model_free");
	NEED(last, "ov_get_last_err_msg");
#undef NEED
	return vino.core(&vino_core) == 0 ? NULL : vino.last();
}

// vino_about is the version. Its strings are the library's.
static const char *vino_about(void) {
	vino_version v = {0};
	return vino.version(&v) == 0 ? v.build : "";
}

static void *vino_read(const char *bytes, size_t size) {
	void *model = NULL;
	return vino.read(vino_core, bytes, size, NULL, &model) == 0 ? model : NULL;
}

// vino_compile makes a model ready in bfloat16, to be run by one thread at a time. It gives
// NULL where it fails.
static void *vino_compile(void *model) {
	void *compiled = NULL;
	// Properties are names and values, counted as strings.
	int failed = vino.compile(vino_core, model, "CPU", 8, &compiled,
		"INFERENCE_PRECISION_HINT", "bf16", "NUM_STREAMS", "1", "INFERENCE_NUM_THREADS", "1", "ENABLE_CPU_PINNING", "NO");
	return failed ? NULL : compiled;
}

static void *vino_request(void *compiled) {
	void *request = NULL;
	return vino.request(compiled, &request) == 0 ? request : NULL;
}

// vino_run computes one input. *out is the first output, freed by vino_done.
static int vino_run(void *request, float *in, int64_t rank, int64_t *dims, void **out, float **values) {
	vino_shape shape = {rank, dims};
	void *tensor = NULL;
	*out = NULL;
	if (vino.wrap(VINO_F32, shape, in, &tensor) != 0) return 1;
	int failed = vino.set(request, 0, tensor) || vino.infer(request) || vino.get(request, 0, out) || vino.data(*out, (void **)values);
	vino.free_tensor(tensor);
	return failed;
}

// vino_dims copies at most most dimensions of an output and gives how many there are.
static int64_t vino_dims(void *out, int64_t *dims, int64_t most) {
	vino_shape shape = {0};
	if (vino.shape(out, &shape) != 0) return -1;
	int64_t rank = shape.rank;
	for (int64_t i = 0; i < rank && i < most; i++) dims[i] = shape.dims[i];
	vino.free_shape(&shape);
	return rank;
}

static void vino_done(void *out) { if (out) vino.free_tensor(out); }
static void vino_free(void *request) { vino.free_request(request); }
static void vino_close(void *compiled) { vino.free_compiled(compiled); }
static void vino_forget(void *model) { vino.free_model(model); }
static const char *vino_last(void) { return vino.last(); }
*/
import "C"

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

var half struct {
	sync.Mutex
	folder string
}

// StartHalf loads OpenVINO from a folder with HalfName and what belongs to it, once a process;
// the same folder again is no error, another is. Without a call networks of NewHalf are those
// of New.
func StartHalf(folder string) error {
	half.Lock()
	defer half.Unlock()
	path := filepath.Join(folder, HalfName)
	switch {
	case half.folder == folder:
		return nil
	case half.folder != "":
		return fmt.Errorf("load OpenVINO %s: %s is loaded already", folder, half.folder)
	case !isFile(path):
		return fmt.Errorf("load OpenVINO: %w: %s", ErrNoLibrary, path)
	}
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	if missing := C.vino_load(name); missing != nil {
		return fmt.Errorf("load OpenVINO %s: %s", path, C.GoString(missing))
	}
	half.folder = folder
	return nil
}

// HalfVersion is that of the loaded OpenVINO, "" for none.
func HalfVersion() string {
	half.Lock()
	defer half.Unlock()
	if half.folder == "" {
		return ""
	}
	version, _, _ := strings.Cut(C.GoString(C.vino_about()), "-")
	return version
}

// vinoCopy is a model made ready once, which one thread may run at a time.
type vinoCopy struct{ compiled, request unsafe.Pointer }

// open implements opener.
func (m vinoModel) open() (replica, error) {
	runtime.LockOSThread() // the library keeps its last message by thread
	defer runtime.UnlockOSThread()
	c := &vinoCopy{compiled: C.vino_compile(m.model)}
	if c.compiled == nil {
		return nil, fmt.Errorf("prepare model in bfloat16: %s", C.GoString(C.vino_last()))
	}
	if c.request = C.vino_request(c.compiled); c.request == nil {
		err := fmt.Errorf("prepare model in bfloat16: %s", C.GoString(C.vino_last()))
		C.vino_close(c.compiled)
		return nil, err
	}
	return c, nil
}

// vinoModel is a model as OpenVINO read it.
type vinoModel struct{ model unsafe.Pointer }

func (m vinoModel) close() { C.vino_forget(m.model) }

func newVino(model []byte) (runner, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	read := C.vino_read((*C.char)(unsafe.Pointer(&model[0])), C.size_t(len(model)))
	if read == nil {
		return nil, fmt.Errorf("read model in bfloat16: %s", C.GoString(C.vino_last()))
	}
	return newReplicas(vinoModel{read}, min(runtime.NumCPU(), mostReplicas))
}

// run implements replica. The library keeps the address of the input until the next run, and
// reads from it during this one alone.
func (c *vinoCopy) run(in Tensor, use func([]Tensor) error) error {
	var dims [mostDims]C.int64_t
	for i, d := range in.Shape {
		dims[i] = C.int64_t(d)
	}
	var out unsafe.Pointer
	var values *C.float
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	failed := C.vino_run(c.request, (*C.float)(&in.Data[0]), C.int64_t(len(in.Shape)), &dims[0], &out, &values) != 0
	defer func() { C.vino_done(out) }()
	if failed {
		return fmt.Errorf("run model in bfloat16: %s", C.GoString(C.vino_last()))
	}
	rank := C.vino_dims(out, &dims[0], mostDims)
	if rank < 0 || rank > mostDims {
		return fmt.Errorf("run model in bfloat16: an output of %d dimensions", rank)
	}
	t := Tensor{Shape: make([]int, rank)}
	for i := range t.Shape {
		t.Shape[i] = int(dims[i])
	}
	if size := t.Size(); size > 0 {
		t.Data = unsafe.Slice((*float32)(values), size)
	}
	return use([]Tensor{t})
}

func (c *vinoCopy) close() {
	C.vino_free(c.request)
	C.vino_close(c.compiled)
}
