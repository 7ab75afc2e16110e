package bert

import "encoding/binary"

// cursor reads on in a packed file. After the first fault it gives zeros.
type cursor struct {
	b   []byte
	err error
}

func (c *cursor) take(n int) []byte {
	if c.err != nil || n < 0 || n > len(c.b) {
		c.err = errPacked
		return nil
	}
	part := c.b[:n:n]
	c.b = c.b[n:]
	return part
}

func (c *cursor) byte() int {
	if b := c.take(1); c.err == nil {
		return int(b[0])
	}
	return 0
}

func (c *cursor) short() int {
	if b := c.take(2); c.err == nil {
		return int(binary.LittleEndian.Uint16(b))
	}
	return 0
}

func (c *cursor) whole() int {
	if b := c.take(4); c.err == nil {
		return int(binary.LittleEndian.Uint32(b))
	}
	return 0
}

// long is a number of 64 bits, which must be of something that fits the file.
func (c *cursor) long() int {
	b := c.take(8)
	if c.err != nil {
		return 0
	}
	v := binary.LittleEndian.Uint64(b)
	if v > 1<<31 {
		c.err = errPacked
		return 0
	}
	return int(v) //nolint:gosec // below 2^31
}

// count is a number of things, at most so many.
func (c *cursor) count(most int) int {
	n := c.whole()
	if n > most {
		c.err = errPacked
		return 0
	}
	return n
}
