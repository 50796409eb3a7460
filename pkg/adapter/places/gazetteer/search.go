package gazetteer

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Weights of a hit: a few letters usually mean a city, then a place with exactly that name.
const (
	weightCity    = 24
	weightHead    = 8
	weightWhole   = 16 // a whole word of the name
	weightPart    = 9  // the beginning of one
	weightMended  = 6  // with one wrong letter
	weightFar     = 1  // with two
	weightContext = 3  // a word of the city, district or State
	weightPIN     = 14
	weightFirst   = 6  // the first typed word is the name's first
	weightNamed   = 20 // the whole name was typed
	weightRest    = 3  // per word of the name that was not typed
	relaxPenalty  = 12 // a typed word matches nothing
	typoPenalty   = 20
)

// word is one typed word: the numbers of the known words that it begins, and of those that it may misspell.
type word struct {
	text   string
	lo, hi uint32
	// meant are the words that differ by one letter, far those by two.
	meant, far bitset
	// context are the contexts that contain one of these words.
	context bitset
	// fromPIN and toPIN bound the PINs with this prefix; both are 0 for a word that is not a number.
	fromPIN, toPIN uint32
}

// bitset is a set of small numbers; nil is empty.
type bitset []uint64

func (b bitset) has(n uint32) bool { return b != nil && b[n>>6]&(1<<(n&63)) != 0 }

func (b bitset) add(n uint32) { b[n>>6] |= 1 << (n & 63) }

func (b bitset) empty() bool {
	for _, part := range b {
		if part != 0 {
			return false
		}
	}
	return true
}

func (b bitset) each(f func(n uint32)) {
	for i, part := range b {
		for ; part != 0; part &= part - 1 {
			f(u32(i<<6 + bits.TrailingZeros64(part)))
		}
	}
}

func sized(n int) bitset { return make(bitset, (n+63)/64) }

func (w *word) begins(id uint32) bool { return id >= w.lo && id < w.hi }

func (w *word) matches(id uint32) bool { return w.begins(id) || w.meant.has(id) || w.far.has(id) }

// exact matches every word as a prefix.
func (x *index) exact(texts []string) []word {
	out := make([]word, len(texts))
	for i, text := range texts {
		w := &out[i]
		lo := sort.SearchStrings(x.vocab, text)
		hi := lo + sort.Search(len(x.vocab)-lo, func(n int) bool { return !strings.HasPrefix(x.vocab[lo+n], text) })
		w.text, w.lo, w.hi = text, u32(lo), u32(hi)
		w.fromPIN, w.toPIN = pinBounds(text)
		x.mark(w)
	}
	return out
}

// mark records the contexts that contain the word.
func (x *index) mark(w *word) {
	w.context = sized(len(x.contexts))
	for i, ids := range x.contexts {
		if slices.ContainsFunc(ids, w.matches) {
			w.context.add(u32(i))
		}
	}
}

// tolerant also matches words that differ by one letter, from four letters on, or by two, from eight on.
func (x *index) tolerant(texts []string) []word {
	out := x.exact(texts)
	for i := range out {
		w := &out[i]
		n := len(w.text)
		if w.toPIN > 0 || n < 4 {
			continue
		}
		w.meant, w.far = x.near(w.text, 1+n/8)
		x.mark(w)
	}
	return out
}

// pinBounds returns the least PIN with the prefix and the first one beyond; 0, 0 if it is not a PIN prefix.
func pinBounds(digits string) (from, to uint32) {
	if !isPINPrefix(digits) {
		return 0, 0
	}
	n, _ := strconv.ParseUint(digits, 10, 32) // isPINPrefix has already parsed it
	scale := uint64(1)
	for range 6 - len(digits) {
		scale *= 10
	}
	return uint32(n * scale), uint32((n + 1) * scale) //nolint:gosec // at most 1,000,000
}

type hit struct {
	entry uint32
	score int
}

// top keeps the best hits, best first.
type top struct {
	hits  []hit
	limit int
}

// newTop returns an empty top of limit hits, with capacity for one more.
func newTop(limit int) *top { return &top{limit: limit, hits: make([]hit, 0, limit+1)} }

func (t *top) add(h hit) {
	at := len(t.hits)
	for i, old := range t.hits {
		if old.entry == h.entry {
			return
		}
		if at == len(t.hits) && (h.score > old.score || h.score == old.score && h.entry < old.entry) {
			at = i
		}
	}
	if at == t.limit {
		return
	}
	t.hits = append(t.hits, hit{})
	copy(t.hits[at+1:], t.hits[at:])
	t.hits[at] = h
	if len(t.hits) > t.limit {
		t.hits = t.hits[:t.limit]
	}
}

// worst returns the score that a new hit must beat; below any score until the list is full.
func (t *top) worst() int {
	if len(t.hits) < t.limit {
		return -1 << 30
	}
	return t.hits[len(t.hits)-1].score
}

// pass is one search strategy: the penalty of its hits, and how many typed words may match nothing.
type pass struct{ penalty, missing int }

// search adds the entries that match all words except the pass's missing ones. Cities come first: for a short prefix
// they fill the list, and no other place needs to be considered.
func (x *index) search(best *top, words []word, p pass) {
	sources := x.sources(words, p)
	for i := range x.cities {
		if p.missing == 0 || x.hasOwn(u32(i), sources[0]) {
			x.consider(best, u32(i), words, p)
		}
	}
	if best.worst() >= len(words)*(weightWhole+weightFirst)+weightHead+weightNamed-p.penalty {
		return
	}
	budget := maxConsidered
	for _, w := range sources {
		for id := w.lo; id < w.hi && budget > 0; id++ {
			budget -= x.considerAll(best, x.posts[id], words, p)
		}
		for _, more := range []bitset{w.meant, w.far} {
			more.each(func(id uint32) {
				if !w.begins(id) && budget > 0 {
					budget -= x.considerAll(best, x.posts[id], words, p)
				}
			})
		}
	}
}

// maxConsidered limits the work of one pass; only words as common as "nagar" next to one that matches nothing reach it.
const maxConsidered = 40_000

// sources returns the words whose places are worth considering: the rarest one that no context contains, if
// any, since it must be in the name; otherwise all of them, rarest first. If a word may be missing, it is assumed not
// to be the most specific one: the rarest that no context contains, or else the rarest.
func (x *index) sources(words []word, p pass) []*word {
	out := make([]*word, 0, len(words))
	for i := range words {
		out = append(out, &words[i])
	}
	slices.SortStableFunc(out, func(a, b *word) int { return cmp.Compare(x.places(a), x.places(b)) })
	mustBeNamed := func(w *word) bool { return w.toPIN == 0 && w.context.empty() }
	isKnown := func(w *word) bool { return x.places(w) > 0 }
	if p.missing == 0 {
		if i := slices.IndexFunc(out, mustBeNamed); i >= 0 {
			return out[i : i+1]
		}
		return out
	}
	i := slices.IndexFunc(out, func(w *word) bool { return isKnown(w) && mustBeNamed(w) })
	if i < 0 {
		i = slices.IndexFunc(out, isKnown)
	}
	if i < 0 {
		return out
	}
	return out[i : i+1]
}

func (x *index) hasOwn(entry uint32, w *word) bool {
	e := &x.entries[entry]
	return slices.ContainsFunc(x.words[e.from:e.to], w.matches)
}

// places returns how many places have the word in their names.
func (x *index) places(w *word) int {
	n := int(x.upTo[w.hi] - x.upTo[w.lo])
	for _, more := range []bitset{w.meant, w.far} {
		more.each(func(id uint32) { n += len(x.posts[id]) })
	}
	return n
}

// considerAll returns how many places it considered.
func (x *index) considerAll(best *top, posts []uint32, words []word, p pass) int {
	for _, e := range posts {
		if int(e) >= len(x.cities) {
			x.consider(best, e, words, p)
		}
	}
	return len(posts)
}

func (x *index) consider(best *top, e uint32, words []word, p pass) {
	score, ok := x.score(e, words, p.missing)
	if score -= p.penalty; ok && score > best.worst() {
		best.add(hit{entry: e, score: score})
	}
}

// score returns how well the entry matches the words; false if its name matches no word, or more than missing words match nothing.
func (x *index) score(at uint32, words []word, missing int) (int, bool) {
	e := &x.entries[at]
	own := x.words[e.from:e.to]
	score, used := 0, 0
	for i := range words {
		gain, isOwn := x.fit(e, own, &words[i], i == 0)
		if gain == 0 {
			if missing--; missing < 0 {
				return 0, false
			}
		}
		score += gain
		if isOwn {
			used++
		}
	}
	if used == 0 {
		return 0, false
	}
	switch e.kind {
	case kindCity:
		score += weightCity + 2*bits.Len(uint(x.cities[e.city].offices))
		return score, true // a city's own words include its other names
	case kindHead, kindKnown:
		score += weightHead
	case kindOffice:
	}
	if rest := int(e.named) - used; rest > 0 {
		score -= weightRest * rest
	} else {
		score += weightNamed
	}
	return score, true
}

// fit returns what one typed word adds, 0 if it matches nothing, and whether it matches the entry's own name.
func (x *index) fit(e *entry, own []uint32, w *word, first bool) (gain int, isOwn bool) {
	for i, id := range own {
		g := 0
		switch {
		case w.begins(id):
			g = weightPart
			if len(x.vocab[id]) == len(w.text) {
				g = weightWhole
			}
		case w.meant.has(id):
			g = weightMended + x.likeness(w.text, id)
		case w.far.has(id):
			g = weightFar + x.likeness(w.text, id)
		default:
			continue
		}
		if first && i == 0 {
			g += weightFirst
		}
		gain = max(gain, g)
	}
	switch {
	case gain > 0:
		return gain, true
	case w.toPIN > 0 && e.kind != kindCity && x.groups[e.group].pin >= w.fromPIN && x.groups[e.group].pin < w.toPIN:
		return weightPIN, false
	case w.context.has(uint32(e.context)):
		return weightContext, false
	}
	return 0, false
}

// likeness favours, among misspelt words, those that begin and sound like the typed one: people
// double letters and confuse vowels far more often than consonants.
func (x *index) likeness(text string, id uint32) int {
	known := x.vocab[id]
	like := 0
	if known[0] == text[0] {
		like += 2
	}
	if sound := consonants(known); sound == consonants(text) {
		like += 5
	} else if strings.HasPrefix(sound, consonants(text)) {
		like += 3
	}
	return like
}

// consonants reduces a word to its skeleton: no vowels, no h, no y, nothing doubled.
func consonants(word string) string {
	var buf [64]byte
	out := buf[:0]
	for i := range len(word) {
		c := word[i]
		if strings.IndexByte("aeiouhy", c) >= 0 && i > 0 || len(out) > 0 && out[len(out)-1] == c {
			continue
		}
		out = append(out, c)
	}
	return string(out)
}

// minSounds is how many consonants words need to be taken for two spellings of one name.
const minSounds = 4

// skeleton reduces a word to consonants that scripts and spellings of India tell apart: tiruvanantapuram and Thiruvananthapuram are alike.
func skeleton(buf *[64]byte, word string) []byte {
	out := buf[:0]
	last := byte(0) // the consonant before, if no vowel is between
	for i := 0; i < len(word) && len(out) < len(buf); i++ {
		c := word[i]
		switch c {
		case 'w':
			c = 'v'
		case 'q':
			c = 'k'
		case 'z':
			c = 'j'
		case 'd':
			c = 't'
		case 'f':
			c = 'p'
		}
		switch {
		case strings.IndexByte("aeiou", c) >= 0 && i > 0:
			last = 0
		case strings.IndexByte("hy", c) < 0 && c != last || i == 0:
			out, last = append(out, c), c
		}
	}
	return out
}

// letters returns the set of a word's letters a to z as bits; bit 26 is for all others.
func letters(word string) uint32 {
	var set uint32
	for i := range len(word) {
		if c := word[i]; c >= 'a' && c <= 'z' {
			set |= 1 << (c - 'a')
		} else {
			set |= 1 << 26
		}
	}
	return set
}

// near returns the known words with a prefix one edit away from the text or with its consonants, and those two away. Words that
// begin with another sound are tried only if no others are near.
func (x *index) near(text string, wrong int) (one, two bitset) {
	one, two = sized(len(x.vocab)), sized(len(x.vocab))
	found := false
	for _, first := range soundsLike(text[0]) {
		lo := sort.SearchStrings(x.vocab, string(first))
		hi := sort.SearchStrings(x.vocab, string(first+1))
		found = x.nearAmong(lo, hi, text, wrong, one, two) || found
	}
	if !found {
		x.nearAmong(0, len(x.vocab), text, wrong, one, two)
	}
	return one, two
}

// soundsLike returns the letters that spellings of Indian names interchange with this one, itself included.
func soundsLike(letter byte) []byte {
	for _, class := range []string{"bvw", "ckq", "fp", "jzg", "aeiou", "sc", "td"} {
		if strings.IndexByte(class, letter) >= 0 {
			return []byte(class)
		}
	}
	return []byte{letter}
}

func (x *index) nearAmong(lo, hi int, text string, wrong int, one, two bitset) bool {
	set, found := letters(text), false
	var m measure
	var buf, other [64]byte
	sound := skeleton(&buf, text)
	for i := lo; i < hi; i++ {
		known := x.vocab[i]
		if len(sound) >= minSounds && bytes.Equal(sound, skeleton(&other, known)) {
			one.add(u32(i))
			found = true
			continue
		}
		if bits.OnesCount32(set&^x.letters[i]) > wrong || len(known)+wrong < len(text) {
			continue
		}
		switch d := m.prefixDistance(text, known, min(wrong, 2)); {
		case d <= 1:
			one.add(u32(i))
		case d == 2 && wrong >= 2:
			two.add(u32(i))
		default:
			continue
		}
		found = true
	}
	return found
}

// measure holds the three rows needed for an edit distance, to avoid allocating them per word.
type measure struct{ rows [3][64]int }

// prefixDistance returns the least number of insertions, deletions, substitutions and swaps of neighbours that turn the text
// into a prefix of known, or limit+1 if it exceeds limit. Texts over 60 bytes always give limit+1.
func (m *measure) prefixDistance(text, known string, limit int) int {
	if len(text) > 60 {
		return limit + 1
	}
	known = known[:min(len(known), len(text)+limit)]
	before, last, now := &m.rows[0], &m.rows[1], &m.rows[2]
	for j := range len(known) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(text); i++ {
		now[0] = i
		least := i
		for j := 1; j <= len(known); j++ {
			cost := 1
			if text[i-1] == known[j-1] {
				cost = 0
			}
			d := min(last[j]+1, now[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && text[i-1] == known[j-2] && text[i-2] == known[j-1] {
				d = min(d, before[j-2]+1)
			}
			now[j] = d
			least = min(least, d)
		}
		if least > limit {
			return limit + 1
		}
		before, last, now = last, now, before
	}
	best := limit + 1
	for j := range len(known) + 1 {
		best = min(best, last[j])
	}
	return best
}
