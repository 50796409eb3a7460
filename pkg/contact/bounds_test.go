package contact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
)

func request(change func(*contact.Input)) contact.Input {
	in := contact.Input{Name: "Asha Rao", Email: "asha@example.in", Message: "When do you open in Pune?", Consent: true, ConsentVersion: "2026-11"}
	change(&in)
	return in
}

func TestContactRequest_FieldsAtTheirLimits_AreAccepted(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	inbox := contact.NewService(db.API, testkit.NewInserter(t, db.API), clk, testkit.NewKeyring(t), hours(), true)
	for name, c := range map[string]struct {
		change func(*contact.Input)
		field  string
	}{
		"as it is":                {func(*contact.Input) {}, ""},
		"two letters":             {func(in *contact.Input) { in.Name = "Jo" }, ""},
		"one letter":              {func(in *contact.Input) { in.Name = "J" }, "name"},
		"blanks for a name":       {func(in *contact.Input) { in.Name = " \t " }, "name"},
		"39 letters":              {func(in *contact.Input) { in.Name = strings.Repeat("क", 39) }, ""},
		"40 letters":              {func(in *contact.Input) { in.Name = strings.Repeat("क", 40) }, "name"},
		"vowel signs":             {func(in *contact.Input) { in.Name = "सुनीता  शर्मा" }, ""},
		"digits":                  {func(in *contact.Input) { in.Name = "Asha 2" }, "name"},
		"markup":                  {func(in *contact.Input) { in.Name = "<b>Asha</b>" }, "name"},
		"a second line":           {func(in *contact.Input) { in.Name = "Asha\nBcc: all@example.in" }, "name"},
		"no address":              {func(in *contact.Input) { in.Email = "asha" }, "email"},
		"two addresses":           {func(in *contact.Input) { in.Email = "a@example.in,b@example.in" }, "email"},
		"an address with a line":  {func(in *contact.Input) { in.Email = "a@example.in\nBcc: b@example.in" }, "email"},
		"a mobile":                {func(in *contact.Input) { in.Mobile = "9876543210" }, ""},
		"a landline":              {func(in *contact.Input) { in.Mobile = "0224000036" }, "mobile"},
		"every topic":             {func(in *contact.Input) { in.Topic = "partnership" }, ""},
		"another topic":           {func(in *contact.Input) { in.Topic = "complaint" }, "topic"},
		"ten letters":             {func(in *contact.Input) { in.Message = "  " + strings.Repeat("क", 10) + "  " }, ""},
		"nine letters and blanks": {func(in *contact.Input) { in.Message = "  " + strings.Repeat("क", 9) + "  " }, "message"},
		"2000 letters":            {func(in *contact.Input) { in.Message = strings.Repeat("क", 2000) }, ""},
		"2001 letters":            {func(in *contact.Input) { in.Message = strings.Repeat("क", 2001) }, "message"},
		"no consent":              {func(in *contact.Input) { in.Consent = false }, "consent"},
		"no version":              {func(in *contact.Input) { in.ConsentVersion = "" }, "consent_version"},
		"a long version":          {func(in *contact.Input) { in.ConsentVersion = strings.Repeat("1", 33) }, "consent_version"},
		"a version of markup":     {func(in *contact.Input) { in.ConsentVersion = "<1>" }, "consent_version"},
	} {
		reference, err := inbox.Submit(t.Context(), "", request(c.change))
		if c.field == "" {
			require.NoError(t, err, name)
			require.True(t, id.Valid(reference), name)
			continue
		}
		require.Len(t, errs.As(err).Fields, 1, name)
		require.Contains(t, errs.As(err).Fields, c.field, name)
		require.Empty(t, reference, name)
	}
	_, err := inbox.Submit(t.Context(), "", contact.Input{})
	require.Len(t, errs.As(err).Fields, 5, "all at once; a topic need not be chosen")
	require.Equal(t, 8, console.Count(t, db, `SELECT count(*) FROM contact_requests`), "what was refused is not kept")
	require.Equal(t, 7, console.Count(t, db, `SELECT count(*) FROM contact_requests WHERE topic = 'other'`))
}
