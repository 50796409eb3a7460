package contact

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// The day is India's, whatever the server's is: it begins at half past six in the evening, UTC.
func TestBusinessDay_IsInIndianTime(t *testing.T) {
	t.Parallel()
	day, long := Targets{config.Contact{Opens: 10 * time.Hour, Closes: 18 * time.Hour}}, Targets{config.Contact{Opens: 9*time.Hour + 30*time.Minute, Closes: 19 * time.Hour}}
	for name, c := range map[string]struct {
		targets Targets
		from    string
		hours   time.Duration
		want    string
	}{
		"Friday, a second before midnight in India": {day, "2026-11-06T18:29:59Z", time.Hour, "2026-11-09T05:30:00Z"},
		"Sunday, a second before midnight in India": {day, "2026-11-08T18:29:59Z", time.Hour, "2026-11-09T05:30:00Z"},
		"Sunday in London is Monday in India":       {day, "2026-11-08T18:30:00Z", time.Hour, "2026-11-09T05:30:00Z"},
		"Friday in London is Saturday in India":     {day, "2026-11-06T18:30:00Z", time.Hour, "2026-11-09T05:30:00Z"},
		"the last second of a day":                  {day, "2026-11-06T12:29:59Z", time.Second, "2026-11-06T12:30:00Z"},
		"a second more":                             {day, "2026-11-06T12:29:59Z", 2 * time.Second, "2026-11-09T04:30:01Z"},
		"the end of a day is no part of it":         {day, "2026-11-06T12:30:00Z", time.Second, "2026-11-09T04:30:01Z"},
		"29 February":                               {day, "2028-02-28T11:30:00Z", 2 * time.Hour, "2028-02-29T05:30:00Z"},
		"28 February of another year":               {day, "2027-02-26T11:30:00Z", 2 * time.Hour, "2027-03-01T05:30:00Z"},
		"over New Year":                             {day, "2026-12-31T11:30:00Z", 2 * time.Hour, "2027-01-01T05:30:00Z"},
		"other hours":                               {long, "2026-11-02T04:00:00Z", 9*time.Hour + 30*time.Minute, "2026-11-02T13:30:00Z"},
		"a week of other hours":                     {long, "2026-11-02T04:00:00Z", 5*(9*time.Hour+30*time.Minute) + time.Minute, "2026-11-09T04:01:00Z"},
	} {
		from, err := time.Parse(time.RFC3339, c.from)
		require.NoError(t, err)
		require.Equal(t, c.want, c.targets.After(from, c.hours).Format(time.RFC3339), name)
	}
}

// Minute by minute: one counts if it begins within the hours of a weekday.
func minutesOf(t Targets, from, until time.Time) (n time.Duration) {
	for at := from; at.Before(until); at = at.Add(time.Minute) {
		local := at.In(clock.IST)
		ofDay := time.Duration(local.Hour())*time.Hour + time.Duration(local.Minute())*time.Minute
		if weekday := local.Weekday(); weekday != time.Saturday && weekday != time.Sunday && ofDay >= t.Opens && ofDay < t.Closes {
			n++
		}
	}
	return n * time.Minute
}

func TestBusinessTime_EqualsTheSumOfItsMinutes(t *testing.T) {
	t.Parallel()
	begin := time.Date(2028, 2, 24, 0, 0, 0, 0, clock.IST) // a Thursday before a leap day
	rapid.Check(t, func(t *rapid.T) {
		opens := time.Duration(rapid.IntRange(0, 22*60).Draw(t, "opens")) * time.Minute
		closes := opens + time.Duration(rapid.IntRange(1, int((24*time.Hour-opens)/time.Minute)-1).Draw(t, "open for"))*time.Minute
		targets := Targets{config.Contact{Opens: opens, Closes: closes}}
		from := begin.Add(time.Duration(rapid.IntRange(0, 7*24*60).Draw(t, "from")) * time.Minute)
		until := from.Add(time.Duration(rapid.IntRange(0, 5*24*60).Draw(t, "passed")) * time.Minute)
		hours := targets.Between(from, until)
		require.Equal(t, minutesOf(targets, from, until), hours)
		if hours > 0 {
			due := targets.After(from, hours)
			require.False(t, due.After(until), "no later than what was counted")
			require.Equal(t, hours, targets.Between(from, due))
		}
	})
}

func TestRequest_DueBy_IsTheAnswerThenTheSettlement(t *testing.T) {
	t.Parallel()
	answer, settle := time.Date(2026, 11, 2, 12, 30, 0, 0, time.UTC), time.Date(2026, 11, 4, 12, 30, 0, 0, time.UTC)
	for state, moves := range map[State]bool{StateOpen: true, StateWaiting: false, StateAnswered: false, StateClosed: false} {
		r := Request{State: state, AnswerBy: answer, SettleBy: settle}
		later := r
		later.Answered = &answer
		if !moves {
			require.Nil(t, r.Due(), state)
			require.Nil(t, later.Due(), state)
			continue
		}
		require.Equal(t, answer, *r.Due())
		require.Equal(t, settle, *later.Due())
	}
}

func TestEntry_FieldsAtTheirLimits_AreAccepted(t *testing.T) {
	t.Parallel()
	key := "key-0001"
	for name, c := range map[string]struct {
		in    Written
		field string
		then  State
		text  string
	}{
		"a note":                      {Written{Kind: EntryNote, Text: " a \r\n b ", Key: key}, "", "", "a \n b"},
		"a note leaves the state":     {Written{Kind: EntryNote, Text: "a", Key: key, Then: StateAnswered}, "", "", "a"},
		"an answer opens":             {Written{Kind: EntryAnswer, Text: "a", Key: key}, "", StateOpen, "a"},
		"an answer opens in any case": {Written{Kind: EntryAnswer, Text: "a", Key: key, Then: StateWaiting}, "", StateOpen, "a"},
		"a reply with a question":     {Written{Kind: EntryReply, Text: "a", Key: key, Then: StateWaiting}, "", StateWaiting, "a"},
		"a reply that answers":        {Written{Kind: EntryReply, Text: "a", Key: key, Then: StateAnswered}, "", StateAnswered, "a"},
		"a reply that leads nowhere":  {Written{Kind: EntryReply, Text: "a", Key: key}, "then", "", ""},
		"a reply that opens":          {Written{Kind: EntryReply, Text: "a", Key: key, Then: StateOpen}, "then", "", ""},
		"a note that closes":          {Written{Kind: EntryNote, Text: "a", Key: key, Then: StateClosed}, "then", "", ""},
		"no kind":                     {Written{Text: "a", Key: key}, "kind", "", ""},
		"4000 letters":                {Written{Kind: EntryNote, Text: strings.Repeat("क", 4000), Key: key}, "", "", strings.Repeat("क", 4000)},
		"4000 and blanks":             {Written{Kind: EntryNote, Text: strings.Repeat("क", 4000) + " \n", Key: key}, "", "", strings.Repeat("क", 4000)},
		"4001 letters":                {Written{Kind: EntryNote, Text: strings.Repeat("क", 4001), Key: key}, "text", "", ""},
		"blanks":                      {Written{Kind: EntryNote, Text: " \r\n\t", Key: key}, "text", "", ""},
		"lines and tabs":              {Written{Kind: EntryNote, Text: "a\n\tb", Key: key}, "", "", "a\n\tb"},
		"NUL":                         {Written{Kind: EntryNote, Text: "a\x00b", Key: key}, "text", "", ""},
		"a bell":                      {Written{Kind: EntryNote, Text: "a\x07b", Key: key}, "text", "", ""},
		"a carriage return alone":     {Written{Kind: EntryNote, Text: "a\rb", Key: key}, "text", "", ""},
		"no UTF-8":                    {Written{Kind: EntryNote, Text: "a\xffb", Key: key}, "text", "", ""},
		"a key of seven":              {Written{Kind: EntryNote, Text: "a", Key: "key-001"}, "Idempotency-Key", "", ""},
		"a key of 128":                {Written{Kind: EntryNote, Text: "a", Key: strings.Repeat("k", 128)}, "", "", "a"},
		"a key of 129":                {Written{Kind: EntryNote, Text: "a", Key: strings.Repeat("k", 129)}, "Idempotency-Key", "", ""},
	} {
		err := c.in.validate()
		if c.field != "" {
			require.Len(t, errs.As(err).Fields, 1, name)
			require.Contains(t, errs.As(err).Fields, c.field, name)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, c.then, c.in.Then, name)
		require.Equal(t, c.text, c.in.Text, name)
	}
}

func TestMacro_FieldsAtTheirLimits_AreAccepted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		title, text string
		field       string
	}{
		"80 and 2000 letters": {strings.Repeat("क", 80), strings.Repeat("क", 2000), ""},
		"81 letters":          {strings.Repeat("क", 81), "a", "title"},
		"2001 letters":        {"a", strings.Repeat("क", 2001), "text"},
		"no title":            {" \n ", "a", "title"},
		"no text":             {"a", " \n ", "text"},
		"a title with NUL":    {"a\x00", "a", "title"},
		"a text with a bell":  {"a", "a\x07", "text"},
		"every placeholder":   {"a", "{" + strings.Join(Placeholders(), "} {") + "}", ""},
		"a capital letter":    {"a", "{Name}", "text"},
		"a blank within":      {"a", "{ name }", "text"},
		"braces within":       {"a", "{{name}}", "text"},
		"a brace too many":    {"a", "{name}}", "text"},
		"an opening brace":    {"a", "{name", "text"},
	} {
		m := Macro{Title: c.title, Text: c.text}
		err := m.validate()
		if c.field == "" {
			require.NoError(t, err, name)
			continue
		}
		require.Len(t, errs.As(err).Fields, 1, name)
		require.Contains(t, errs.As(err).Fields, c.field, name)
	}
}

// Typed placeholders are not filled in again, and a placeholder without a value is named once.
func TestMacro_TypedPlaceholder_IsNotFilledInAgain(t *testing.T) {
	t.Parallel()
	r := Request{
		ID: "019ae0c2", Name: "{staff} Rao", Topic: "billing", CreatedAt: time.Date(2026, 11, 2, 18, 30, 0, 0, time.UTC),
	}
	list := filled([]Macro{
		{ID: "1", Title: "A", Text: "{name}, {first_name}: {topic}, {reference}, {received_on}, {staff}"}, {ID: "2", Title: "B", Text: "{customer} {customer}"}, {ID: "3", Title: "C", Text: "no braces"},
	}, r, "Sunita")
	require.Equal(t, []Filled{
		{ID: "1", Title: "A", Text: "{staff} Rao, {staff}: billing, 019ae0c2, 3 November 2026, Sunita", Lacks: []string{}},
		{ID: "2", Title: "B", Text: " ", Lacks: []string{"customer"}},
		{ID: "3", Title: "C", Text: "no braces", Lacks: []string{}},
	}, list, "the day is India's")
	require.Len(t, placeholders(r, "x"), len(Placeholders()))
	for _, name := range Placeholders() {
		require.Contains(t, placeholders(r, "x"), name, "each one that is offered is filled in")
	}
}
