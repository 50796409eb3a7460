package backup

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// The file is a gzipped tar: about.json, each table's rows in chunks (tables/<name>/000001 …, in COPY's format), the documents
// (objects/<key>) and finally end.json. A file without end.json is an interrupted backup.
const (
	format    = 1
	aboutName = "about.json"
	endName   = "end.json"
	tables    = "tables/"
	objects   = "objects/"
	pieceSize = 4 << 20 // bytes per chunk of a table, which is held in memory

	contentType = "FRANCHISE360.contenttype" // of a document, as a PAX record of its entry
)

// about is the header: it describes the file's contents.
type about struct {
	Format    int              `json:"format"`
	Release   string           `json:"release"` // of the program that wrote the file
	MadeAt    string           `json:"made_at"` // when the snapshot was taken, RFC 3339
	Schema    string           `json:"schema"`  // the migrations that made the tables
	Tables    []table          `json:"tables"`
	Sequences map[string]int64 `json:"sequences"` // next value of each sequence
	Objects   bool             `json:"objects"`   // whether documents are included
}

type table struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
}

// end is the trailer: it counts the file's contents.
type end struct {
	Rows    map[string]int64 `json:"rows"` // by table
	Objects int64            `json:"objects"`
}

type writer struct {
	zip *gzip.Writer
	tar *tar.Writer
}

func newWriter(out io.Writer) *writer {
	zip := gzip.NewWriter(out)
	return &writer{zip: zip, tar: tar.NewWriter(zip)}
}

func (w *writer) entry(name string, body []byte, records map[string]string) error {
	header := &tar.Header{Name: name, Size: int64(len(body)), Mode: 0o600, PAXRecords: records, Format: tar.FormatPAX}
	if err := w.tar.WriteHeader(header); err != nil {
		return fmt.Errorf("write the file: %w", err)
	}
	if _, err := w.tar.Write(body); err != nil {
		return fmt.Errorf("write the file: %w", err)
	}
	return nil
}

func (w *writer) json(name string, value any) error {
	body, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return w.entry(name, append(body, '\n'), nil)
}

func (w *writer) close() error {
	if err := errors.Join(w.tar.Close(), w.zip.Close()); err != nil {
		return fmt.Errorf("write the file: %w", err)
	}
	return nil
}

// pieces splits one table's rows into entries of bounded size, because a tar entry's size precedes its content.
type pieces struct {
	to     *writer
	table  string
	number int
	buffer []byte
}

// Write buffers bytes until there are enough for an entry.
func (p *pieces) Write(text []byte) (int, error) {
	p.buffer = append(p.buffer, text...)
	if len(p.buffer) < pieceSize {
		return len(text), nil
	}
	return len(text), p.flush()
}

func (p *pieces) flush() error {
	if len(p.buffer) == 0 {
		return nil
	}
	p.number++
	err := p.to.entry(fmt.Sprintf("%s%s/%06d", tables, p.table, p.number), p.buffer, nil)
	p.buffer = p.buffer[:0]
	return err
}

// reader iterates over the entries; the current one stays until it is consumed.
type reader struct {
	zip    *gzip.Reader
	tar    *tar.Reader
	header *tar.Header // nil after the last one
}

func newReader(in io.Reader) (*reader, error) {
	zip, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("this is no backup: %w", err)
	}
	r := &reader{zip: zip, tar: tar.NewReader(zip)}
	return r, r.next()
}

func (r *reader) next() error {
	header, err := r.tar.Next()
	if errors.Is(err, io.EOF) {
		r.header = nil
		return nil
	}
	if err != nil {
		return fmt.Errorf("the file is broken off or damaged: %w", err)
	}
	r.header = header
	return nil
}

// json decodes the current entry, which must have the given name, and advances.
func (r *reader) json(name string, into any) error {
	if r.header == nil || r.header.Name != name {
		return fmt.Errorf("the file is broken off: it has no %s where it should", name)
	}
	if err := json.NewDecoder(r.tar).Decode(into); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return r.next()
}

// done reads past the last entry, where gzip keeps its checksum.
func (r *reader) done() error {
	if r.header != nil {
		return fmt.Errorf("the file goes on after its end with %s", r.header.Name)
	}
	if _, err := io.Copy(io.Discard, r.zip); err != nil {
		return fmt.Errorf("the file is broken off or damaged: %w", err)
	}
	return nil
}

// atTable returns the table the current chunk belongs to, or "".
func (r *reader) atTable() string {
	if r.header == nil || !strings.HasPrefix(r.header.Name, tables) {
		return ""
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(r.header.Name, tables), "/")
	return name
}

// rows reads the chunks of one table as a single stream.
type rows struct {
	from  *reader
	table string
	err   error
}

// Read moves from chunk to chunk of the table and ends at the first other entry.
func (s *rows) Read(into []byte) (int, error) {
	for s.err == nil && s.from.atTable() == s.table {
		n, err := s.from.tar.Read(into)
		if errors.Is(err, io.EOF) {
			err = nil
			if n == 0 {
				s.err = s.from.next()
				continue
			}
		}
		s.err = err
		return n, err
	}
	if s.err != nil {
		return 0, s.err
	}
	return 0, io.EOF
}

func (a about) table(name string) (table, bool) {
	i := slices.IndexFunc(a.Tables, func(t table) bool { return t.Name == name })
	if i < 0 {
		return table{}, false
	}
	return a.Tables[i], true
}
