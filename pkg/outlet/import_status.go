package outlet

import (
	"regexp"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// The words of a closed outlet.
const (
	closedVerbs = `closed|shut ?down|shut|terminated|exited|discontinued|inactive|ceased|bandh?|no longer (?:open|operating|operational|running|active|live|functional)`
	band        = `बंद|बन्द`
)

// The words by which sheets name the state of an outlet.
var (
	closedWords  = regexp.MustCompile(`(?i)\b(?:` + closedVerbs + `)\b|` + band)
	notYetWords  = regexp.MustCompile(`(?i)\b(?:yet to|to be|to open|will|about to|not (?:yet )?(?:open|opened|started|live)|opening|coming|starting|se start|shuru hoga|khulega|khulegi|khulne)\b|खुलेग|खुलना है`)
	isNotWords   = regexp.MustCompile(`(?i)\b(?:not|non)\b|नहीं`)
	forAWhile    = regexp.MustCompile(`(?i)\b(?:renovation|renovating|repairs?|maintenance|temporar\w*|temp|hold|paused|suspended|season\w*|monsoon|for now|at present|abhi|licen[cs]e renewal|(?:thode|kuch) (?:din|samay))\b|अस्थायी|मरम्मत|कुछ (?:दिन|समय)|फिलहाल|फ़िलहाल`)
	plannedWords = regexp.MustCompile(`(?i)\b(?:planned|plan|upcoming|soon|proposed|signed|pipeline|construction|fit[ -]?out|under|new|wip|in progress|interiors?|jald|jaldi|talks|negotiation)\b|बात चल|योजना|जल्द|निर्माण|प्रस्तावित|शीघ्र`)
	openWords    = regexp.MustCompile(`(?i)\b(?:open|opened|running|active|live|operational|working|started|functional|yes|y|chalu|chaalu|khula|khuli)\b|चालू|खुला|खुली|सक्रिय`)
)

// findStatus takes a column with an unknown heading as the status if most of its cells name a state.
func (s *ImportSheet) findStatus() {
	for i, column := range s.Columns {
		if column != "" || s.Has(string(FieldStatus)) {
			continue
		}
		filled, named := 0, 0
		for _, row := range s.Rows {
			if i >= len(row.Cells) || row.Cells[i] == "" {
				continue
			}
			if filled++; len(row.Cells[i]) <= mostOfState && (closedWords.MatchString(row.Cells[i]) || openWords.MatchString(row.Cells[i])) {
				named++
			}
		}
		if filled > 1 && filled*2 > len(s.Rows) && named*4 > filled*3 {
			s.Columns[i] = string(FieldStatus)
		}
	}
}

// mostOfState is the length of a cell that names a state; a longer one is a remark.
const mostOfState = 40

// mendStatus returns the state of the new outlet. A closed outlet is left out unless a person chooses another state.
func (m *mender) mendStatus(row *ImportRow) State {
	given := m.values[FieldStatus]
	to, how := StateOpen, sentence("")
	switch {
	case given == string(StateOpen), given == "":
	case given == string(StatePlanned):
		to = StatePlanned
	case given == string(StatePaused):
		to = StatePaused
	case forAWhile.MatchString(given):
		to, how = StatePaused, sentence(i18n.Mark("Read as paused"))
	case closedWords.MatchString(given):
		m.wrong(FieldStatus, i18n.Mark("The sheet says that this outlet is closed. Leave it out, or choose planned or open."))
		row.Doubt = sentence(i18n.Mark("Closed outlets are left out."))
		return StateOpen
	case plannedWords.MatchString(given), notYetWords.MatchString(given):
		to = StatePlanned
	case isNotWords.MatchString(given):
		m.wrong(FieldStatus, i18n.Mark("Choose planned or open."))
		return StateOpen
	case openWords.MatchString(given):
	default:
		m.wrong(FieldStatus, i18n.Mark("Choose planned or open."))
		return StateOpen
	}
	if how.English != "" {
		m.change(FieldStatus, string(to), how)
		row.Mended = m.mended
	}
	m.values[FieldStatus] = string(to)
	return to
}
