package gazetteer

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/franchise360/franchise360/pkg/address"
)

//go:embed places.tsv.gz
var embedded []byte

// known are names that people use and the post does not: PIN, name, and further words that find it.
//
//go:embed known.tsv
var known string

type kind uint8

const (
	kindCity kind = iota
	kindHead
	kindOffice
	kindKnown
)

type city struct {
	state    int
	name     string
	lat, lon float64
	offices  int
	aliases  []string
}

// group holds the common data of places with the same PIN, city, district and coordinates.
type group struct {
	pin      uint32
	state    int
	district string
	lat, lon float64
}

// entry is one place that can be suggested. Its own words are index.words[from:to].
type entry struct {
	name     string
	group    uint32
	from, to uint32
	city     uint16
	// context is the index of its surrounding words in index.contexts.
	context uint16
	kind    kind
	// named is the number of words in the name: own words beyond it only help to find it.
	named uint8
}

type pinRange struct{ pin, from, to uint32 }

// index is the loaded list. Words are numbered alphabetically, so that a prefix is a range of numbers.
type index struct {
	states   map[int]string
	cities   []city
	cityByID map[string]int
	groups   []group
	entries  []entry
	pins     []pinRange
	vocab    []string
	letters  []uint32   // per word, the set of its letters
	words    []uint32   // the own words of all entries, concatenated
	posts    [][]uint32 // per word, the entries with it among their own
	upTo     []uint32   // per word, the total number of entries of all words before it
	contexts [][]uint32 // words of city, district and State shared by entries; a city has only its State's
}

// split returns the words of a text: lower case, without accents, separated by anything but letters and digits.
// Neighbouring single letters are one word, since people write "M.G. Road", "M G Road" and "MG Road".
func split(text string) []string { return joinInitials(fields(text)) }

func joinInitials(words []string) []string {
	out := words[:0]
	letters := 0 // how many single letters the last word of out consists of
	for _, w := range words {
		single := len(w) == 1 && w[0] >= 'a' && w[0] <= 'z'
		switch {
		case single && letters > 0:
			out[len(out)-1] += w
			letters++
		case single:
			out, letters = append(out, w), 1
		default:
			out, letters = append(out, w), 0
		}
	}
	return out
}

func fields(text string) []string {
	if isASCII(text) {
		return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9')
		})
	}
	folded := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) && r < 0x0900 {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(text))
	return strings.FieldsFunc(folded, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

func read(compressed []byte) (*index, error) {
	z, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, fmt.Errorf("open gazetteer: %w", err)
	}
	x := &index{states: map[int]string{}, cityByID: map[string]int{}}
	sc := bufio.NewScanner(z)
	sc.Buffer(make([]byte, 1<<16), 1<<20)
	var offices []office
	for line := 1; sc.Scan(); line++ {
		col := strings.Split(sc.Text(), "\t")
		switch col[0] {
		case "s":
			err = x.readState(col)
		case "c":
			err = x.readCity(col)
		case "p":
			offices, err = x.readGroup(col, offices)
		default:
			continue // a comment
		}
		if err != nil {
			return nil, fmt.Errorf("gazetteer line %d: %w", line, err)
		}
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("read gazetteer: %w", err)
	}
	if offices, err = x.readKnown(offices); err != nil {
		return nil, err
	}
	x.build(offices)
	return x, nil
}

// readKnown adds the names of known.tsv to the first group of their PIN.
func (x *index) readKnown(offices []office) ([]office, error) {
	first := map[string]office{}
	for _, o := range offices {
		pin := fmt.Sprintf("%06d", x.groups[o.group].pin)
		if _, ok := first[pin]; !ok {
			first[pin] = o
		}
	}
	for line := range strings.Lines(known) {
		col := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if err := want(col, 3); err != nil {
			return nil, fmt.Errorf("known.tsv %q: %w", line, err)
		}
		o, ok := first[col[0]]
		if !ok {
			return nil, fmt.Errorf("known.tsv %q: no such PIN", line)
		}
		o.name, o.more, o.kind = col[1], col[2], kindKnown
		offices = append(offices, o)
	}
	return offices, nil
}

// u32 narrows positions in the list, which has a few hundred thousand entries.
func u32(n int) uint32 { return uint32(n) } //nolint:gosec // see above

func want(col []string, n int) error {
	if len(col) != n {
		return fmt.Errorf("want %d columns, got %d", n, len(col))
	}
	return nil
}

func (x *index) readState(col []string) error {
	if err := want(col, 3); err != nil {
		return err
	}
	code, err := strconv.Atoi(col[1])
	if err != nil {
		return err
	}
	x.states[code] = col[2]
	return nil
}

func (x *index) readCity(col []string) error {
	if err := want(col, 7); err != nil {
		return err
	}
	state, err1 := strconv.Atoi(col[1])
	lat, err2 := strconv.ParseFloat(col[3], 64)
	lon, err3 := strconv.ParseFloat(col[4], 64)
	offices, err4 := strconv.Atoi(col[5])
	if err := cmp.Or(err1, err2, err3, err4); err != nil {
		return err
	}
	c := city{state: state, name: col[2], lat: lat, lon: lon, offices: offices}
	if col[6] != "" {
		c.aliases = strings.Split(col[6], "|")
	}
	x.cityByID[fmt.Sprintf("%02d-%s", state, address.Key(c.name))] = len(x.cities)
	x.cities = append(x.cities, c)
	return nil
}

type office struct {
	name string
	// more are further words that find it; they are no part of its name.
	more  string
	group uint32
	city  uint16
	kind  kind
}

func (x *index) readGroup(col []string, offices []office) ([]office, error) {
	if err := want(col, 9); err != nil {
		return nil, err
	}
	pin, err1 := strconv.ParseUint(col[1], 10, 32)
	state, err2 := strconv.Atoi(col[2])
	cityAt, err3 := strconv.ParseUint(col[3], 10, 16)
	lat, err4 := strconv.ParseFloat(col[5], 64)
	lon, err5 := strconv.ParseFloat(col[6], 64)
	if err := cmp.Or(err1, err2, err3, err4, err5); err != nil {
		return nil, err
	}
	g := u32(len(x.groups))
	x.groups = append(x.groups, group{pin: uint32(pin), state: state, district: col[4], lat: lat, lon: lon})
	for i, names := range col[7:] {
		if names == "" {
			continue
		}
		for name := range strings.SplitSeq(names, "|") {
			o := office{name: name, group: g, city: uint16(cityAt), kind: kindHead} //nolint:gosec // parsed as 16 bits
			if i == 1 {
				o.kind = kindOffice
			}
			offices = append(offices, o)
		}
	}
	return offices, nil
}

// build numbers the words, lists each word's entries and records where each PIN begins.
func (x *index) build(offices []office) {
	slices.SortStableFunc(offices, func(a, b office) int {
		return cmp.Or(cmp.Compare(x.groups[a.group].pin, x.groups[b.group].pin), cmp.Compare(a.kind, b.kind))
	})
	seen := map[string]uint32{}
	note := func(text string) []string {
		words := split(text)
		for _, w := range words {
			seen[w] = 0
		}
		return words
	}
	own := make([][]string, 0, len(x.cities)+len(offices))
	x.entries = make([]entry, 0, cap(own))
	for i, c := range x.cities {
		own = append(own, note(c.name+" "+strings.Join(c.aliases, " ")))
		x.entries = append(x.entries, entry{name: c.name, city: uint16(i), kind: kindCity})
		note(x.states[c.state])
	}
	for _, o := range offices {
		own = append(own, note(o.name+" "+o.more))
		named := uint8(min(len(split(o.name)), 255))
		x.entries = append(x.entries, entry{name: o.name, group: o.group, city: o.city, kind: o.kind, named: named})
	}
	for i := range x.groups {
		note(x.groups[i].district)
	}
	x.number(seen)
	x.posts = make([][]uint32, len(x.vocab))
	for i, words := range own {
		e := &x.entries[i]
		e.from = u32(len(x.words))
		for _, w := range words {
			id := seen[w]
			x.words = append(x.words, id)
			if p := x.posts[id]; len(p) == 0 || p[len(p)-1] != u32(i) {
				x.posts[id] = append(p, u32(i))
			}
		}
		e.to = u32(len(x.words))
	}
	x.upTo = make([]uint32, len(x.posts)+1)
	for id, p := range x.posts {
		x.upTo[id+1] = x.upTo[id] + u32(len(p))
	}
	x.surround(seen)
	x.pinRanges()
}

func (x *index) number(seen map[string]uint32) {
	x.vocab = make([]string, 0, len(seen))
	for w := range seen {
		x.vocab = append(x.vocab, w)
	}
	slices.Sort(x.vocab)
	x.letters = make([]uint32, len(x.vocab))
	for i, w := range x.vocab {
		seen[w] = u32(i)
		x.letters[i] = letters(w)
	}
}

// surround gives each entry the words of its city, district and State; entries with the same three share them.
func (x *index) surround(seen map[string]uint32) {
	type key struct {
		city, state int
		district    string
	}
	known := map[key]uint16{}
	for i := range x.entries {
		e := &x.entries[i]
		c := &x.cities[e.city]
		k, text := key{city: -1, state: c.state}, x.states[c.state]
		if e.kind != kindCity {
			g := &x.groups[e.group]
			k = key{int(e.city), g.state, g.district}
			text = c.name + " " + strings.Join(c.aliases, " ") + " " + g.district + " " + x.states[g.state]
		}
		at, ok := known[k]
		if !ok {
			at = uint16(len(x.contexts)) //nolint:gosec // a few thousand
			known[k] = at
			x.contexts = append(x.contexts, numbers(seen, split(text)))
		}
		e.context = at
	}
}

func numbers(seen map[string]uint32, words []string) []uint32 {
	ids := make([]uint32, 0, len(words))
	for _, w := range words {
		ids = append(ids, seen[w])
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func (x *index) pinRanges() {
	for i := range x.entries {
		e := &x.entries[i]
		if e.kind == kindCity {
			continue
		}
		pin := x.groups[e.group].pin
		if n := len(x.pins); n == 0 || x.pins[n-1].pin != pin {
			x.pins = append(x.pins, pinRange{pin: pin, from: u32(i)})
		}
		x.pins[len(x.pins)-1].to = u32(i) + 1
	}
}

// pinFrom returns the index of the first PIN at or after the given one.
func (x *index) pinFrom(pin uint32) int {
	at, _ := slices.BinarySearchFunc(x.pins, pin, func(p pinRange, pin uint32) int { return cmp.Compare(p.pin, pin) })
	return at
}

// ofPIN returns the entries of a PIN, its head office first.
func (x *index) ofPIN(pin uint32) []uint32 {
	at := x.pinFrom(pin)
	if at == len(x.pins) || x.pins[at].pin != pin {
		return nil
	}
	r := x.pins[at]
	out := make([]uint32, 0, r.to-r.from)
	for i := r.from; i < r.to; i++ {
		out = append(out, i)
	}
	return out
}
