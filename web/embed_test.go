package web_test

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/web"
)

var reference = regexp.MustCompile(`(?:src|href)="([^"]+)"`)

func TestPagesNeedOnlyWhatIsEmbedded(t *testing.T) {
	dist := web.Dist()
	for _, page := range []string{"console/index.html", "demo/index.html"} {
		html, err := fs.ReadFile(dist, page)
		if err != nil {
			t.Errorf("read %s: %v", page, err)
			continue
		}
		refs := reference.FindAllStringSubmatch(string(html), -1)
		if len(refs) < 3 {
			t.Errorf("%s refers to %d files, want its script, style and icon at least", page, len(refs))
		}
		for _, ref := range refs {
			name := path.Join(path.Dir(page), ref[1])
			if !strings.HasPrefix(name, "console/assets/") {
				t.Errorf("%s refers to %q, want a file under console/assets", page, ref[1])
			}
			if _, err := fs.Stat(dist, name); err != nil {
				t.Errorf("%s refers to %q: %v", page, ref[1], err)
			}
		}
	}
}

// The policy allows no inline script or style: the pages must have none.
func TestPagesKeepThePolicy(t *testing.T) {
	inline := regexp.MustCompile(`(?i)<style|\sstyle=|\son[a-z]+=|<script(?:\s[^>]*)?>\s*[^\s<]`)
	for _, page := range []string{"console/index.html", "demo/index.html"} {
		html, err := fs.ReadFile(web.Dist(), page)
		if err != nil {
			t.Fatalf("read %s: %v", page, err)
		}
		if got := inline.Find(html); got != nil {
			t.Errorf("%s has inline script or style: %q", page, got)
		}
	}
	if strings.Contains(web.ContentSecurityPolicy, "unsafe") {
		t.Errorf("ContentSecurityPolicy = %q, want nothing unsafe", web.ContentSecurityPolicy)
	}
}

func TestContractsAreEmbedded(t *testing.T) {
	if got := web.OpenAPI(); !bytes.HasPrefix(got, []byte("openapi: 3.1")) {
		t.Errorf("OpenAPI() starts with %.20q, want openapi: 3.1", got)
	}
	if got := web.AsyncAPI(); !bytes.HasPrefix(got, []byte("asyncapi: 3.")) {
		t.Errorf("AsyncAPI() starts with %.20q, want asyncapi: 3.", got)
	}
	web.OpenAPI()[0] = 'x'
	if got := web.OpenAPI()[0]; got != 'o' {
		t.Errorf("a caller changed OpenAPI() for others: first byte %q", got)
	}
}
