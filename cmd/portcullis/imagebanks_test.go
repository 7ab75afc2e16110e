package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/image/pdq"
)

// bankDrawing has something to see in it.
func bankDrawing() *image.Paletted {
	img := image.NewPaletted(image.Rect(0, 0, 160, 120), color.Palette{color.Black, color.White, color.RGBA{200, 30, 60, 255}, color.RGBA{20, 90, 160, 255}})
	for y := range 120 {
		for x := range 160 {
			img.SetColorIndex(x, y, uint8((x*x/700+y*y/300+x*y/900)%4))
		}
	}
	return img
}

func bankFile(t *testing.T, kind string) []byte {
	t.Helper()
	var file bytes.Buffer
	var err error
	switch kind {
	case "png":
		err = png.Encode(&file, bankDrawing())
	case "gif":
		err = gif.Encode(&file, bankDrawing(), nil)
	case "jpeg":
		err = jpeg.Encode(&file, bankDrawing(), &jpeg.Options{Quality: 60})
	}
	if err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// A picture in another format has nearly the same hash; what is no picture, or too large
// a one, says so.
func TestBankPictures(t *testing.T) {
	cfg, err := loadConfig("", nil)
	if err != nil {
		t.Fatal(err)
	}
	hashes, err := newPictures(&cfg.Image)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"png", "gif", "jpeg"} {
		file := bankFile(t, kind)
		f, err := hashes.Facts(t.Context(), file)
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		want, _ := pdq.Sum(bankDrawing())
		if d := pdq.Hash(f.PDQ).Distance(want); d > 10 || f.PDQQuality < 50 || f.SHA256 != sha256.Sum256(file) || f.Format != kind {
			t.Errorf("%s: at %d bits, %+v", kind, d, f)
		}
	}
	large := bankFile(t, "gif")
	copy(large[6:], []byte{255, 255, 255, 255}) // 65535 by 65535 pixels, as its head says
	for name, file := range map[string][]byte{"text": []byte("no picture"), "nothing": nil, "cut": bankFile(t, "png")[:60], "large": large} {
		if f, err := hashes.Facts(t.Context(), file); err == nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// A studio posts a picture and is told of a copy of it. A page of another site, which
// can send what a form sends, is no admin.
func TestPostPicture(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serveProcess(t, nil, "--data", dir)
	game := newCaller(t, p, nil, dir)
	game.must(t, 200, "PUT", "image-banks/ours", `{"category":"ip_infringement","state":"live"}`)
	post := func(target, kind, body string, status int, has string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+"/api/v1/"+target, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", kind)
		game.authorize(req, "/api/v1/"+target, body)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		if err := errors.Join(err, resp.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != status || !strings.Contains(string(text), has) {
			t.Errorf("POST %s of %s = %d %s, want %d with %s", target, kind, resp.StatusCode, text, status, has)
		}
	}
	post("image-banks/ours/pictures?source=kit", "image/png", string(bankFile(t, "png")), 200, `"pdq":{"first":0,"count":1}`)
	post("image-banks/ours/pictures", "image/png", "no picture", 415, "1006")
	post("image-banks/ours/pictures", "image/png", "", 400, "1001")
	post("image-banks/test", "image/jpeg", string(bankFile(t, "jpeg")), 200, `"entry":"pdq/0"`)
	post("image-banks/test", "image/png", string(bankFile(t, "png")), 200, `"entry":"sha256/0"`)
	game.secret, game.cookie = "", "__Host-portcullis=x"
	for _, kind := range []string{"text/plain", "multipart/form-data; boundary=x", ""} {
		post("image-banks/ours/pictures?app_id=game", kind, "x", 415, "Content-Type")
	}
}
