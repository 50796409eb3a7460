package text

import (
	"bufio"
	"encoding/csv"
	"io"
)

// byteOrderMark tells Excel that a CSV file is UTF-8; without it Excel reads the file in the code page of the machine.
const byteOrderMark = "\uFEFF"

// NewSheet begins a CSV file that people open in a spreadsheet. Nothing is written before the first Flush, and the writer keeps its first
// error. Files that a program reads have no byte order mark: encoding/csv writes them.
func NewSheet(w io.Writer) *csv.Writer {
	buffered := bufio.NewWriter(w)
	_, _ = buffered.WriteString(byteOrderMark) // buffered keeps its first error
	return csv.NewWriter(buffered)             // which csv does not buffer again
}
