package onnx

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// LibraryEnv names the variable that holds the path of the library, for who has it
// elsewhere.
const LibraryEnv = "PORTCULLIS_ONNXRUNTIME"

// Find gives the path of the library: what LibraryEnv says, else the first of lib/ in
// the given folders (of models, as `portcullis models pull` lays it down), lib/ and
// the folder beside the binary, and the places where systems keep libraries. The error
// wraps ErrNoLibrary and names where it looked.
func Find(folders ...string) (string, error) {
	if path := os.Getenv(LibraryEnv); path != "" {
		if !isFile(path) {
			return "", fmt.Errorf("%w: %s says %s, which is no file", ErrNoLibrary, LibraryEnv, path)
		}
		return path, nil
	}
	var places []string
	for _, folder := range folders {
		places = append(places, filepath.Join(folder, "lib"))
	}
	if self, err := os.Executable(); err == nil {
		places = append(places, filepath.Join(filepath.Dir(self), "lib"), filepath.Dir(self))
	}
	places = append(places, systemPlaces()...)
	for _, place := range places {
		if path := filepath.Join(place, libraryName()); isFile(path) {
			return filepath.Abs(path)
		}
	}
	return "", fmt.Errorf("%w: no %s in %s", ErrNoLibrary, libraryName(), strings.Join(places, ", "))
}

func libraryName() string {
	switch runtime.GOOS {
	case "windows":
		return "onnxruntime.dll"
	case "darwin":
		return "libonnxruntime.dylib"
	default:
		return "libonnxruntime.so"
	}
}

func systemPlaces() []string {
	if runtime.GOOS == "windows" {
		return nil
	}
	return []string{"/usr/local/lib", "/usr/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
