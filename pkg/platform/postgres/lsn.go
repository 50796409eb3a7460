package postgres

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// LSN is a position in the primary's write-ahead log.
type LSN uint64

// NeverReplayed is beyond what any replica has replayed.
const NeverReplayed LSN = math.MaxUint64

var lsnForm = regexp.MustCompile(`^([0-9A-F]{1,8})/([0-9A-F]{1,8})$`)

// ParseLSN reads a position as Postgres writes it, such as 16/B374D848.
func ParseLSN(s string) (LSN, error) {
	parts := lsnForm.FindStringSubmatch(s)
	if parts == nil {
		return 0, errors.New("want a position such as 16/B374D848")
	}
	var halves [2]uint64
	for i := range halves {
		half, err := strconv.ParseUint(parts[i+1], 16, 32)
		if err != nil {
			return 0, fmt.Errorf("read a position: %w", err)
		}
		halves[i] = half
	}
	return LSN(halves[0]<<32 | halves[1]), nil
}

// String returns the position as Postgres writes it.
func (l LSN) String() string { return fmt.Sprintf("%X/%X", uint64(l)>>32, uint64(l)&math.MaxUint32) }

// Scan reads a position from a column of type pg_lsn cast to text.
func (l *LSN) Scan(from any) error {
	text := ""
	switch v := from.(type) {
	case string:
		text = v
	case []byte:
		text = string(v)
	}
	read, err := ParseLSN(text)
	*l = read
	return err
}
