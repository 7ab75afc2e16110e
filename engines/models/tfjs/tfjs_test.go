package tfjs

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
)

func TestExported(t *testing.T) {
	for text, want := range map[string]any{
		`!function(){module.exports=t()}({1:[function(e){e.exports={a:-.5,"b c":[1e3,!0,!1,null,void 0],d:{}}},{}]})`: map[string]any{
			"a": -.5, "b c": []any{1000., true, false, nil, nil}, "d": map[string]any{},
		},
		`e.exports="AQI="},{}]`:         "AQI=",
		`e.exports='a\'b\u0041\x42\n'`:  "a'bAB\n",
		` {"format": "graph-model" }  `: map[string]any{"format": "graph-model"},
	} {
		got, err := exported(text)
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("exported(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "let x = 1", "e.exports=", "e.exports={a:1", "e.exports={a 1}", "e.exports={1}", "e.exports=[1 2]", `e.exports="abc`, `e.exports={a:"\u12"}`,
		`e.exports={a:f()}`, "e.exports=" + strings.Repeat("[", 10000), "e.exports=\"a\nb\"",
	} {
		if v, err := exported(text); err == nil {
			t.Errorf("exported(%.40q) = %v, want an error", text, v)
		}
	}
}

// small is a model with one of each: a convolution by 2 pixels with a bias and relu6,
// one by channel, an average and a product.
const small = `{format:"graph-model",modelTopology:{node:[
{name:"x",op:"Placeholder",attr:{shape:{shape:{dim:[{size:"-1"},{size:"2"},{size:"2"},{size:"2"}]}}}},
{name:"w",op:"Const"},{name:"b",op:"Const"},{name:"d",op:"Const"},{name:"m",op:"Const"},{name:"one",op:"Const"},
{name:"more",op:"AddV2",input:["x","one"]},
{name:"conv",op:"_FusedConv2D",input:["more","w","b"],attr:{strides:{list:{i:["1","1","1","1"]}},padding:{s:"U0FNRQ=="},data_format:{s:"TkhXQw=="},fused_ops:{list:{s:["Qmlhc0FkZA==","UmVsdTY="]}}}},
{name:"deep",op:"DepthwiseConv2dNative",input:["conv","d"],attr:{strides:{list:{i:["1","1","1","1"]}},padding:{s:"VkFMSUQ="},data_format:{s:"TkhXQw=="}}},
{name:"pool",op:"AvgPool",input:["deep"],attr:{ksize:{list:{i:["1","2","2","1"]}},strides:{list:{i:["1","1","1","1"]}},padding:{s:"VkFMSUQ="},data_format:{s:"TkhXQw=="}}},
{name:"flat",op:"Squeeze",input:["pool"],attr:{squeeze_dims:{list:{i:["1","2"]}}}},
{name:"out",op:"_FusedMatMul",input:["flat","m"],attr:{transpose_b:{b:!1}}}]},
weightsManifest:[{paths:["s1","s2"],weights:[
{name:"w",shape:[1,1,2,2],dtype:"float32",quantization:{min:-1,scale:.5,dtype:"uint8"}},
{name:"b",shape:[2],dtype:"float32",quantization:{min:0,scale:1,dtype:"uint8"}},
{name:"d",shape:[1,1,2,1],dtype:"float32",quantization:{min:0,scale:1,dtype:"uint8"}},
{name:"m",shape:[2,2],dtype:"float32",quantization:{min:0,scale:1,dtype:"uint8"}},
{name:"one",shape:[2],dtype:"float32",quantization:{min:0,scale:1,dtype:"uint8"}}]}]}`

func packed(model string, weights []byte) Files {
	module := func(b []byte) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(`t.exports="` + base64.StdEncoding.EncodeToString(b) + `"`)}
	}
	files := fstest.MapFS{
		"m/model.js": {Data: []byte("module.exports=" + model)},
		"m/s1.js":    module(weights[:5]), "m/s2.js": module(weights[5:]),
	}
	return func(name string) ([]byte, error) { return fs.ReadFile(files, name) }
}

// weights of small: w is [in][out] = 1, 0 / -0.5, 2 (in halves from -1), b 1, 0, d 1, 2,
// m 1, 1 / 0, 1, one 0, 1.
var weights = []byte{4, 2, 1, 6, 1, 0, 1, 2, 1, 1, 0, 1, 0, 1}

func TestConvert(t *testing.T) {
	onnxtest.Start(t)
	model, err := Convert("m/model.js", ".js", packed(small, weights))
	if err != nil {
		t.Fatal(err)
	}
	again, err := Convert("m/model.js", ".js", packed(small, weights))
	if err != nil || !bytes.Equal(model, again) {
		t.Errorf("a second conversion differs (%v)", err)
	}
	s, err := onnx.New(model)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	// Two channels a pixel. By hand, for a pixel (p, q): q' = q+1; conv = (1·p − ½·q' + 1,
	// 2·q'), each 0 to 6; by channel ×1 and ×2; the mean of four; out = (a, a+b).
	in := []float32{1, 0, 2, 1, 9, 0, 0, 3}
	want := []float32{(1.5 + 2 + 6 + 0) / 4, (1.5+2+6+0)/4 + 2*(2.+4+2+6)/4}
	err = s.Run([]onnx.Tensor{{Shape: []int{1, 2, 2, 2}, Data: in}}, func(out []onnx.Tensor) error {
		if !cmp.Equal(out[0].Data, want) {
			t.Errorf("Run = %v, want %v", out[0].Data, want)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestConvertRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		model   string
		weights []byte
		want    string
	}{
		"operator":     {strings.Replace(small, `op:"AvgPool"`, `op:"Where"`, 1), weights, "Where pool: this operator is not supported"},
		"short":        {small, weights[:13], "weight one: 1 bytes are left of 2"},
		"long":         {small, append(bytes.Clone(weights), 7), "1 bytes of weights belong to none"},
		"format":       {strings.Replace(small, "graph-model", "layers-model", 1), weights, `format "layers-model"`},
		"quantization": {strings.Replace(small, "uint8", "uint4", 1), weights, "values stored as uint4"},
		"shape":        {strings.Replace(small, "shape:[1,1,2,2]", "shape:[1,1,2,-2]", 1), weights, "weight w: shape"},
		"input":        {strings.Replace(small, `input:["flat","m"]`, `input:["flat","y"]`, 1), weights, "its input y comes after it, or never"},
		"padding":      {strings.Replace(small, "U0FNRQ==", "RVhQTElDSVQ=", 1), weights, `padding "EXPLICIT"`},
		"function":     {strings.Replace(small, "UmVsdTY=", "RWx1", 1), weights, "Elu is not supported"},
		"no model":     {`{a:1}`, weights, "no model of TensorFlow.js"},
		"two outputs":  {strings.Replace(small, `{name:"w",op:"Const"}`, `{name:"w",op:"Const"},{name:"side",op:"Relu",input:["x"]}`, 1), weights, "of 4 dimensions is not supported"},
	} {
		_, err := Convert("m/model.js", ".js", packed(c.model, c.weights))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want it to say %q", name, err, c.want)
		}
	}
	_, err := Convert("m/model.js", ".js", func(string) ([]byte, error) { return nil, fs.ErrNotExist })
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Convert = %v, want the fault of the file", err)
	}
}

func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float32{0x3c00: 1, 0xc000: -2, 0x3555: 0.33325195, 1: 5.9604645e-08, 0x7bff: 65504, 0: 0} {
		if got := half(bits); got != want {
			t.Errorf("half(%#x) = %v, want %v", bits, got, want)
		}
	}
}

func FuzzExported(f *testing.F) {
	f.Add("module.exports=" + small)
	f.Add(`e.exports='\u0041'`)
	f.Fuzz(func(_ *testing.T, text string) {
		_, _ = exported(text)
		_, _ = Convert("m/model.js", ".js", func(string) ([]byte, error) { return []byte(text), nil })
	})
}
