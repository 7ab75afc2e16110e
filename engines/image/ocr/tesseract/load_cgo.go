//go:build cgo && linux

package tesseract

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdlib.h>

// What is used of capi.h. The types are opaque there too.
static struct {
	void *(*create)(void);
	void (*destroy)(void *);
	int (*init)(void *, const char *, int, const char *, int, char **, int, char **, char **, size_t, int);
	int (*set)(void *, const char *, const char *);
	void (*mode)(void *, int);
	void (*image)(void *, const unsigned char *, int, int, int, int);
	void (*resolution)(void *, int);
	char *(*text)(void *);
	int (*confidence)(void *);
	void (*clear)(void *);
	void (*end)(void *);
	void (*free_text)(const char *);
	const char *(*version)(void);
	void (*levels)(int);
} tess;

// load_tesseract gives NULL, or what is missing.
static const char *load_tesseract(void) {
	void *lib = dlopen("libtesseract.so.5", RTLD_NOW | RTLD_LOCAL);
	if (!lib) return "libtesseract.so.5";
#define NEED(field, name) if (!(*(void **)&tess.field = dlsym(lib, name))) return name
	NEED(create, "TessBaseAPICreate");
	NEED(destroy, "TessBaseAPIDelete");
	NEED(init, "TessBaseAPIInit5");
	NEED(set, "TessBaseAPISetVariable");
	NEED(mode, "TessBaseAPISetPageSegMode");
	NEED(image, "TessBaseAPISetImage");
	NEED(resolution, "TessBaseAPISetSourceResolution");
	NEED(text, "TessBaseAPIGetUTF8Text");
	NEED(confidence, "TessBaseAPIMeanTextConf");
	NEED(clear, "TessBaseAPIClear");
	NEED(end, "TessBaseAPIEnd");
	NEED(free_text, "TessDeleteText");
	NEED(version, "TessVersion");
#undef NEED
	// Of libgomp, where the library was built with it. The library asks for four threads
	// itself, which the number set does not change; the depth of parallel parts does.
	*(void **)&tess.levels = dlsym(lib, "omp_set_max_active_levels");
	return NULL;
}

static const char *tess_version(void) { return tess.version(); }

// tess_open gives a handle for a language whose data is in memory, NULL when that isn't
// such data. mode 1 is the LSTM engine, page mode 13 one line as it is.
static void *tess_open(const char *data, int size, const char *language, int page_mode) {
	void *h = tess.create();
	if (!h) return NULL;
	char *names[] = {"debug_file"}, *values[] = {"/dev/null"};
	if (tess.levels) tess.levels(0);
	if (tess.init(h, data, size, language, 1, NULL, 0, names, values, 1, 0) != 0) {
		tess.destroy(h);
		return NULL;
	}
	tess.mode(h, page_mode);
	return h;
}

static char *tess_read(void *h, const unsigned char *pix, int w, int ht, int *confidence) {
	// A setting of the thread. Threads of the library's own wait for each other by
	// spinning: they took more than the reading did.
	if (tess.levels) tess.levels(0);
	tess.image(h, pix, w, ht, 1, w);
	tess.resolution(h, 96);
	char *text = tess.text(h);
	*confidence = text ? tess.confidence(h) : 0;
	tess.clear(h);
	return text;
}

static void tess_free(char *text) { tess.free_text(text); }

static void tess_close(void *h) { tess.end(h); tess.destroy(h); }
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

// lineMode is Tesseract's PSM_SINGLE_LINE.
const lineMode = 7

var load = sync.OnceValue(func() error {
	if missing := C.load_tesseract(); missing != nil {
		return fmt.Errorf("%w: no %s", ErrNoLibrary, C.GoString(missing))
	}
	return nil
})

// Version is that of the library, or why there is none.
func Version() (string, error) {
	if err := load(); err != nil {
		return "", err
	}
	return C.GoString(C.tess_version()), nil
}

// Language reads lines of one language. It is safe for several at a time; whoever made
// it closes it.
type Language struct {
	name string
	data []byte

	mu     sync.Mutex
	closed bool
	idle   []unsafe.Pointer // handles; there are never more than have read at a time
}

// Open makes a language of its .traineddata file, which is kept: each reader at a time
// needs a handle of its own, some 20 MB. The name is what the file calls it: kor.
func Open(name string, data []byte) (*Language, error) {
	if err := load(); err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, fmt.Errorf("read Tesseract data of %s: it is empty", name)
	}
	l := &Language{name: name, data: data}
	h, err := l.open()
	if err != nil {
		return nil, err
	}
	l.idle = append(l.idle, h)
	return l, nil
}

func (l *Language) open() (unsafe.Pointer, error) {
	name := C.CString(l.name)
	defer C.free(unsafe.Pointer(name))
	h := C.tess_open((*C.char)(unsafe.Pointer(&l.data[0])), C.int(len(l.data)), name, lineMode) //nolint:gosec // files of some MB
	if h == nil {
		return nil, fmt.Errorf("read Tesseract data of %s: not a .traineddata file with an LSTM network", l.name)
	}
	return h, nil
}

// Read gives the text of a line and how sure the library is of it, 0 to 1.
func (l *Language) Read(line Gray) (text string, confidence float64, err error) {
	if line.Width < 1 || line.Height < 1 || len(line.Pix) != line.Width*line.Height {
		return "", 0, fmt.Errorf("read line: %d bytes for %dx%d", len(line.Pix), line.Width, line.Height)
	}
	h, err := l.take()
	if err != nil {
		return "", 0, err
	}
	defer l.give(h)
	var sure C.int
	out := C.tess_read(h, (*C.uchar)(unsafe.Pointer(&line.Pix[0])), C.int(line.Width), C.int(line.Height), &sure)
	runtime.KeepAlive(line.Pix)
	if out == nil {
		return "", 0, errors.New("read line: the Tesseract library gave up")
	}
	defer C.tess_free(out)
	return strings.TrimSpace(C.GoString(out)), float64(sure) / 100, nil
}

func (l *Language) take() (unsafe.Pointer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, ErrClosed
	}
	if n := len(l.idle); n > 0 {
		h := l.idle[n-1]
		l.idle = l.idle[:n-1]
		return h, nil
	}
	return l.open()
}

func (l *Language) give(h unsafe.Pointer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		C.tess_close(h)
		return
	}
	l.idle = append(l.idle, h)
}

// Close frees the handles; those that read are freed when they are done.
func (l *Language) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for _, h := range l.idle {
		C.tess_close(h)
	}
	l.idle = nil
	return nil
}
