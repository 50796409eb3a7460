package dump

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// notes holds the migrations' comments on tables, columns and functions.
type notes struct {
	above  map[string][]string // by name of the table, view or function
	beside map[string]string   // by table.column
}

var (
	creates   = regexp.MustCompile(`^CREATE (?:OR REPLACE )?(?:UNLOGGED )?(TABLE|VIEW|FUNCTION|PROCEDURE) (?:IF NOT EXISTS )?(\w+)`)
	hasNote   = regexp.MustCompile(`^\s+(?:ADD COLUMN )?(\w+)\s.*?,?\s-- (.+)$`)
	addsNoted = regexp.MustCompile(`^ALTER TABLE (\w+) ADD COLUMN (\w+) .*?[,;]\s-- (.+)$`)
	column    = regexp.MustCompile(`^    (?:ADD COLUMN )?([a-z]\w*)\s`)
	alters    = regexp.MustCompile(`^ALTER TABLE (\w+)$`)
)

// readNotes reads the comment lines directly above a created object, and those above a column or at the end of its line. If
// a later file replaces a function, its comment replaces the earlier one, unless empty.
func readNotes(files fs.FS) (notes, error) {
	n := notes{above: map[string][]string{}, beside: map[string]string{}}
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return n, fmt.Errorf("list the migrations: %w", err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return n, fmt.Errorf("read a migration: %w", err)
		}
		n.read(string(text))
	}
	return n, nil
}

func (n notes) read(text string) {
	var pending []string
	table := "" // the table whose columns follow
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if words, is := strings.CutPrefix(strings.TrimLeft(line, " "), "-- "); is {
			if !strings.HasPrefix(words, "+goose") {
				pending = append(pending, words)
			}
			continue
		}
		if found := creates.FindStringSubmatch(line); found != nil {
			if pending != nil {
				n.above[found[2]] = pending
			}
			table = ""
			if found[1] == "TABLE" {
				table = found[2]
			}
		} else if found := alters.FindStringSubmatch(line); found != nil {
			table = found[1]
		} else if found := addsNoted.FindStringSubmatch(line); found != nil {
			n.beside[found[1]+"."+found[2]] = found[3]
		} else if found := hasNote.FindStringSubmatch(line); found != nil && table != "" {
			n.beside[table+"."+found[1]] = found[2]
		} else if found := column.FindStringSubmatch(line); found != nil && table != "" && pending != nil {
			n.beside[table+"."+found[1]] = strings.Join(pending, " ")
		}
		if strings.HasSuffix(line, ";") {
			table = ""
		}
		pending = nil
	}
}
