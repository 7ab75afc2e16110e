// Package deps holds who may import whom, and checks the source against it. The
// tables are the drawing of ARCHITECTURE.md in a form that a test can read; a
// package that isn't in them fails the build, so that a new one is drawn first.
package deps

// module is our import path.
const module = "github.com/portcullis-gg/portcullis"

// rules are what Check holds the source against.
type rules struct {
	// packages names, for each of our packages, which of our others it may import.
	// A trailing "/..." stands for the package and all below it, as a key (the
	// nearest one counts) and as a value. "*" is every package.
	packages map[string][]string
	// tests is what the tests of a package may import besides.
	tests map[string][]string
	// libraries names, for each library of others, the packages (or single files)
	// that may import it.
	libraries map[string][]string
	// testLibraries may be imported by any test.
	testLibraries []string
	// jsonTags are the packages whose structs may carry JSON tags.
	jsonTags []string
}

// table is the project's.
var table = rules{
	packages: map[string][]string{
		"engines":                      nil,
		"engines/text/...":             {"engines", "engines/models", "engines/text/...", "configs/lexicons"},
		"engines/text/meaning":         {"engines/models", "engines/text/encoder"},
		"engines/text/meaning/weights": nil,
		"engines/text/reading":         nil,
		"engines/text/stage":           {"engines/models", "engines/text", "engines/text/gist", "engines/text/meaning", "engines/text/reading"},
		"engines/text/encoder":         {"engines/models", "engines/onnx"},
		"engines/text/gist":            {"engines/models", "engines/models/unigram", "engines/text/encoder"},
		"engines/text/gist/weights":    nil,
		"engines/text/gist/pack":       {"engines/models", "engines/models/bert"},
		"engines/policy":               {"engines"},
		"engines/name":                 {"engines", "engines/text"}, // which letters are taken for which
		"engines/enginetest":           {"engines"},
		// decode, pdq, ocr and the others beside it know nothing of each other.
		"engines/image/...":            {"engines", "engines/models", "engines/foreign"},
		"engines/foreign":              nil,
		"engines/audio/decode":         {"engines", "engines/foreign", "engines/audio/resample"},
		"engines/models":               {"engines"},
		"engines/audio":                {"engines", "engines/audio/...", "engines/remember"},
		"engines/remember":             {"engines"},
		"engines/audio/...":            {"engines"},
		"engines/audio/speech":         nil,
		"engines/audio/spoken":         nil,
		"engines/audio/phrases":        {"engines/audio/speech"},
		"engines/audio/whisper":        {"engines", "engines/audio/fft", "engines/audio/speech", "engines/models/ct2", "engines/onnx"},
		"economy":                      {"engines"},
		"economy/...":                  {"engines", "economy", "economy/...", "internal/follow", "internal/turns"},
		"internal/follow":              nil,
		"internal/turns":               nil,
		"engines/image":                {"engines", "engines/image/...", "engines/remember"},
		"engines/image/classify":       {"engines", "engines/image", "engines/image/classify/eight", "engines/models", "engines/onnx"},
		"engines/image/classify/eight": {"engines/models/onnxfile"},
		"engines/models/...":           {"engines/models", "engines/models/..."},
		"engines/models/pull":          {"engines/models", "engines/models/...", "engines/text/gist/weights", "engines/text/meaning/weights"},
		"engines/onnx":                 nil,
		// resample, acoustic, vad and speaker know nothing of each other.
		"engines/audio/resample": nil,
		"engines/audio/fft":      nil,
		"engines/audio/acoustic": {"engines", "engines/audio/fft"},
		"engines/audio/vad":      {"engines/audio/fft", "engines/models", "engines/models/silero", "engines/onnx"},
		"engines/audio/speaker":  {"engines/audio/fft", "engines/models", "engines/models/ge2e", "engines/onnx"},
		// Draws pictures to measure with; internal/bench and tests use it.
		"internal/pictures": {"engines"},
		// Makes sounds to measure with, likewise.
		"internal/sounds":   nil,
		"engines/image/ocr": {"engines", "engines/models", "engines/onnx", "engines/image/ocr/..."},
		// It wraps a library and knows nothing of ours.
		"engines/image/ocr/seam":      nil,
		"engines/image/ocr/tesseract": nil,
		"engines/image/ocr/thai":      {"engines/models/onnxfile"},
		// What tests of models share.
		"engines/onnx/onnxtest":       {"engines/onnx"},
		"engines/image/code/codetest": {"engines"},
		// The records of internal/store are words, as those of engines are; its
		// drivers, in the folders below, stay out of reach.
		"internal/review":          {"engines", "engines/policy", "internal/store"},
		"internal/dispatch":        {"engines", "internal/store"},
		"internal/casework":        {"engines", "internal/store"},
		"internal/policies":        {"engines", "engines/policy", "internal/store", "internal/follow", "internal/turns"},
		"internal/hashlist":        nil,
		"internal/banks":           {"engines", "engines/image/bank", "internal/hashlist", "internal/store", "internal/follow"},
		"internal/session":         {"engines"},
		"internal/store":           {"engines", "internal/session", "economy"},
		"internal/store/...":       {"engines", "internal/session", "economy", "internal/store", "internal/giveway"},
		"internal/store/storetest": {"engines", "internal/session", "economy", "internal/store/..."},
		"internal/hooks":           {"engines", "economy", "internal/store"},
		"internal/giveway":         nil,
		// It reads the lines of batches and writes their results, which clients see.
		"internal/batch":     {"engines", "economy", "internal/review", "internal/store", "internal/wire", "internal/giveway"},
		"internal/table":     {"engines"},
		"internal/stats":     {"engines", "economy", "internal/store", "internal/table"},
		"internal/report":    {"engines", "economy", "internal/store", "internal/table"},
		"internal/wire":      {"engines", "engines/name", "economy", "internal/store", "internal/table"},
		"internal/penalty":   {"engines", "engines/policy", "economy", "internal/store"},
		"internal/players":   {"engines", "economy", "internal/store"},
		"internal/evidence":  {"engines", "engines/image/decode", "engines/audio/decode", "internal/store", "internal/audit"},
		"internal/audit":     {"internal/store"},
		"internal/history":   {"engines", "internal/store"},
		"internal/voicelink": {"engines", "engines/audio/speaker", "internal/store"},
		"internal/erasure":   {"engines", "internal/store"},
		"internal/auth":      {"engines"},
		"internal/limit":     {"engines"},
		// They measure the engines in process, or from outside; bench looks at what a
		// gateway that it killed has stored.
		"internal/bench": {"streams/voice/caller", "engines", "engines/image/decode", "internal/pictures", "internal/auth", "engines/models", "engines/onnx", "engines/text", "engines/text/stage", "engines/policy", "internal/eval", "internal/resident", "economy", "economy/...", "internal/store", "internal/store/redisstore", "internal/store/sqlstore", "internal/stats", "internal/table", "internal/report", "internal/policies"},
		"internal/eval":  {"internal/auth", "engines", "engines/audio/...", "engines/models", "engines/onnx", "engines/text/reading", "engines/text/stage", "internal/pictures", "internal/sounds", "internal/eval/worlds", "engines/text", "engines/policy", "economy", "economy/..."},
		// Plays economies to measure on, and knows nothing of how they are judged.
		"internal/eval/worlds": nil,
		"internal/deps":        nil,
		"internal/resident":    nil,
		"streams/chat":         {"engines", "internal/wire", "internal/session"},
		"streams/voice":        {"engines", "engines/audio/acoustic", "engines/audio/vad", "engines/audio/resample", "internal/wire", "internal/session"},
		// A client that speaks a file: for tools and tests.
		"streams/voice/caller": nil,
		// Who asks and how often are words of the door, like the records of
		// internal/store; Redis and SQL themselves stay behind interfaces.
		"gateway": {"engines", "engines/policy", "economy", "internal/policies", "internal/wire", "internal/auth", "internal/limit", "internal/session", "internal/store", "internal/penalty", "internal/players", "internal/table", "internal/report", "internal/evidence", "internal/casework", "internal/banks", "internal/hashlist"},
		// So are those of policies.
		"web/...":        nil,
		"configs/...":    nil,
		"sdk/...":        {"engines", "engines/text/...", "engines/policy"},
		"cmd/portcullis": {"*"},
	},
	// Tests run the real thing, so a suite or a driver may stand in for the
	// interface that the package itself declares.
	tests: map[string][]string{
		"engines/image/code": {"engines/image/code/codetest"},
		"internal/store/...": {"internal/store/..."},
		"internal/hooks":     {"internal/store/..."},
		"internal/dispatch":  {"internal/store/..."},
		"internal/batch":     {"internal/store/...", "engines/policy"},
		"internal/stats":     {"internal/store/...", "internal/review"},
		"internal/report":    {"internal/store/...", "internal/stats", "internal/review"},
		"internal/penalty":   {"internal/store/..."},
		"internal/players":   {"internal/store/..."},
		"internal/evidence":  {"internal/store/..."},
		"internal/banks":     {"internal/store/...", "engines/image/pdq"},
		"internal/audit":     {"internal/store/..."},
		"internal/history":   {"internal/store/..."},
		"internal/erasure":   {"internal/store/...", "economy"},
		"internal/casework":  {"internal/store/...", "economy"},
		"internal/policies":  {"internal/store/...", "engines/text"},
		"streams/voice":      {"streams/voice/caller"},
		"engines/...":        {"engines/enginetest", "engines/onnx/onnxtest", "engines/onnx", "engines/models/onnxfile", "internal/pictures", "internal/sounds"},
		"gateway":            {"web"}, // the routes are held against openapi.yaml
	},
	libraries: map[string][]string{
		"github.com/gofiber/fiber/v2":      {"gateway"},
		"github.com/valyala/fasthttp":      {"gateway"},
		"github.com/coder/websocket":       {"streams/chat", "gateway/upgrade.go", "gateway/deps.go", "gateway/stream.go", "gateway/egress.go"},
		"github.com/redis/go-redis/v9":     {"internal/store/redisstore", "internal/limit"},
		"github.com/go-redis/redis_rate":   {"internal/limit"},
		"github.com/alicebob/miniredis/v2": {"internal/store/redisstore"},
		"github.com/jackc/pgx/v5":          {"internal/store/sqlstore", "internal/store/storetest", "internal/bench/benchdb.go"},
		"modernc.org/sqlite":               {"internal/store/sqlstore", "internal/bench/economybare.go"},
		"github.com/pressly/goose/v3":      {"internal/store/sqlstore"},
		"github.com/golang-jwt/jwt/v5":     {"internal/auth", "internal/bench"},
		"golang.org/x/crypto":              {"internal/auth", "internal/store/sqlstore"},
		"go.yaml.in/yaml/v3":               {"cmd/portcullis", "engines/policy", "engines/text/..."},
		"github.com/expr-lang/expr":        {"economy/rules"},
		"golang.org/x/term":                {"cmd/portcullis"},
		"golang.org/x/sys":                 {"engines/onnx", "internal/bench", "internal/giveway", "engines/image/classify/eight", "engines/models"},
		"github.com/go-json-experiment/json": {
			"internal/wire", "internal/bench", "internal/auth", "streams/chat", "gateway",
		},
		"github.com/yalue/onnxruntime_go": {
			"engines/onnx",
		},
		"github.com/pion/webrtc/v4": {"streams/voice/..."}, "github.com/pion/ice/v4": {"streams/voice"}, "github.com/pion/interceptor": {"streams/voice/..."},
		"github.com/pion/dtls/v3": {"streams/voice"}, "github.com/pion/srtp/v3": {"streams/voice"}, "github.com/pion/rtcp": {"streams/voice"},
		"github.com/pion/logging": {"streams/voice/..."}, "github.com/pion/rtp": {"streams/voice/..."}, "github.com/pion/sdp/v3": {"streams/voice"},
		"github.com/prometheus/client_golang": {
			"engines", "streams/voice", "internal/review", "internal/voicelink", "internal/casework", "internal/dispatch", "internal/hooks", "internal/batch", "internal/history", "streams/chat", "gateway", "internal/limit", "internal/store/...", "cmd/portcullis",
		},
		"github.com/google/uuid":        {"internal/review", "internal/store/storetest", "internal/policies", "internal/casework", "internal/hooks", "internal/batch", "internal/report", "internal/penalty", "internal/evidence", "internal/erasure", "internal/store/sqlstore", "internal/banks", "gateway", "streams/chat", "internal/wire", "cmd/portcullis"},
		"github.com/rivo/uniseg":        {"engines/name", "engines/policy", "engines/text/..."},
		"github.com/cespare/xxhash/v2":  {"streams/chat"},
		"golang.org/x/text":             {"engines/name", "engines/text/...", "internal/auth", "internal/pictures"},
		"golang.org/x/sync":             {"*"},
		"golang.org/x/time":             {"internal/limit", "gateway", "streams/chat"},
		"golang.org/x/net":              {"gateway", "streams/voice"},
		"github.com/makiuchi-d/gozxing": {"engines/image/code/..."},
		"golang.org/x/image":            {"internal/pictures", "engines/image/..."},
		"github.com/hajimehoshi/go-mp3": {"engines/audio/decode"},
		"github.com/mewkiz/flac":        {"engines/audio/decode"},
		"github.com/pion/opus":          {"engines/audio/decode", "streams/voice"},
	},
	testLibraries: []string{
		"github.com/google/go-cmp", "go.uber.org/goleak", "github.com/rogpeppe/go-internal",
		"github.com/coder/websocket", "github.com/golang-jwt/jwt/v5", "github.com/prometheus/client_golang",
		"github.com/go-json-experiment/json", "github.com/alicebob/miniredis/v2", "go.yaml.in/yaml/v3",
		"github.com/redis/go-redis/v9",
	},
	// Only internal/wire shapes JSON for clients. The others write for machines on
	// our own side (records, commands with --json, what is read from a client's
	// token) or are a client themselves (bench).
	jsonTags: []string{
		"internal/wire", "internal/store/...", "internal/auth", "internal/bench", "internal/eval", "internal/eval/worlds", "cmd/portcullis",
		"internal/evidence", // the archives that it packs and checks
	},
}
