package message_test

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// Meta's rules of templates: https://developers.facebook.com/documentation/business-messaging/whatsapp/templates/components
// and what its reviewers refuse: a variable at either end, two of them side by side, numbers that leave one out.
func TestWhatsAppTemplates_FitTheRulesOfMeta(t *testing.T) {
	t.Parallel()
	list := site.WhatsAppDefinitions()
	require.NotEmpty(t, list)
	names := map[string][]i18n.Language{}
	for _, d := range list {
		at := d.Name + " " + string(d.Language)
		names[d.Name] = append(names[d.Name], d.Language)
		require.Regexp(t, `^[a-z0-9_]{1,512}$`, d.Name)
		require.Equal(t, "UTILITY", d.Category)
		body, foot, button := d.Components[0], d.Components[1], d.Components[2].Buttons[0]
		require.LessOrEqual(t, utf8.RuneCountInString(body.Text), 1024, at)
		require.NotRegexp(t, `^\s*\{\{|\}\}[\s.।]*$|\}\}\s*\{\{`, body.Text, at)
		numbers := regexp.MustCompile(`\{\{(\d)\}\}`).FindAllStringSubmatch(body.Text, -1)
		for i, n := range numbers {
			require.Equal(t, string(rune('1'+i)), n[1], at)
		}
		require.Greater(t, len(strings.Fields(body.Text)), 3*len(numbers), "%s: too many variables for its length", at)
		require.Len(t, body.Example.BodyText[0], len(numbers), at)
		require.LessOrEqual(t, utf8.RuneCountInString(foot.Text), 60, at)
		require.NotContains(t, foot.Text, "{", at)
		require.LessOrEqual(t, utf8.RuneCountInString(button.Text), 25, at)
		require.Regexp(t, `^https://franchise360\.example/[a-z_/]+(\{\{1\}\})?$`, button.URL, at)
		require.Equal(t, strings.Contains(button.URL, "{{"), len(button.Example) == 1, at)
		whole, err := json.Marshal(d)
		require.NoError(t, err)
		require.NotRegexp(t, `[^{]\{[a-z0-9]+\}`, string(whole), "%s: a tag that nobody fills in", at)
	}
	for name, languages := range names {
		require.Equal(t, i18n.Languages(), languages, name)
		onWhatsApp, ok := message.OnWhatsApp(name)
		require.True(t, ok && message.IsWhatsApp(onWhatsApp) && !message.IsEmail(onWhatsApp), name)
		require.Regexp(t, `^[a-z_]{1,40}$`, onWhatsApp)
		require.False(t, message.IsWhatsApp(name))
	}
	for _, name := range []string{message.TemplateCode, message.TemplateTrialReminder, "unheard_of", ""} {
		_, ok := message.OnWhatsApp(name)
		require.False(t, ok || message.IsWhatsApp(name+"_whatsapp"), name)
	}
}

// WRITE_TEMPLATES=1 writes the file again.
func TestRegisteredTemplates_MetaFile_EqualsTheSentTemplates(t *testing.T) {
	t.Parallel()
	const file = "../adapter/whatsapp/templates.json"
	want, err := json.MarshalIndent(site.WhatsAppDefinitions(), "", "  ")
	require.NoError(t, err)
	want = append(want, '\n')
	if os.Getenv("WRITE_TEMPLATES") != "" {
		require.NoError(t, os.WriteFile(file, want, 0o600))
	}
	have, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(have), "WRITE_TEMPLATES=1 go test ./pkg/message -run Register")
}

// Each message by WhatsApp is sent in each language, with the longest values.
func TestWhatsAppMessages_EachLanguage_AreComplete(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	sender := message.NewWhatsAppSender(message.SenderOptions{
		DB: h.db.Worker, Providers: []message.Provider{h.first}, Site: site, Clock: h.clock, Counts: message.Uncounted{},
		Logger: testkit.NewLogger(t),
	})
	sent := 0
	for _, template := range message.Templates() {
		name, ok := message.OnWhatsApp(template.Name)
		if !ok {
			continue
		}
		for _, language := range i18n.Languages() {
			m := site.Compose(message.Message{ID: id.New(), Mobile: "9876543210", Template: name, Language: language, Values: template.Longest})
			require.NotContains(t, m.Text, "{", name)
			require.Contains(t, m.Text, "STOP", name)
			require.Equal(t, language, m.OnWhatsApp.Language)
			require.Equal(t, template.Name, m.OnWhatsApp.Name)
			shown := len(m.OnWhatsApp.Body)
			if m.OnWhatsApp.Button != "" {
				shown++
			}
			require.Equal(t, len(template.Longest), shown, "%s: every value is shown", name)
			require.NoError(t, sender.Send(t.Context(), m))
			sent++

			forged := m
			forged.Text += "!"
			requireCode(t, errs.KindInvalid, "whatsapp_template", sender.Send(t.Context(), forged))
			forged = m
			forged.Values = append([]string{"a\nb"}, m.Values[1:]...)
			requireCode(t, errs.KindInvalid, "whatsapp_template", sender.Send(t.Context(), site.Compose(forged)))
			forged.Values = m.Values[1:]
			requireCode(t, errs.KindInvalid, "whatsapp_template", sender.Send(t.Context(), site.Compose(forged)))
		}
	}
	require.Len(t, h.first.sent, sent)
	hindi := site.Compose(message.Message{
		Template: message.TemplateRenewalReminder + "_whatsapp", Language: "hi", Values: []string{"May", "5 मई 2027"},
	})
	require.Equal(t, []string{"May", "5 मई 2027"}, hindi.OnWhatsApp.Body)
	require.Equal(t, i18n.English, site.Compose(message.Message{Template: message.TemplateRenewalReminder + "_whatsapp", Language: "fr"}).OnWhatsApp.Language)
}

func TestWhatsAppSender_EachFailure_HasItsCode(t *testing.T) {
	t.Parallel()
	for class, want := range map[message.Class]string{
		message.ClassRefused: "whatsapp_refused", message.ClassAccount: "whatsapp_account_fault", message.ClassLimited: "whatsapp_provider_limit",
		message.ClassUnavailable: "whatsapp_unavailable", message.ClassUnconfirmed: "whatsapp_no_answer",
	} {
		h := newHouse(t, false)
		sender := message.NewWhatsAppSender(message.SenderOptions{
			DB: h.db.Worker, Providers: []message.Provider{h.first}, Site: site, Clock: h.clock, Counts: message.Uncounted{},
			Logger: testkit.NewLogger(t),
		})
		h.first.answers = []*message.SendError{fails(class, "131000")}
		err := sender.Send(t.Context(), site.Compose(message.Message{
			ID: id.New(), Mobile: "9876543210", Template: message.TemplateRenewalReminder + "_whatsapp", Values: []string{"Growth", "5 May 2027"},
		}))
		require.Equal(t, want, errs.As(err).Code)
		require.NotContains(t, err.Error(), "SMS")
	}
}

// With statuses in any order, late and repeated, a message only advances, and keeps one row.
func TestWhatsAppStatus_LateOrRepeated_OnlyAdvances(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	posted := &posted{}
	receipts := message.NewReceipts(message.ReceiptOptions{DB: db.API, Clock: clk, Counts: message.Uncounted{}})
	notices := message.NewWhatsAppNotices(message.WhatsAppNoticeOptions{
		Receipts: receipts, Numbers: numbers{}, Clock: clk, Reader: posted,
	})
	for _, tc := range []struct{ told, want string }{
		{"s", "sent"},
		{"sdr", "read"},
		{"rds", "read"},
		{"ds", "delivered"},
		{"f", "undelivered"},
		{"sf", "undelivered"},
		{"fs", "undelivered"},
		{"fd", "delivered"},
		{"df", "delivered"},
		{"rf", "read"},
		{"ssddrrffssdd", "read"},
	} {
		row := id.New()
		db.Owner.MustExec(`INSERT INTO sms_deliveries (message_ref, provider, provider_ref, template, state, unconfirmed, tried_at)
			VALUES ($1, 'whatsapp', $2, 'payment_received_whatsapp', 'accepted', 0, $3)`, row, "wamid."+row, clk.Now())
		for _, word := range tc.told {
			posted.notice = message.WhatsAppNotice{Receipts: []message.Receipt{{Ref: "wamid." + row, Sent: word == 's', Delivered: word == 'd', Read: word == 'r'}}}
			require.NoError(t, notices.Take(t.Context(), message.Incoming{}))
		}
		var states []string
		require.NoError(t, db.Owner.Select(&states, `SELECT state FROM sms_deliveries WHERE message_ref = $1`, row))
		require.Equal(t, []string{tc.want}, states, tc.told)
	}
	posted.notice = message.WhatsAppNotice{Receipts: make([]message.Receipt, 1001)}
	require.Equal(t, errs.KindMalformed, errs.KindOf(notices.Take(t.Context(), message.Incoming{})))
	posted.failure = errs.Forbidden()
	require.Equal(t, errs.KindForbidden, errs.KindOf(notices.Take(t.Context(), message.Incoming{})))
	off := message.NewWhatsAppNotices(message.WhatsAppNoticeOptions{Receipts: receipts, Numbers: numbers{}, Clock: clk})
	require.Equal(t, errs.KindNotFound, errs.KindOf(off.Take(t.Context(), message.Incoming{})))
	require.Equal(t, errs.KindNotFound, errs.KindOf(off.Verify("")))
}

// If Meta reports a message without an answer as sent, it is not sent again.
func TestWhatsAppStatus_OfAnUnconfirmedTry_PreventsTheSecondTry(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	sender := message.NewWhatsAppSender(message.SenderOptions{
		DB: h.db.Worker, Providers: []message.Provider{&whatsApp{h.first}}, Site: site, Clock: h.clock,
		Counts: message.Uncounted{}, Logger: testkit.NewLogger(t),
	})
	h.first.answers = []*message.SendError{fails(message.ClassUnconfirmed, "")}
	m := site.Compose(message.Message{
		ID: id.New(), Mobile: "9876543210", Template: message.TemplateRenewalReminder + "_whatsapp", Values: []string{"Growth", "5 May 2027"},
	})
	require.Error(t, sender.Send(t.Context(), m))
	posted := &posted{notice: message.WhatsAppNotice{Receipts: []message.Receipt{{Ref: "wamid.x", MessageID: m.ID, Sent: true}}}}
	notices := message.NewWhatsAppNotices(message.WhatsAppNoticeOptions{
		Receipts: message.NewReceipts(message.ReceiptOptions{
			DB: h.db.API, Clock: h.clock, Counts: message.Uncounted{},
		}), Numbers: numbers{}, Clock: h.clock, Reader: posted,
	})
	require.NoError(t, notices.Take(t.Context(), message.Incoming{}))
	require.NoError(t, sender.Send(t.Context(), m))
	require.Len(t, h.first.sent, 1)
}

// talks notes the messages of which it hears.
type talks struct{ undelivered []string }

func (*talks) TakeWhatsApp(context.Context, message.WhatsAppReply) error { return nil }

func (k *talks) Undelivered(_ context.Context, messageID string) error {
	k.undelivered = append(k.undelivered, messageID)
	return nil
}

// A failed text of staff is passed on each time that Meta reports it, and a failed template never.
func TestWhatsAppStatus_FailedText_IsPassedOn(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	posted, heard := &posted{}, &talks{}
	notices := message.NewWhatsAppNotices(message.WhatsAppNoticeOptions{
		Receipts: message.NewReceipts(message.ReceiptOptions{DB: db.API, Clock: clk, Counts: message.Uncounted{}}),
		Numbers:  numbers{}, Clock: clk, Reader: posted, Conversations: heard,
	})
	text, template := id.New(), id.New()
	for row, name := range map[string]string{text: message.TemplateContactWhatsApp, template: "payment_received_whatsapp"} {
		db.Owner.MustExec(`INSERT INTO sms_deliveries (message_ref, provider, provider_ref, template, state, unconfirmed, tried_at)
			VALUES ($1, 'whatsapp', $2, $3, 'accepted', 0, $4)`, row, "wamid."+row, name, clk.Now())
		for _, receipt := range []message.Receipt{{Sent: true}, {Code: "131047"}, {Code: "131047"}} {
			receipt.Ref, receipt.MessageID = "wamid."+row, row
			posted.notice = message.WhatsAppNotice{Receipts: []message.Receipt{receipt}}
			require.NoError(t, notices.Take(t.Context(), message.Incoming{}))
		}
	}
	require.Equal(t, []string{text, text}, heard.undelivered)
	code, undelivered, err := message.Undelivered(t.Context(), db.Worker, text, message.WhatsAppProvider)
	require.NoError(t, err)
	require.Equal(t, []any{"131047", true}, []any{code, undelivered})
}

type whatsApp struct{ *provider }

func (*whatsApp) Name() string { return message.WhatsAppProvider }

// posted is a reader that reads the same notice.
type posted struct {
	notice  message.WhatsAppNotice
	failure error
}

func (p *posted) Verifies(token string) bool { return token == "right" }

func (p *posted) Read(message.Incoming) (message.WhatsAppNotice, error) { return p.notice, p.failure }

// numbers finds the franchiser of a mobile.
type numbers map[string]string

func (n numbers) FranchiserOf(_ context.Context, _ sqlx.QueryerContext, mobile string) (string, error) {
	return n[mobile], nil
}

func TestWhatsAppReply_StopWords_EndMessages(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"STOP", "stop", " Stop! ", "\"STOP\".", "Stop messages please", "unsubscribe", "Opt out", "OPT-OUT", "optout", "बंद", "बंद करो", "रोकें।", "Band karo", "STOP\n"} {
		require.True(t, message.WhatsAppReply{Text: text}.Stops(), text)
	}
	for _, text := range []string{"", "!", "Please don't stop", "When does my plan stop?", "stopwatch", "non-stop", "Thanks", "opt in", "stop by our shop in Pune tomorrow", "band"} {
		require.False(t, message.WhatsAppReply{Text: text}.Stops(), text)
	}
}

// consented is what whatsapp_consents holds of a franchiser.
func consented(t *testing.T, db *testkit.Database, franchiserID string) []string {
	t.Helper()
	var list []string
	require.NoError(t, db.Owner.Select(&list, `SELECT given || ' ' || via || ' ' || version || ' ' || language || ' ' || (text LIKE '%WhatsApp%STOP%')
		FROM whatsapp_consents WHERE franchiser_ref = $1 ORDER BY at, id`, franchiserID))
	return list
}

func TestWhatsAppConsent_IsStoredWithItsTextAndEndsByAReply(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	settings := message.NewSettings(message.SettingsOptions{
		DB: db.API, Clock: clk, Keys: testkit.NewKeyring(t), Contacts: somebody{}, WhatsApp: true,
	})
	mine, theirs := id.New(), id.New()
	set := func(who string, on bool, language i18n.Language, version int) error {
		clk.Advance(time.Minute)
		return settings.SetWhatsApp(t.Context(), who, on, language, version)
	}
	state := func(who string) *message.WhatsAppConsent {
		t.Helper()
		c, err := settings.WhatsApp(t.Context(), who)
		require.NoError(t, err)
		return c
	}
	before := state(mine)
	require.False(t, before.Given, "nobody is opted in")
	require.NoError(t, set(mine, false, "en", 1))
	require.Empty(t, consented(t, db, mine), "nothing to take back")
	require.Equal(t, errs.KindInvalid, errs.KindOf(set(mine, true, "en", 2)), "another text")
	require.Equal(t, errs.KindInvalid, errs.KindOf(set(mine, true, "fr", 1)))
	for range 2 {
		require.NoError(t, set(mine, true, i18n.Language("hi"), before.Version))
	}
	require.NoError(t, set(theirs, true, "en", 1))
	require.True(t, state(mine).Given)
	require.Equal(t, i18n.Language("hi"), state(mine).Language)

	stop := &posted{notice: message.WhatsAppNotice{Replies: []message.WhatsAppReply{
		{Mobile: "9876543210", Text: "Thanks!", Ref: "wamid.1"}, {Mobile: "9876543211", Text: "STOP", Ref: "wamid.2"}, {Mobile: "9876543210", Text: "STOP", Ref: "wamid.3"},
	}}}
	notices := message.NewWhatsAppNotices(message.WhatsAppNoticeOptions{
		Receipts: message.NewReceipts(message.ReceiptOptions{
			DB: db.API, Clock: clk, Counts: message.Uncounted{},
		}), Numbers: numbers{"9876543210": mine}, Clock: clk, Reader: stop,
	})
	for range 2 {
		clk.Advance(time.Minute)
		require.NoError(t, notices.Take(t.Context(), message.Incoming{}))
	}
	require.False(t, state(mine).Given)
	require.True(t, state(theirs).Given)
	require.NoError(t, set(mine, true, "en", 1))
	clk.Advance(time.Minute)
	require.NoError(t, notices.Take(t.Context(), message.Incoming{}))
	require.True(t, state(mine).Given, "a notice that comes again is no new reply")
	require.Equal(t, []string{"true account 1 hi true", "false reply 1 hi true", "true account 1 en true"}, consented(t, db, mine))

	records := message.NewPersonalData(clk)
	clk.Advance(time.Minute)
	require.NoError(t, postgres.InTenantTx(t.Context(), db.API, mine, func(tx *sqlx.Tx) error { return records.MoveTx(t.Context(), tx, mine, "9876543219") }))
	require.False(t, state(mine).Given, "the new number consented to nothing")
	require.NoError(t, postgres.InTenantTx(t.Context(), db.API, mine, func(tx *sqlx.Tx) error {
		_, data, err := records.ExportTx(t.Context(), tx, mine)
		exported, _ := json.Marshal(data)
		require.Contains(t, string(exported), `"via":"number"`)
		return err
	}))
	require.NoError(t, postgres.InTx(t.Context(), db.Worker, func(tx *sqlx.Tx) error { return records.EraseTx(t.Context(), tx, mine) }))
	require.Empty(t, consented(t, db, mine))
	require.Len(t, consented(t, db, theirs), 1)

	off := message.NewSettings(message.SettingsOptions{DB: db.API, Clock: clk, Keys: testkit.NewKeyring(t), Contacts: somebody{}})
	nothing, err := off.WhatsApp(t.Context(), theirs)
	require.NoError(t, err)
	require.Nil(t, nothing)
	require.Equal(t, errs.KindNotFound, errs.KindOf(off.SetWhatsApp(t.Context(), theirs, false, "en", 1)))
}

func TestWhatsAppOptIn_TooOften_HasToWait(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	settings := message.NewSettings(message.SettingsOptions{
		DB: db.API, Clock: clk, Keys: testkit.NewKeyring(t), Contacts: somebody{}, WhatsApp: true,
	})
	mine := id.New()
	for range 10 {
		clk.Advance(time.Second)
		require.NoError(t, settings.SetWhatsApp(t.Context(), mine, true, "en", 1))
		clk.Advance(time.Second)
		require.NoError(t, settings.SetWhatsApp(t.Context(), mine, false, "en", 1))
	}
	often := errs.As(settings.SetWhatsApp(t.Context(), mine, true, "en", 1))
	require.Equal(t, errs.KindRateLimited, often.Kind)
	require.Equal(t, 24*time.Hour-19*time.Second, often.RetryAfter, "when the first of them is a day old")
	clk.Advance(24 * time.Hour)
	require.NoError(t, settings.SetWhatsApp(t.Context(), mine, true, "en", 1))
}

// A receipt is sent by WhatsApp and by SMS from the opt-in until it is withdrawn.
func TestWhatsApp_OnlyWhileOptedIn_IsSentAlongsideTheSMS(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	settings := message.NewSettings(message.SettingsOptions{
		DB: db.API, Clock: clk, Keys: testkit.NewKeyring(t), Contacts: somebody{}, WhatsApp: true,
	})
	sms, app := &letterbox{}, &letterbox{}
	outbox := message.NewOutbox(message.OutboxOptions{SMS: sms, Site: site, Clock: clk, WhatsApp: app, Logger: testkit.NewLogger(t)})
	letters := map[string]message.Letter{
		message.TemplatePaymentReceived: {Write: func(_ context.Context, _ *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
			require.Equal(t, message.TemplatePaymentReceived, m.Template)
			return &message.Message{Values: []string{"Rs 1,500.00", "Growth"}}, nil
		}},
		message.TemplateRenewalReminder: {Reminder: true, Write: func(context.Context, *sqlx.Tx, message.CustomerMessage) (*message.Message, error) {
			return &message.Message{Template: message.TemplateTrialReminder, Values: []string{"5 May 2027"}}, nil
		}},
	}
	customers := message.NewCustomerOutbox(message.CustomerOutboxOptions{
		DB: db.Worker, Clock: clk, Outbox: outbox, Contacts: reached{}, Letters: letters, Keys: testkit.NewKeyring(t),
	})
	enqueuer := message.NewEnqueuer(message.EnqueuerOptions{Jobs: testkit.NewInserter(t, db.Worker), Email: false, WhatsApp: true})
	mine := id.New()
	tell := func(template string) (rows []string) {
		t.Helper()
		about := id.New()
		for range 2 {
			require.NoError(t, postgres.InTx(t.Context(), db.Worker, func(tx *sqlx.Tx) error {
				return enqueuer.OnceTx(t.Context(), tx, message.CustomerMessage{FranchiserID: mine, Template: template, About: about, CreatedAt: clk.Now()})
			}))
		}
		require.NoError(t, db.Owner.Select(&rows, `SELECT id FROM customer_messages WHERE about = $1 ORDER BY template`, about))
		var jobs int
		require.NoError(t, db.Owner.Get(&jobs, `SELECT count(*) FROM river_job WHERE args->>'message_id' = ANY($1::text[])`, "{"+strings.Join(rows, ",")+"}"))
		require.Equal(t, len(rows), jobs, "each has its job")
		return rows
	}
	require.Len(t, tell(message.TemplatePaymentReceived), 1, "no opt-in")
	require.NoError(t, settings.SetWhatsApp(t.Context(), mine, true, "hi", 1))
	rows := tell(message.TemplatePaymentReceived)
	require.Len(t, rows, 2)
	for _, row := range rows {
		require.NoError(t, customers.Send(t.Context(), row))
	}
	require.Len(t, sms.took, 1)
	require.Len(t, app.took, 1)
	require.Equal(t, "9876543210", app.took[0].Mobile)
	require.Equal(t, message.WhatsAppCall{Name: "payment_received", Language: "hi", Body: []string{"Rs 1,500.00", "Growth"}}, app.took[0].OnWhatsApp)

	trial := tell(message.TemplateRenewalReminder)
	require.NoError(t, customers.Send(t.Context(), trial[1]))
	late := tell(message.TemplatePaymentReceived)
	clk.Advance(time.Minute)
	require.NoError(t, settings.SetWhatsApp(t.Context(), mine, false, "hi", 1))
	require.NoError(t, customers.Send(t.Context(), late[1]))
	require.Len(t, app.took, 1, "what does not go by WhatsApp, and what was stopped before it went")
	var errors []string
	require.NoError(t, db.Owner.Select(&errors, `SELECT send_error FROM customer_messages WHERE send_error IS NOT NULL ORDER BY id`))
	require.Equal(t, []string{"not_needed", "not_wanted"}, errors)
	centre := message.NewCentre(db.API, clk, map[string]message.Notes{message.TemplatePaymentReceived: noted})
	n, err := centre.Unread(t.Context(), mine)
	require.NoError(t, err)
	require.Equal(t, 3, n, "a notification each, however many ways it was told")

	offbox := message.NewOutbox(message.OutboxOptions{SMS: sms, Site: site, Clock: clk, Logger: testkit.NewLogger(t)})
	clk.Advance(time.Minute)
	require.NoError(t, settings.SetWhatsApp(t.Context(), mine, true, "en", 1))
	db.Owner.MustExec(`UPDATE customer_messages SET send_error = NULL WHERE id = $1`, late[1])
	require.Equal(t, "whatsapp_off", errs.As(message.NewCustomerOutbox(message.CustomerOutboxOptions{
		DB: db.Worker, Clock: clk, Outbox: offbox, Contacts: reached{}, Letters: letters, Keys: testkit.NewKeyring(t),
	}).Send(t.Context(), late[1])).Code)
}

// reached is reached at a mobile number.
type reached struct{ nobody }

func (reached) ContactTx(context.Context, *sqlx.Tx, string) (mobile, email string, err error) {
	return "9876543210", "", nil
}
