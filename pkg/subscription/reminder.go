package subscription

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// ended reports whether the reminder belongs to a paid plan whose term is over: it is in grace or has expired.
func (r reminder) ended() bool { return !r.Trial && (r.Days < 0 || r.State == StateGrace) }

// stops is the last day on which the plan works if it is not renewed.
func (r reminder) stops(l i18n.Language) string {
	return (r.RenewOn + GraceDays + Day(r.GraceExtra) - 1).In(l) //nolint:gosec // 20 at most
}

// Letters returns the contents of the messages that remind of a renewal, of its price, and of what staff did with a plan; site is the site's URL without a trailing slash.
// Each is written when it is sent, and no longer needed once the plan was renewed or ended otherwise.
func Letters(s *Service, keys secret.Keyring, site string) map[string]message.Letter {
	l := letters{service: s, keys: keys, site: site}
	return map[string]message.Letter{
		message.TemplateRenewalReminder: {Write: l.sms, Wait: untilDaytime, Reminder: true},
		message.TemplateRenewalEmail:    {Write: l.email, Wait: untilDaytime, Reminder: true},
		message.TemplateGraceGiven:      {Write: l.graceLetter, Wait: untilDaytime},
		message.TemplateGraceGivenEmail: {Write: l.graceLetter},

		message.TemplatePlanSwitched:           {Write: l.switchedLetter, Wait: untilDaytime},
		message.TemplatePlanSwitchedEmail:      {Write: l.switchedLetter},
		message.TemplatePlanChangeOffered:      {Write: l.offeredLetter, Wait: untilDaytime},
		message.TemplatePlanChangeOfferedEmail: {Write: l.offeredLetter},

		message.TemplatePriceChange:      {Write: l.priceLetter, Wait: untilDaytime},
		message.TemplatePriceChangeEmail: {Write: l.priceLetter},
	}
}

type letters struct {
	service *Service
	keys    secret.Keyring
	site    string
}

// told is a reminder with its price, nil if the plan is no longer sold, and the code of its pay link.
type told struct {
	reminder
	bill *NextBill
	code string
	// value is for the e-mail before the end of the term; nil for others.
	value *TermValue
}

// read returns nil if the reminder is no longer needed.
func (l letters) read(ctx context.Context, tx *sqlx.Tx, reminderID string) (*told, error) {
	s := l.service
	r, err := s.store.reminder(ctx, tx, reminderID, DayOf(s.clock.Now()))
	if err != nil || r == nil || r.Trial {
		return toldOf(r), err
	}
	t := told{reminder: *r}
	if t.bill, err = s.nextBillTx(ctx, tx, r.FranchiserID); err != nil {
		return nil, err
	}
	if t.bill == nil && t.ended() {
		return nil, nil //nolint:nilnil // a plan that cannot be renewed has no price
	}
	t.code, err = payLinkCode(l.keys, r.ID)
	return &t, err
}

func toldOf(r *reminder) *told {
	if r == nil {
		return nil
	}
	return &told{reminder: *r}
}

func (t told) due() string { return t.bill.Payable().Display() }

func (l letters) sms(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
	t, err := l.read(ctx, tx, m.About)
	if err != nil || t == nil {
		return nil, err
	}
	out := t.sms(m)
	out.ExpiresAt = DayOf(l.service.clock.Now()).Start().Add(dayEnds) // any later, it would wake people
	return &out, nil
}

func (t told) sms(m message.CustomerMessage) message.Message {
	name := message.Fit(t.PlanName)
	switch {
	case t.Trial && t.State == StateExpired:
		return message.Message{Template: message.TemplateTrialEnded, Values: []string{t.lastDay(m.Language)}}
	case t.Trial:
		return message.Message{Template: message.TemplateTrialReminder, Values: []string{t.lastDay(m.Language)}}
	case t.bill == nil:
		return message.Message{Template: message.TemplateRenewalReminder, Values: []string{name, t.lastDay(m.Language)}}
	case t.State == StateExpired:
		return message.Message{Template: message.TemplateExpiredLink, Values: []string{name, t.stops(m.Language), m.Rupees(t.bill.Payable()), t.code}}
	case t.ended():
		return message.Message{
			Template: message.TemplateGraceLink, Values: []string{name, t.lastDay(m.Language), m.Rupees(t.bill.Payable()), t.stops(m.Language), t.code},
		}
	default:
		return message.Message{Template: message.TemplateRenewalLink, Values: []string{name, t.lastDay(m.Language), m.Rupees(t.bill.Payable()), t.code}}
	}
}

func (l letters) email(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
	t, err := l.read(ctx, tx, m.About)
	if err != nil || t == nil {
		return nil, err
	}
	if t.value, err = termValue(ctx, tx, t.FranchiserID, DayOf(l.service.clock.Now()), `NULL`); err != nil {
		return nil, err
	}
	out := t.email(m.Language)
	if t.code != "" {
		out.Link = l.site + m.Language.Base() + "/p/" + t.code
	}
	return &out, nil
}

func (t told) email(l i18n.Language) message.Message {
	switch {
	case t.Trial && t.State == StateExpired:
		return message.Message{Template: message.TemplateTrialEndedEmail, Values: []string{t.lastDay(l)}}
	case t.Trial:
		return message.Message{Template: message.TemplateTrialEmail, Values: []string{t.lastDay(l)}}
	case t.bill == nil:
		return message.Message{Template: message.TemplateRetiredEmail, Values: []string{t.PlanName, t.lastDay(l)}}
	}
	until := l.Day(PayLink{CreatedAt: t.CreatedAt}.Until())
	term := l.Say("{1} to {2}", t.bill.EffectiveOn.In(l), (t.bill.RenewOn - 1).In(l))
	switch {
	case t.State == StateExpired:
		return message.Message{Template: message.TemplateExpiredEmail, Values: []string{t.PlanName, t.stops(l), t.due(), term, until}}
	case t.ended():
		return message.Message{
			Template: message.TemplateGraceEmail, Values: []string{t.PlanName, t.lastDay(l), t.due(), term, until, t.stops(l)},
		}
	default:
		return message.Message{
			Template: message.TemplateRenewalEmail, Values: append([]string{t.PlanName, t.lastDay(l), t.due(), term, until}, t.value.facts(l)...),
		}
	}
}

// Notes returns the dashboard's texts of reminders and prices, without the pay link.
func Notes() map[string]message.Notes {
	return map[string]message.Notes{message.TemplateRenewalReminder: reminderNotes, message.TemplatePriceChange: priceNotes}
}

const reminderNotesSQL = `
	SELECT r.id, r.renew_on, r.days, s.trial, p.name AS plan_name, s.grace_extra, s.renew_on = r.renew_on AND s.paid_until = s.renew_on AS open
	FROM renewal_reminders r JOIN subscriptions s ON s.id = r.subscription_id JOIN plan_overview p ON p.id = s.plan_id
	WHERE r.franchiser_id = $1 AND r.id = ANY($2)`

func reminderNotes(ctx context.Context, tx *sqlx.Tx, franchiserID string, about []string, l i18n.Language) (map[string]message.Note, error) {
	var rows []struct {
		reminder

		Open bool `db:"open"`
	}
	if err := tx.SelectContext(ctx, &rows, reminderNotesSQL, franchiserID, pq.StringArray(about)); err != nil {
		return nil, fmt.Errorf("read reminders of notifications: %w", err)
	}
	notes := map[string]message.Note{}
	for _, r := range rows {
		notes[r.ID] = r.note(r.Open, l)
	}
	return notes, nil
}

// note returns the reminder's text as of its time; open says whether the customer can still act on it.
func (r reminder) note(open bool, l i18n.Language) message.Note {
	n := message.Note{Link: "/subscription_list", Text: l.Say("Renew it in time to keep everything running.")}
	switch {
	case r.Trial && r.Days < 0:
		n = message.Note{Title: l.Say("Your free trial ended on {1}", r.lastDay(l)), Link: "/pricing", Text: l.Say("Choose a plan to use your store again.")}
	case r.Trial:
		n = message.Note{Title: l.Say("Your free trial ends on {1}", r.lastDay(l)), Link: "/pricing", Text: l.Say("Choose a plan by then to keep what you have set up.")}
	case r.Days < -GraceDays-r.GraceExtra:
		n.Title, n.Text = l.Say("Your plan {1} stopped after {2}", r.PlanName, r.stops(l)), l.Say("Renew it to use it again.")
	case r.Days < 0:
		n.Title, n.Text = l.Say("Your plan {1} was paid until {2}", r.PlanName, r.lastDay(l)), l.Say("Renew it by {1} to keep it.", r.stops(l))
	default:
		n.Title = l.Say("Your plan {1} ends on {2}", r.PlanName, r.lastDay(l))
	}
	if !open {
		n.Text = l.Say("It has been renewed or changed since then. You do not need to do anything.")
	}
	return n
}
