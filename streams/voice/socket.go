package voice

import (
	"errors"
	"net"
	"net/netip"
	"time"

	"golang.org/x/net/ipv4"
)

const (
	// batchMost is how many packets are read in one system call.
	batchMost = 64
	// receiveMost is the largest packet that is read whole; Pion reads no larger one.
	receiveMost = 1500
	// gather is how long packets gather in the socket between two reads while many come.
	// Each read wakes the workers, and a wake-up costs more than what is then done with a
	// packet of 60 bytes. A packet waits half of it on the mean.
	gather = time.Millisecond
	// many is how many packets a second are so many that they are gathered: with fewer
	// there is hardly ever more than one to read.
	many = 1500
	// countFor is how long packets are counted until that is decided anew.
	countFor = 50 * time.Millisecond
)

// socket is the UDP port of all calls, of which many packets are read at once. One
// goroutine reads it, Pion's, which hears what is tapped on its way; any number write.
type socket struct {
	*net.UDPConn

	taps  taps
	batch *ipv4.PacketConn
	read  []ipv4.Message
	at, n int // of read: the next packet, and how many there are

	since  time.Time // that packets are counted
	count  int
	gather bool
}

func newSocket(conn *net.UDPConn) *socket {
	s := &socket{UDPConn: conn, batch: ipv4.NewPacketConn(conn), read: make([]ipv4.Message, batchMost)}
	room := make([]byte, batchMost*receiveMost)
	for i := range s.read {
		s.read[i].Buffers = [][]byte{room[i*receiveMost : (i+1)*receiveMost : (i+1)*receiveMost]}
	}
	return s
}

// ReadFromAddrPort reads the next packet that no tap takes. Errors are those of the connection.
func (s *socket) ReadFromAddrPort(b []byte) (int, netip.AddrPort, error) {
	for {
		if s.at == s.n {
			if err := s.fill(); err != nil {
				return 0, netip.AddrPort{}, err
			}
		}
		m := &s.read[s.at]
		s.at++
		addr, ok := m.Addr.(*net.UDPAddr)
		if !ok {
			return 0, netip.AddrPort{}, errors.New("a packet of no UDP address")
		}
		from := addr.AddrPort()
		if !s.taps.take(m.Buffers[0][:m.N], from) {
			return copy(b, m.Buffers[0][:m.N]), from, nil
		}
	}
}

// ReadFrom is ReadFromAddrPort for who wants a net.Addr.
func (s *socket) ReadFrom(b []byte) (int, net.Addr, error) {
	n, from, err := s.ReadFromAddrPort(b)
	return n, net.UDPAddrFromAddrPort(from), err
}

// WriteToAddrPort writes one packet.
func (s *socket) WriteToAddrPort(b []byte, to netip.AddrPort) (int, error) {
	return s.WriteToUDPAddrPort(b, to) //nolint:wrapcheck // Pion looks for net's errors
}

// fill waits for packets and reads those that are there.
func (s *socket) fill() error {
	if s.gather {
		time.Sleep(gather)
	}
	n, err := s.batch.ReadBatch(s.read, 0)
	if err != nil {
		return err //nolint:wrapcheck // as above
	}
	s.at, s.n = 0, n
	s.counted(n, time.Now())
	return nil
}

// counted counts packets that were read, and decides whether they are so many.
func (s *socket) counted(n int, now time.Time) {
	s.count += n
	took := now.Sub(s.since)
	if took < countFor {
		return
	}
	s.gather = float64(s.count) >= many*took.Seconds()
	s.since, s.count = now, 0
}
