package main

import (
	"context"
	"runtime"
	"runtime/debug"
)

// version is set by the build (-ldflags -X main.version=…).
var version = ""

// buildVersion is the version of this binary: what the build set, else the
// revision that the Go tool noted.
func buildVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value[:min(12, len(s.Value))]
		}
	}
	return "development"
}

func showVersion(_ context.Context, args []string, io std) error {
	if err := parse(newFlags("version", io), args); err != nil {
		return err
	}
	io.say("portcullis %s %s %s/%s\n", buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
