package store

import "github.com/portcullis-gg/portcullis/engines"

// States of an ImageBank.
const (
	// ImageBankTest counts what it finds and says nothing of it.
	ImageBankTest = "test"
	// ImageBankLive has its findings count.
	ImageBankLive = "live"
	// ImageBankRetired is looked at no more, and stays so that records can name it.
	ImageBankRetired = "retired"
)

// Kinds of hashes in a bank.
const (
	ImagePDQ    = "pdq"
	ImageSHA256 = "sha256"
)

// States of an ImageImport.
const (
	ImageImportReceiving = "receiving"
	ImageImportDone      = "done"
	ImageImportRetired   = "retired"
)

// ImageBank is a bank of pictures that are known, by their hashes.
type ImageBank struct {
	ID string
	// App is whose it is, "" for a bank that counts for all apps.
	App      engines.AppID
	Name     string // unique among the owner's
	Category engines.Category
	SubLabel string
	// Radius is the largest distance of perceptual hashes that counts, LeastQuality the
	// quality below which they say too little.
	Radius, LeastQuality int
	State                string
	Note                 string
	Version              int
	// PDQ and SHA256 are how many numbers of each kind were given; Imports is how many
	// imports were committed, Rebuilds how often some were taken back.
	PDQ, SHA256, Imports, Rebuilds int64
	By                             string
	Created, Changed               int64 // epoch ms of our clock
}

// ImageImport is one addition to a bank: a file or a picture. Its hashes have the
// numbers PDQFirst to PDQFirst+PDQ, and so on; they are the bank's entries.
type ImageImport struct {
	ID, Bank string
	// Place is its turn among the imports of its bank, from 1; 0 until it is done.
	Place  int64
	State  string
	Source string // where the hashes are from, as whoever imported them says
	Format string
	// Lines is how many the file had; LeftOut how many of them gave no hash.
	Lines, LeftOut      int64
	PDQFirst, PDQ       int64
	SHA256First, SHA256 int64
	By                  string
	Created, Changed    int64 // epoch ms of our clock
}

// ImageChunk is some hashes of an import, in order.
type ImageChunk struct {
	Import, Kind string
	Seq          int
	Hashes       [][32]byte
}

// ImageEntry is one hash of a bank.
type ImageEntry struct {
	Bank, Kind string
	Number     int64
}

// ImageMatches is how much a bank found on a day while it was in a state.
type ImageMatches struct {
	Bank  string
	Day   int64 // epoch ms, midnight UTC
	State string
	N     int64
}
