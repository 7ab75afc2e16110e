package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"runtime/pprof"
	"strconv"
	"time"
)

// profiling runs f and writes the gateway's CPU profile of the next d to file meanwhile, or
// only runs f where file is "". A profile costs the gateway some hundredths of what it does:
// figures that are printed beside it are for comparing, not for quoting.
func (c *child) profiling(ctx context.Context, file string, d time.Duration, f func() error) error {
	if file == "" {
		return f()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var failed error
	done := make(chan struct{})
	go func() {
		defer close(done)
		failed = c.profiled(ctx, file, d)
	}()
	if err := f(); err != nil {
		cancel()
		<-done
		return err // the profile is of what was not measured
	}
	<-done
	return failed
}

func (c *child) profiled(ctx context.Context, file string, d time.Duration) (err error) {
	addr, err := c.admin()
	if err != nil {
		return err
	}
	seconds := strconv.Itoa(max(1, int(math.Ceil(d.Seconds()))))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/debug/pprof/profile?seconds="+seconds, nil)
	if err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	client := &http.Client{Transport: &http.Transport{}} // which nobody else's calls close
	defer client.CloseIdleConnections()
	res, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	defer func() { _ = res.Body.Close() }() // it was read
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("profile: the gateway answers %s", res.Status)
	}
	b, err := io.ReadAll(res.Body)
	if err == nil {
		err = os.WriteFile(file, b, 0o600)
	}
	if err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return nil
}

// profiled runs f and writes this process's CPU profile meanwhile to file, or only runs f
// where file is "".
func profiled(file string, f func() error) (err error) {
	if file == "" {
		return f()
	}
	out, err := os.Create(file) //nolint:gosec // the caller names it
	if err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if err := pprof.StartCPUProfile(out); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	defer pprof.StopCPUProfile()
	return f()
}
