package sqlstore_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

func TestMasterKeyIsMadeOnce(t *testing.T) {
	t.Setenv(sqlstore.MasterKeyEnv, "")
	dir := filepath.Join(t.TempDir(), "new", "data")
	keys := make([][32]byte, 16)
	var wg sync.WaitGroup
	for i := range keys {
		wg.Go(func() {
			var err error
			if keys[i], err = sqlstore.LoadMasterKey(dir); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i, key := range keys {
		if key == [32]byte{} || key != keys[0] {
			t.Errorf("start %d got another key than the first", i)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Fatalf("the directory holds %v, %v, want master.key alone", files, err)
	}
	info, err := files[0].Info()
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode of master.key is %v, %v, want 0600", info.Mode(), err)
	}
}

func TestMasterKeyFromEnvironment(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(sqlstore.MasterKeyEnv, strings.Repeat("0a", 32))
	key, err := sqlstore.LoadMasterKey(dir)
	if err != nil || key[0] != 0x0a || key[31] != 0x0a {
		t.Errorf("LoadMasterKey() = %x, %v", key, err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("a key from the environment left %v", files)
	}
	for _, bad := range []string{"0a", strings.Repeat("zz", 32), strings.Repeat("00", 32)} {
		t.Setenv(sqlstore.MasterKeyEnv, bad)
		if _, err := sqlstore.LoadMasterKey(dir); err == nil || strings.Contains(err.Error(), bad) {
			t.Errorf("LoadMasterKey(%s) = %v, want an error that does not repeat it", bad, err)
		}
	}
}

func TestMasterKeyFileIsChecked(t *testing.T) {
	t.Setenv(sqlstore.MasterKeyEnv, "")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "master.key"), []byte("cut sho"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlstore.LoadMasterKey(dir); err == nil {
		t.Error("LoadMasterKey() of a damaged file: no error")
	}
}
