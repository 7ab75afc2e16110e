package pull

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// The public registries, for who has set up no other.
const (
	publicNPM  = "https://registry.npmjs.org"
	publicPyPI = "https://pypi.org/simple"
)

// Sources says where the registries are.
type Sources struct {
	// NPM is npm's registry and Scopes those of packages with a scope ("@gutenye").
	NPM    string
	Scopes map[string]string
	// Tokens are npm's, by the address without its scheme that they are for.
	Tokens map[string]string
	// PyPI is the simple index of Python's packages.
	PyPI string
	// Authorities are files of certificates to trust besides the system's.
	Authorities []string
}

// Environment makes the sources of what the user has set for npm and pip: variables
// (npm_config_registry, PIP_INDEX_URL, PIP_CERT, NODE_EXTRA_CA_CERTS), .npmrc and
// pip.conf. Without any they are the public ones.
func Environment(getenv func(string) string, home string) Sources {
	s := Sources{NPM: publicNPM, PyPI: publicPyPI, Scopes: map[string]string{}, Tokens: map[string]string{}}
	if home != "" {
		s.npmrc(filepath.Join(home, ".npmrc"), getenv)
	}
	s.npmrc(or(getenv("npm_config_userconfig"), getenv("NPM_CONFIG_USERCONFIG")), getenv)
	files := []string{"/etc/pip.conf"}
	if home != "" {
		files = append(files, filepath.Join(home, ".pip", "pip.conf"), filepath.Join(or(getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config")), "pip", "pip.conf"))
	}
	for _, file := range append(files, getenv("PIP_CONFIG_FILE")) {
		s.pipConf(file)
	}
	s.NPM = strings.TrimSuffix(or(getenv("npm_config_registry"), or(getenv("NPM_CONFIG_REGISTRY"), s.NPM)), "/")
	s.PyPI = or(getenv("PIP_INDEX_URL"), s.PyPI)
	for _, name := range []string{"PIP_CERT", "NODE_EXTRA_CA_CERTS"} {
		if file := getenv(name); file != "" {
			s.Authorities = append(s.Authorities, file)
		}
	}
	return s
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// npmrc reads the lines of a .npmrc that say where packages are, and the tokens.
func (s *Sources) npmrc(file string, getenv func(string) string) {
	for key, value := range settings(file) {
		value = os.Expand(value, getenv)
		switch {
		case key == "registry":
			s.NPM = value
		case strings.HasPrefix(key, "@") && strings.HasSuffix(key, ":registry"):
			s.Scopes[strings.TrimSuffix(key, ":registry")] = strings.TrimSuffix(value, "/")
		case strings.HasPrefix(key, "//") && strings.HasSuffix(key, ":_authToken"):
			s.Tokens[strings.TrimSuffix(strings.TrimSuffix(key, ":_authToken"), "/")] = value
		case key == "cafile":
			s.Authorities = append(s.Authorities, value)
		}
	}
}

func (s *Sources) pipConf(file string) {
	set := settings(file)
	for _, section := range []string{"global.", "download."} {
		s.PyPI = or(set[section+"index-url"], s.PyPI)
		if cert := set[section+"cert"]; cert != "" {
			s.Authorities = append(s.Authorities, cert)
		}
	}
}

// settings reads KEY = VALUE lines; those below [SECTION] are SECTION.KEY. A file that
// can't be read says nothing.
func settings(file string) map[string]string {
	set := map[string]string{}
	if file == "" {
		return set
	}
	b, err := os.ReadFile(file) //nolint:gosec // the user's own settings
	if err != nil {
		return set
	}
	section := ""
	for lines := bufio.NewScanner(bytes.NewReader(b)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
			section = strings.Trim(line, "[]") + "."
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if ok && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, ";") {
			set[section+strings.TrimSpace(key)] = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return set
}

// npmFor is the registry of a package, without a slash at its end.
func (s *Sources) npmFor(name string) string {
	scope, _, _ := strings.Cut(name, "/")
	return strings.TrimSuffix(or(s.Scopes[scope], s.NPM), "/")
}

// token is npm's token for an address, "" for none: the one of the longest prefix.
func (s *Sources) token(u *url.URL) string {
	address, best, token := "//"+u.Host+u.Path, -1, ""
	for prefix, t := range s.Tokens {
		if len(prefix) > best && (address == prefix || strings.HasPrefix(address, prefix+"/")) {
			best, token = len(prefix), t
		}
	}
	return token
}

// tls trusts the user's own authorities besides the system's; nil where there are none.
func (s *Sources) tls() *tls.Config {
	if len(s.Authorities) == 0 {
		return nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	for _, file := range s.Authorities {
		if pem, err := os.ReadFile(file); err == nil { //nolint:gosec // the user's own settings
			pool.AppendCertsFromPEM(pem)
		}
	}
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
}
