package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

type vector struct {
	Name          string   `json:"name"`
	App           string   `json:"app_id"`
	Secret        string   `json:"secret"`
	LiveSecrets   []string `json:"live_secrets"`
	Timestamp     string   `json:"timestamp"`
	Nonce         string   `json:"nonce"`
	Method        string   `json:"method"`
	Target        string   `json:"target"`
	Body          string   `json:"body"`
	BodySHA256    string   `json:"body_sha256"`
	StringToSign  string   `json:"string_to_sign"`
	Signature     string   `json:"signature"`
	Authorization string   `json:"authorization"`
	Expect        string   `json:"expect"`
	Now           int64    `json:"now"`
}

func vectors(tb testing.TB) []vector {
	tb.Helper()
	raw, err := os.ReadFile("testdata/svc_vectors.json")
	if err != nil {
		tb.Fatal(err)
	}
	var file struct {
		Now     int64    `json:"now"`
		MaxSkew int64    `json:"max_skew_s"`
		Vectors []vector `json:"vectors"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		tb.Fatal(err)
	}
	if got, want := int64(MaxSkew/time.Second), file.MaxSkew; got != want {
		tb.Errorf("MaxSkew = %d s, vectors say %d", got, want)
	}
	if len(file.Vectors) != 16 {
		tb.Errorf("%d vectors, want 16", len(file.Vectors))
	}
	for i := range file.Vectors {
		v := &file.Vectors[i]
		if v.Now == 0 {
			v.Now = file.Now
		}
		if v.LiveSecrets == nil {
			v.LiveSecrets = []string{v.Secret}
		}
	}
	return file.Vectors
}

func (v vector) request() Request {
	return Request{Authorization: []string{v.Authorization}, Nonce: v.Nonce, Method: v.Method, Target: v.Target, Body: []byte(v.Body)}
}

func (v vector) verifier() *Verifier {
	source := &apps{}
	source.set(engines.AppID(v.App), v.LiveSecrets...)
	clock := newClock(v.Now)
	return NewVerifier("SVC", NewSecrets(source, clock.now), clock.now)
}

func TestVectors(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			svc, err := v.verifier().Verify(t.Context(), v.request())
			if v.Expect == "reject" {
				if CauseOf(err) == "" {
					t.Fatalf("Verify = %v, %v; want a refusal", svc, err)
				}
				return
			}
			if err != nil {
				t.Fatalf("Verify: %v", err)
			}
			want := SVC{App: engines.AppID(v.App), Signature: v.Signature, Timestamp: v.Timestamp}
			if svc != want {
				t.Errorf("Verify = %v, want %v", svc, want)
			}
			sum := sha256.Sum256([]byte(v.Body))
			if got := hex.EncodeToString(sum[:]); got != v.BodySHA256 {
				t.Errorf("body hash = %s, want %s", got, v.BodySHA256)
			}
			toSign := StringToSign(svc.App, v.Timestamp, v.Nonce, v.Method, v.Target, sum)
			if toSign != v.StringToSign {
				t.Errorf("StringToSign = %q, want %q", toSign, v.StringToSign)
			}
			if got := Sign(v.Secret, toSign); got != v.Signature {
				t.Errorf("Sign = %s, want %s", got, v.Signature)
			}
			if got := svc.Header("SVC"); got != v.Authorization {
				t.Errorf("Header = %q, want %q", got, v.Authorization)
			}
		})
	}
}

// Every change of a request that is accepted is refused, for the right reason.
func TestVerifyNegatives(t *testing.T) {
	good := vectors(t)[0]
	escaped := vectors(t)[2] // its target has %7E
	tests := []struct {
		name   string
		change func(v *vector, r *Request)
		want   Cause
	}{
		{"301 s old", func(v *vector, _ *Request) { v.Now += 301 }, CauseSkew},
		{"301 s ahead", func(v *vector, _ *Request) { v.Now -= 301 }, CauseSkew},
		{"upper-case hex", func(_ *vector, r *Request) {
			r.Authorization[0] = strings.Replace(r.Authorization[0], good.Signature, strings.ToUpper(good.Signature), 1)
		}, CauseGrammar},
		{"trailing newline in the header", func(_ *vector, r *Request) { r.Authorization[0] += "\n" }, CauseGrammar},
		{"trailing newline in the body", func(_ *vector, r *Request) { r.Body = append(r.Body, '\n') }, CauseSignature},
		{"trailing newline in the target", func(_ *vector, r *Request) { r.Target += "\n" }, CauseGrammar},
		{"trailing space", func(_ *vector, r *Request) { r.Authorization[0] += " " }, CauseGrammar},
		{"11 digits", func(_ *vector, r *Request) { r.Authorization[0] += "0" }, CauseGrammar},
		{"milliseconds of the same moment", func(_ *vector, r *Request) { r.Authorization[0] += "000" }, CauseSignature},
		{"one body byte", func(_ *vector, r *Request) { r.Body[len(r.Body)/2] ^= 1 }, CauseSignature},
		{"other app", func(_ *vector, r *Request) {
			r.Authorization[0] = strings.Replace(r.Authorization[0], "demo-app", "demo-apq", 1)
		}, CauseApp},
		{"other app's secret", func(v *vector, _ *Request) { v.LiveSecrets = []string{"psk_other"} }, CauseSignature},
		{"no live secret", func(v *vector, _ *Request) { v.LiveSecrets = nil }, CauseApp},
		{"two headers", func(_ *vector, r *Request) { r.Authorization = append(r.Authorization, r.Authorization[0]) }, CauseGrammar},
		{"no header", func(_ *vector, r *Request) { r.Authorization = nil }, CauseGrammar},
		{"bearer", func(_ *vector, r *Request) { r.Authorization[0] = "Bearer x" }, CauseGrammar},
		{"nonce added", func(_ *vector, r *Request) { r.Nonce = "8f14e45fceea167a5a36dedd4bea2543" }, CauseSignature},
		{"method", func(_ *vector, r *Request) { r.Method = "PUT" }, CauseSignature},
		{"query added", func(_ *vector, r *Request) { r.Target += "?x=1" }, CauseSignature},
		{"fields shifted", func(_ *vector, r *Request) { r.Nonce, r.Method = "\nPOST", "/api/v1/economy/currency-log" }, CauseGrammar},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v, r := good, good.request()
			test.change(&v, &r)
			_, err := v.verifier().Verify(t.Context(), r)
			wantCause(t, err, test.want)
		})
	}
	t.Run("%7e for %7E", func(t *testing.T) {
		r := escaped.request()
		r.Target = strings.Replace(r.Target, "%7E", "%7e", 1)
		_, err := escaped.verifier().Verify(t.Context(), r)
		wantCause(t, err, CauseSignature)
	})
	t.Run("300 s either way still pass", func(t *testing.T) {
		for _, d := range []int64{-300, 300} {
			v := good
			v.Now += d
			if _, err := v.verifier().Verify(t.Context(), v.request()); err != nil {
				t.Errorf("Verify at %+d s: %v", d, err)
			}
		}
	})
}

// A secret that is empty in the store must not be one that everybody knows.
func TestVerifyEmptySecret(t *testing.T) {
	v := vectors(t)[0]
	v.LiveSecrets = []string{""}
	v.Authorization = SVC{
		App: engines.AppID(v.App), Timestamp: v.Timestamp,
		Signature: Sign("", StringToSign(engines.AppID(v.App), v.Timestamp, v.Nonce, v.Method, v.Target, sha256.Sum256([]byte(v.Body)))),
	}.Header("SVC")
	_, err := v.verifier().Verify(t.Context(), v.request())
	wantCause(t, err, CauseSignature)
}

func TestParseSVC(t *testing.T) {
	sig := strings.Repeat("0a", 32)
	tests := []struct {
		header string
		ok     bool
	}{
		{"SVC a:" + sig + ":1767225600", true},
		{"SVC " + strings.Repeat("A", 64) + ":" + sig + ":1767225600123", true},
		{"SVC a.b_c-9:" + sig + ":1767225600", true},
		{"", false},
		{"SVC", false},
		{"SVC ", false},
		{"svc a:" + sig + ":1767225600", false},
		{"SVC  a:" + sig + ":1767225600", false},
		{"SVC\ta:" + sig + ":1767225600", false},
		{" SVC a:" + sig + ":1767225600", false},
		{"SVC :" + sig + ":1767225600", false},
		{"SVC " + strings.Repeat("A", 65) + ":" + sig + ":1767225600", false},
		{"SVC a b:" + sig + ":1767225600", false},
		{"SVC é:" + sig + ":1767225600", false},
		{"SVC a:" + sig[:63] + ":1767225600", false},
		{"SVC a:" + sig + "0:1767225600", false},
		{"SVC a:" + sig[:63] + "g:1767225600", false},
		{"SVC a:" + sig + ":", false},
		{"SVC a:" + sig, false},
		{"SVC a:" + sig + ":176722560", false},
		{"SVC a:" + sig + ":176722560000", false},
		{"SVC a:" + sig + ":17672256000000", false},
		{"SVC a:" + sig + ":+767225600", false},
		{"SVC a:" + sig + ":1767225600:1", false},
		{"SVC a:" + sig + ":１767225600", false},
	}
	for _, test := range tests {
		svc, err := ParseSVC(test.header, "SVC")
		if got := err == nil; got != test.ok {
			t.Errorf("ParseSVC(%q) = %v, %v; want ok %v", test.header, svc, err, test.ok)
		}
		if err != nil && CauseOf(err) != CauseGrammar {
			t.Errorf("ParseSVC(%q): cause %q, want %q", test.header, CauseOf(err), CauseGrammar)
		}
	}
	if _, err := ParseSVC("GAME a:"+sig+":1767225600", "GAME"); err != nil {
		t.Errorf("ParseSVC with a configured scheme: %v", err)
	}
}

func FuzzParseSVC(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.Authorization)
	}
	f.Add("SVC :::")
	f.Fuzz(func(t *testing.T, header string) {
		svc, err := ParseSVC(header, "SVC")
		if err != nil {
			return
		}
		// What is accepted has one spelling.
		if got := svc.Header("SVC"); got != header {
			t.Errorf("ParseSVC(%q) is spelled %q", header, got)
		}
		if svc.Time().IsZero() {
			t.Errorf("ParseSVC(%q) has no time", header)
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	for _, size := range []int{200, 30_000} {
		b.Run(map[int]string{200: "200B", 30_000: "30kB"}[size], func(b *testing.B) {
			v := vectors(b)[0]
			v.Body = strings.Repeat("x", size)
			toSign := StringToSign(engines.AppID(v.App), v.Timestamp, "", v.Method, v.Target, sha256.Sum256([]byte(v.Body)))
			v.Authorization = SVC{App: engines.AppID(v.App), Signature: Sign(v.Secret, toSign), Timestamp: v.Timestamp}.Header("SVC")
			verifier, r := v.verifier(), v.request()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := verifier.Verify(b.Context(), r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParseSVC(b *testing.B) {
	header := vectors(b)[0].Authorization
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseSVC(header, "SVC"); err != nil {
			b.Fatal(err)
		}
	}
}
