package subscription

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// priceNoticeDays is how many days before a renewal's price is fixed the customer is informed of an approved new price. The price is
// fixed at the renewal, or at the notice of its debit. Customers must know 30 days before; the other days allow for delayed messages.
const priceNoticeDays = 45

// priceComparison compares a catalogue of running terms with the catalogue of renewals whose price is fixed from first to last.
type priceComparison struct {
	prices      string
	same        bool // no price differs
	revision    int
	following   bool // see due_price_notices
	sold        int  // the revision that is sold today, if that is the second catalogue
	first, last Day
}

// TellPrices informs customers of a changed price of their next renewal, once per price, and returns their number. A second admin must
// have approved the prices. If the change is withdrawn, the informed customers get a correction.
func (s *Service) TellPrices(ctx context.Context) (told int, err error) {
	var all []priceComparison
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		all, err = s.priceComparisons(ctx, tx)
		return err
	})
	for _, one := range all {
		if err != nil {
			break
		}
		var n int
		n, err = s.sweep(ctx, func(tx *sqlx.Tx) (int, error) { return s.tellPricesTx(ctx, tx, one) })
		told += n
	}
	return told, err
}

// An index finds each revision from the previous one: subscriptions are many, revisions few.
const runningRevisionsSQL = `
	WITH RECURSIVE running AS (
		(SELECT catalogue_revision AS revision FROM subscriptions WHERE state IN ('active', 'grace') AND NOT trial ORDER BY 1 LIMIT 1)
		UNION ALL
		SELECT n.revision FROM running r CROSS JOIN LATERAL (SELECT s.catalogue_revision AS revision FROM subscriptions s
			WHERE s.state IN ('active', 'grace') AND NOT s.trial AND s.catalogue_revision > r.revision ORDER BY 1 LIMIT 1) n
	)
	SELECT revision FROM running
	UNION SELECT catalogue_revision FROM terms WHERE status = 'scheduled' ORDER BY 1`

func (s *Service) priceComparisons(ctx context.Context, tx *sqlx.Tx) ([]priceComparison, error) {
	var running []int
	if err := tx.SelectContext(ctx, &running, runningRevisionsSQL); err != nil {
		return nil, fmt.Errorf("list revisions under which plans run: %w", err)
	}
	sold, err := s.plans.FreshTx(ctx, tx)
	if err != nil {
		return nil, err
	}
	coming, err := s.plans.ComingTx(ctx, tx)
	if err != nil {
		return nil, err
	}
	today := DayOf(s.clock.Now())
	last := today + priceNoticeDays
	change := last + 1
	if coming != nil {
		change = max(DayOf(coming.From), today+1)
	}
	var all []priceComparison
	for _, revision := range running {
		then, err := s.plans.RevisionTx(ctx, tx, revision)
		if err != nil {
			return nil, err
		}
		all = append(all, compared(then, sold, priceComparison{revision: revision, first: today + 1, last: min(last, change-1), sold: sold.Revision}))
		if change <= last {
			all = append(all, compared(then, coming.Catalogue, priceComparison{revision: revision, first: change, last: last}))
		}
	}
	if change <= last {
		all = append(all, compared(sold, coming.Catalogue, priceComparison{following: true, first: change, last: last}))
	}
	return all, nil
}

// compared completes c with the prices of both catalogues.
func compared(now, then *plan.Catalogue, c priceComparison) priceComparison {
	rows := pricesOf(now, then)
	c.prices, c.same = jsonOf(rows), !slices.ContainsFunc(rows, priceRow.differs)
	return c
}

// A renewal can be later than the day on which its price is fixed.
const pricesToldSQL = `SELECT EXISTS (SELECT FROM price_notices WHERE renew_on >= $1)`

// concernsNobody reports whether the comparison can find no customer, without reading all subscriptions. This is so without days, or if
// no price differs and no customer was informed of another price.
func (c priceComparison) concernsNobody(ctx context.Context, tx *sqlx.Tx) (bool, error) {
	if c.last < c.first && c.sold == 0 {
		return true, nil
	}
	if !c.same && c.first <= c.last {
		return false, nil
	}
	var told bool
	if err := tx.GetContext(ctx, &told, pricesToldSQL, c.first); err != nil {
		return false, fmt.Errorf("look for prices that were told: %w", err)
	}
	return !told, nil
}

// Two concurrent workers number their notices alike, so one of them inserts nothing.
const insertPriceNoticesSQL = `
	INSERT INTO price_notices (franchiser_id, subscription_id, renew_on, number, before_paise, after_paise, created_at)
	SELECT franchiser_id, subscription_id, renew_on, number, before_paise, after_paise, $6 FROM due_price_notices($1, $2, $3, $4, $5, $8) LIMIT $7
	ON CONFLICT DO NOTHING
	RETURNING id, franchiser_id`

func (s *Service) tellPricesTx(ctx context.Context, tx *sqlx.Tx, of priceComparison) (int, error) {
	nobody, err := of.concernsNobody(ctx, tx)
	if err != nil || nobody {
		return 0, err
	}
	var due []dueReminder
	err = tx.SelectContext(ctx, &due, insertPriceNoticesSQL, of.prices, of.revision, of.following, of.first, of.last, s.clock.Now(), remindBatch, of.sold)
	if err != nil {
		return 0, fmt.Errorf("note prices that are told: %w", err)
	}
	for _, one := range due {
		if err := s.announceTx(ctx, tx, one, message.TemplatePriceChange, message.TemplatePriceChangeEmail); err != nil {
			return 0, err
		}
	}
	return len(due), nil
}

// priceNotice is the content of a price message. Before and After are prices of a term, before tax.
type priceNotice struct {
	ID       string      `db:"id"`
	PlanName string      `db:"plan_name"`
	RenewOn  Day         `db:"renew_on"`
	Before   money.Paise `db:"before_paise"`
	After    money.Paise `db:"after_paise"`
}

// A notice is not sent after the renewal was paid, the plan ended, or a newer notice exists.
const priceNoticeSQL = `
	SELECT n.id, n.renew_on, n.before_paise, n.after_paise, p.name AS plan_name
	FROM price_notices n JOIN subscriptions s ON s.id = n.subscription_id JOIN plan_overview p ON p.id = s.plan_id
		JOIN person_overview f ON f.franchiser_id = n.franchiser_id
	WHERE n.franchiser_id = $1 AND n.id = $2 AND s.state IN ('active', 'grace') AND s.paid_until <= n.renew_on
		AND f.erased_at IS NULL AND f.erasure_requested_at IS NULL
		AND NOT EXISTS (SELECT FROM price_notices later WHERE later.subscription_id = n.subscription_id AND later.renew_on = n.renew_on
			AND later.number > n.number)`

// priceLetter is the message about a changed price of the next renewal.
func (l letters) priceLetter(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
	var n priceNotice
	err := tx.GetContext(ctx, &n, priceNoticeSQL, m.FranchiserID, m.About)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // nothing to send
	}
	if err != nil {
		return nil, fmt.Errorf("read the notice of a price: %w", err)
	}
	name := n.PlanName
	if m.Template == message.TemplatePriceChange {
		name = message.Fit(name)
	}
	return &message.Message{Values: []string{name, n.RenewOn.In(m.Language), m.Rupees(n.After), m.Rupees(n.Before)}}, nil
}

const priceNotesSQL = `
	SELECT n.id, n.renew_on, n.before_paise, n.after_paise, p.name AS plan_name
	FROM price_notices n JOIN subscriptions s ON s.id = n.subscription_id JOIN plan_overview p ON p.id = s.plan_id
	WHERE n.franchiser_id = $1 AND n.id = ANY($2)`

func priceNotes(ctx context.Context, tx *sqlx.Tx, franchiserID string, about []string, l i18n.Language) (map[string]message.Note, error) {
	var rows []priceNotice
	if err := tx.SelectContext(ctx, &rows, priceNotesSQL, franchiserID, pq.StringArray(about)); err != nil {
		return nil, fmt.Errorf("read notices of prices: %w", err)
	}
	notes := map[string]message.Note{}
	for _, n := range rows {
		notes[n.ID] = message.Note{
			Title: l.Say("The price of your plan {1} changes", n.PlanName), Link: "/subscription_list",
			Text: l.Say("Its renewal on {1} costs {2} before GST, instead of {3}.", n.RenewOn.In(l), n.After.Display(), n.Before.Display()),
		}
	}
	return notes, nil
}
