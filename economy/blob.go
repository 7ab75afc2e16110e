package economy

// BlobPart names bytes of a blob that a book keeps out of the process.
type BlobPart struct {
	Name      string
	From, Len int
}
