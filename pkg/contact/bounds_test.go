package contact_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
)

func request(change func(*contact.Input)) contact.Input {
	in := contact.Input{Name: "Asha Rao", Email: "asha@example.in", Message: "When do you open in Pune?", Consent: true, ConsentVersion: "2026-11"}
	change(&in)
	return in
}

func TestARequestIsTakenUpToItsBounds(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	inbox := contact.NewService(db.API, clk, staff.NewRecorder(clk))
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
		reference, err := inbox.Submit(t.Context(), request(c.change))
		if c.field == "" {
			require.NoError(t, err, name)
			require.True(t, id.Valid(reference), name)
			continue
		}
		require.Len(t, errs.As(err).Fields, 1, name)
		require.Contains(t, errs.As(err).Fields, c.field, name)
		require.Empty(t, reference, name)
	}
	_, err := inbox.Submit(t.Context(), contact.Input{})
	require.Len(t, errs.As(err).Fields, 5, "all at once; a topic need not be chosen")
	require.Equal(t, 8, console.Count(t, db, `SELECT count(*) FROM contact_requests`), "what was refused is not kept")
	require.Equal(t, 7, console.Count(t, db, `SELECT count(*) FROM contact_requests WHERE topic = 'other'`))
}

func TestStaffFindAndMoveRequests(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	people := console.Hire(t, db, clk)
	inbox := contact.NewService(db.API, clk, staff.NewRecorder(clk))
	ctx := people.Sunita.Sign(t.Context())
	submit := func(name, email, mobile, topic string) string {
		clk.Advance(time.Minute)
		reference, err := inbox.Submit(t.Context(), request(func(in *contact.Input) { in.Name, in.Email, in.Mobile, in.Topic = name, email, mobile, topic }))
		require.NoError(t, err)
		return reference
	}
	asha := submit("Asha Rao", "asha_r@example.in", "9876543210", "sales")
	ravi := submit("Ravi Rao", "ravi@example.in", "", "billing")
	submit("Zoya", "zoya@example.in", "9876500000", "billing")

	find := func(f contact.Filter, limit, offset int) (names string, total, open int) {
		t.Helper()
		list, total, open, err := inbox.List(ctx, f, limit, offset)
		require.NoError(t, err)
		for _, r := range list {
			names += " " + r.Name
		}
		return strings.TrimSpace(names), total, open
	}
	for want, search := range map[string]string{
		"Zoya Ravi Rao Asha Rao": "", "Asha Rao": " ASHA_ ", "Ravi Rao": "ravi rao", "Zoya Asha Rao": "98765", "Zoya": "zoya@",
	} {
		names, total, open := find(contact.Filter{Search: search}, 10, 0)
		require.Equal(t, want, names, "%q", search)
		require.Equal(t, strings.Count(want, "Rao")+strings.Count(want, "Zoya"), total)
		require.Equal(t, 3, open, "whatever is searched for")
	}
	for _, search := range []string{"%", "_sha", "asha%", "' OR true --", "rao", `\`} {
		_, total, _ := find(contact.Filter{Search: search}, 10, 0)
		require.Zero(t, total, "%q stands for nothing else", search)
	}
	names, total, _ := find(contact.Filter{Topic: "billing"}, 1, 1)
	require.Equal(t, "Ravi Rao 2", names+" "+string(rune('0'+total)), "the second page")
	for _, f := range []contact.Filter{{Status: "closed"}, {Topic: "complaint"}} {
		_, _, _, err := inbox.List(ctx, f, 10, 0)
		require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	}

	move := func(reference string, m contact.Move) error { return inbox.Move(ctx, people.Sunita, reference, m) }
	require.NoError(t, move(asha, contact.Move{Status: contact.StatusDone, Note: "  Told her: in March. ", Reason: "Answered by phone"}))
	require.NoError(t, move(asha, contact.Move{Status: contact.StatusInProgress, Reason: "She asked again"}))
	list, _, open, err := inbox.List(ctx, contact.Filter{Status: contact.StatusInProgress}, 10, 0)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, "Told her: in March.", list[0].ReplyNote, "what was answered stays")
	require.Equal(t, "Sunita", list[0].HandledBy)
	require.Equal(t, 2, open)

	for field, m := range map[string]contact.Move{
		"status": {Status: "closed", Reason: "Answered"}, "reason": {Status: contact.StatusDone, Reason: " "},
		"note": {Status: contact.StatusDone, Note: strings.Repeat("क", 2001), Reason: "Answered"},
	} {
		require.Contains(t, errs.As(move(ravi, m)).Fields, field)
	}
	require.Equal(t, errs.KindNotFound, errs.KindOf(move(id.New(), contact.Move{Status: contact.StatusDone, Reason: "Answered"})))
	require.Equal(t, []string{"move_contact", "move_contact"}, people.Actions(t), "what was refused is no action")
	var before []string
	require.NoError(t, db.Owner.Select(&before, `SELECT before || ' ' || after FROM staff_actions WHERE action = 'move_contact' ORDER BY sequence`))
	require.Equal(t, []string{`"open" "done"`, `"done" "in_progress"`}, before)
}
