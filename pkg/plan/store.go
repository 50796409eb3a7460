package plan

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

type store struct{}

const newestSQL = `SELECT revision FROM catalogue_revisions ORDER BY revision DESC LIMIT 1`

// newest returns the revision on sale. It returns an unavailable error without one, because the product cannot sell.
func (store) newest(ctx context.Context, q sqlx.QueryerContext) (int, error) {
	var revision int
	err := sqlx.GetContext(ctx, q, &revision, newestSQL)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, errs.Unavailable(errors.New("no catalogue was loaded"))
	}
	if err != nil {
		return 0, fmt.Errorf("read catalogue revision: %w", err)
	}
	return revision, nil
}

// The lock serialises concurrent loaders.
const (
	lockCatalogueSQL  = `SELECT pg_advisory_xact_lock(hashtext('catalogue'))`
	newestPrintSQL    = `SELECT revision, fingerprint FROM catalogue_revisions ORDER BY revision DESC LIMIT 1`
	insertRevisionSQL = `
		INSERT INTO catalogue_revisions (revision, version, fingerprint, gst_rates, loaded_at)
		VALUES ($1, $2, $3, $4, $5)`
	planIDSQL    = `SELECT id FROM plans WHERE name = $1`
	serviceIDSQL = `SELECT id FROM plan_services WHERE plan_id = $1 AND name = $2`
	addOnIDSQL   = `SELECT id FROM plan_add_ons WHERE service_id = $1 AND key = $2`

	insertPlanSQL    = `INSERT INTO plans (id, name) VALUES ($1, $2)`
	insertServiceSQL = `INSERT INTO plan_services (id, plan_id, name) VALUES ($1, $2, $3)`
	insertAddOnSQL   = `INSERT INTO plan_add_ons (id, service_id, key) VALUES ($1, $2, $3)`

	insertPlanRevisionSQL = `
		INSERT INTO plan_revisions (revision, plan_id, position, most_popular, features) VALUES ($1, $2, $3, $4, $5)`
	describeFeatureSQL = `
		INSERT INTO plan_features (name, about) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET about = excluded.about WHERE plan_features.about <> excluded.about`
	insertServiceRevisionSQL = `
		INSERT INTO plan_service_revisions (revision, service_id, position, franchise_limit, monthly_paise, yearly_paise,
			yearly_discount_paise, all_in_yearly_paise, sac)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
	insertAddOnRevisionSQL = `
		INSERT INTO plan_add_on_revisions (revision, add_on_id, position, name, unit_limit, monthly_paise, yearly_paise, once_paise, sac)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
)

// save adds the document as the newest revision unless it already is. Loading an older text again also creates a new
// revision.
func (s store) save(ctx context.Context, tx *sqlx.Tx, d Document, fingerprint []byte, now time.Time) (int, error) {
	if _, err := tx.ExecContext(ctx, lockCatalogueSQL); err != nil {
		return 0, fmt.Errorf("lock catalogue: %w", err)
	}
	var newest struct {
		Revision    int    `db:"revision"`
		Fingerprint []byte `db:"fingerprint"`
	}
	err := tx.GetContext(ctx, &newest, newestPrintSQL)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("read newest catalogue: %w", err)
	}
	if err == nil && string(newest.Fingerprint) == string(fingerprint) {
		return newest.Revision, nil
	}
	revision := newest.Revision + 1
	rates, _ := json.Marshal(d.GSTRates) // strings and numbers always marshal
	if _, err := tx.ExecContext(ctx, insertRevisionSQL, revision, d.Version, fingerprint, string(rates), now); err != nil {
		return 0, fmt.Errorf("insert catalogue revision: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(d.FeatureTexts)) {
		if _, err := tx.ExecContext(ctx, describeFeatureSQL, name, d.FeatureTexts[name]); err != nil {
			return 0, fmt.Errorf("describe feature %s: %w", name, err)
		}
	}
	for i, p := range d.Plans {
		if err := s.savePlan(ctx, tx, revision, i, p); err != nil {
			return 0, fmt.Errorf("save plan %s: %w", p.Plan, err)
		}
	}
	return revision, nil
}

func (s store) savePlan(ctx context.Context, tx *sqlx.Tx, revision, position int, p DocumentPlan) error {
	planID, err := s.stableID(ctx, tx, insertPlanSQL, planIDSQL, p.Plan)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, insertPlanRevisionSQL, revision, planID, position, p.MostPopular, pq.Array(p.Features))
	if err != nil {
		return err
	}
	for i, v := range p.Services {
		serviceID, err := s.stableID(ctx, tx, insertServiceSQL, serviceIDSQL, planID, v.Tier)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, insertServiceRevisionSQL, revision, serviceID, i, v.FranchiseLimit, v.MonthlyPaise,
			v.YearlyPaise, v.YearlyDiscountPaise, v.AllInYearlyPaise, v.SAC); err != nil {
			return err
		}
		for j, a := range v.AddOns {
			addOnID, err := s.stableID(ctx, tx, insertAddOnSQL, addOnIDSQL, serviceID, a.Key)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, insertAddOnRevisionSQL, revision, addOnID, j, a.Name, a.Limit, a.MonthlyPaise,
				a.YearlyPaise, a.OncePaise, a.SAC); err != nil {
				return err
			}
		}
	}
	return nil
}

// stableID returns the permanent id of a name, and assigns one to a new name.
func (store) stableID(ctx context.Context, tx *sqlx.Tx, insertSQL, findSQL string, name ...any) (string, error) {
	var found string
	err := tx.GetContext(ctx, &found, findSQL, name...)
	if err == nil || !errors.Is(err, sql.ErrNoRows) {
		return found, err
	}
	found = id.New()
	_, err = tx.ExecContext(ctx, insertSQL, append([]any{found}, name...)...)
	return found, err
}

// A whole revision in one round trip: one row per add-on, or per tier without any.
const loadSQL = `
	SELECT c.version, c.gst_rates, p.id AS plan_id, p.name AS plan_name, pr.most_popular, pr.features,
		ARRAY(SELECT coalesce(f.about, '') FROM unnest(pr.features) WITH ORDINALITY n (name, place)
			LEFT JOIN plan_features f ON f.name = n.name ORDER BY n.place) AS feature_texts,
		s.id AS service_id, s.name AS service_name, sr.franchise_limit, sr.monthly_paise, sr.yearly_paise,
		sr.yearly_discount_paise, sr.all_in_yearly_paise, sr.sac,
		coalesce(a.id::text, '') AS add_on_id, coalesce(a.key, '') AS add_on_key, coalesce(a.name, '') AS add_on_name,
		coalesce(a.unit_limit, 0) AS add_on_limit, coalesce(a.monthly_paise, 0) AS add_on_monthly_paise,
		coalesce(a.yearly_paise, 0) AS add_on_yearly_paise, coalesce(a.once_paise, 0) AS add_on_once_paise, coalesce(a.sac, '') AS add_on_sac
	FROM catalogue_revisions c
	JOIN plan_revisions pr ON pr.revision = c.revision
	JOIN plans p ON p.id = pr.plan_id
	JOIN plan_services s ON s.plan_id = p.id
	JOIN plan_service_revisions sr ON sr.revision = c.revision AND sr.service_id = s.id
	LEFT JOIN (
		SELECT o.id, o.service_id, o.key, r.revision, r.position, r.name, r.unit_limit, r.monthly_paise, r.yearly_paise, r.once_paise, r.sac
		FROM plan_add_ons o JOIN plan_add_on_revisions r ON r.add_on_id = o.id
	) a ON a.revision = c.revision AND a.service_id = s.id
	WHERE c.revision = $1
	ORDER BY pr.position, sr.position, a.position`

type row struct {
	Version        string         `db:"version"`
	GSTRates       []byte         `db:"gst_rates"`
	PlanID         string         `db:"plan_id"`
	PlanName       string         `db:"plan_name"`
	MostPopular    bool           `db:"most_popular"`
	Features       pq.StringArray `db:"features"`
	FeatureTexts   pq.StringArray `db:"feature_texts"`
	ServiceID      string         `db:"service_id"`
	ServiceName    string         `db:"service_name"`
	FranchiseLimit int            `db:"franchise_limit"`
	Monthly        money.Paise    `db:"monthly_paise"`
	Yearly         money.Paise    `db:"yearly_paise"`
	YearlyDiscount money.Paise    `db:"yearly_discount_paise"`
	AllInYearly    money.Paise    `db:"all_in_yearly_paise"`
	SAC            string         `db:"sac"`
	AddOnID        string         `db:"add_on_id"`
	AddOnKey       string         `db:"add_on_key"`
	AddOnName      string         `db:"add_on_name"`
	AddOnLimit     int            `db:"add_on_limit"`
	AddOnMonthly   money.Paise    `db:"add_on_monthly_paise"`
	AddOnYearly    money.Paise    `db:"add_on_yearly_paise"`
	AddOnOnce      money.Paise    `db:"add_on_once_paise"`
	AddOnSAC       string         `db:"add_on_sac"`
}

func (store) load(ctx context.Context, q sqlx.QueryerContext, revision int) (*Catalogue, error) {
	var rows []row
	if err := sqlx.SelectContext(ctx, q, &rows, loadSQL, revision); err != nil {
		return nil, fmt.Errorf("read catalogue: %w", err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("catalogue revision %d does not exist", revision)
	}
	c := &Catalogue{Revision: revision, Version: rows[0].Version}
	if err := json.Unmarshal(rows[0].GSTRates, &c.GSTRates); err != nil {
		return nil, fmt.Errorf("decode rates of tax: %w", err)
	}
	for _, r := range rows {
		c.add(r)
	}
	c.index()
	return c, nil
}

// add appends a row to the plans; rows come in the catalogue's order.
func (c *Catalogue) add(r row) {
	if n := len(c.Plans); n == 0 || c.Plans[n-1].ID != r.PlanID {
		made := Plan{ID: r.PlanID, Name: r.PlanName, MostPopular: r.MostPopular}
		for i, name := range r.Features {
			made.Features = append(made.Features, Feature{Name: name, About: r.FeatureTexts[i]})
		}
		c.Plans = append(c.Plans, made)
	}
	p := &c.Plans[len(c.Plans)-1]
	if n := len(p.Tiers); n == 0 || p.Tiers[n-1].ID != r.ServiceID {
		p.Tiers = append(p.Tiers, Tier{
			ID: r.ServiceID, PlanID: r.PlanID, PlanName: r.PlanName, Name: r.ServiceName, FranchiseLimit: r.FranchiseLimit,
			Monthly: r.Monthly, Yearly: r.Yearly, YearlyDiscount: r.YearlyDiscount, AllInYearly: r.AllInYearly, SAC: r.SAC,
		})
	}
	if r.AddOnID == "" {
		return
	}
	t := &p.Tiers[len(p.Tiers)-1]
	t.AddOns = append(t.AddOns, AddOn{
		ID: r.AddOnID, ServiceID: r.ServiceID, Key: r.AddOnKey, Name: r.AddOnName, Limit: r.AddOnLimit,
		Monthly: r.AddOnMonthly, Yearly: r.AddOnYearly, Once: r.AddOnOnce, SAC: r.AddOnSAC,
	})
}
