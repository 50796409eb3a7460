// Package report writes the results of a long measurement into its results page.
package report

import (
	"fmt"
	"os"
	"strings"
)

// End is the line that ends the place of a table.
const End = "<!-- end of the table -->\n"

// Insert replaces the text between the line with begin, and End. It fails if the file has no such place.
func Insert(path, begin, body string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, ends := strings.Cut(rest, End)
	if !ok || !ends {
		return fmt.Errorf("%s has no place for the table", path)
	}
	if err := os.WriteFile(path, []byte(before+begin+body+End+after), 0o644); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// LoadAverage returns the load average of the last minute, or 0 if unavailable.
func LoadAverage() (load float64) {
	text, _ := os.ReadFile("/proc/loadavg") // Linux only
	_, _ = fmt.Sscan(string(text), &load)
	return load
}
