package jobadmin

import (
	"context"
	"hash/fnv"
	"maps"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
)

// DryRun is the predicted result of a change of many jobs, without changes. The jobs are fixed when it begins; a change that names it acts
// on exactly these. Left is the number of jobs not yet examined.
type DryRun struct {
	ID      string    `db:"id"`
	Action  JobAction `db:"action"`
	Total   int       `db:"total"`
	Acts    int       `db:"acts"`
	Nothing int       `db:"nothing"`
	Refused int       `db:"refused"`
	Left    int       `db:"waiting"`
	Reasons []Refusal `db:"-"`
	// Failing counts the jobs of a rerun that would most likely fail again, by the provider that fails at the moment.
	Failing []FailingProvider `db:"-"`
}

// FailingProvider counts jobs whose provider fails.
type FailingProvider struct {
	Provider string `json:"provider"`
	Count    int    `json:"count"`
}

// Refusal counts the jobs that are skipped for one reason. Code is the reason's kind, Message its text for one of the jobs.
type Refusal struct {
	Code    string `json:"code"    db:"code"`
	Message string `json:"message" db:"message"`
	Count   int    `json:"count"   db:"count"`
}

// The outcomes that a dry run foresees for a job.
const (
	foreseenActs    = "acts"
	foreseenNothing = "nothing"
	foreseenRefused = "refused"
)

const (
	// dryRunSlice is how long one request looks at jobs; the next one goes on.
	dryRunSlice = 2 * time.Second
	// dryRunBatch is how many jobs are read at once.
	dryRunBatch = 100
	keepDryRuns = 24 * time.Hour
)

// DryRun fixes the jobs of a change and looks at the first of them; the change's reason and key are not needed.
func (s *Service) DryRun(ctx context.Context, p staff.Principal, c JobChange) (DryRun, error) {
	c.Reason, c.Key = "Dry run", ""
	if c.Action == JobSnooze && c.Snooze == 0 {
		c.Snooze = minSnooze
	}
	if err := c.clean(); err != nil {
		return DryRun{}, err
	}
	d := DryRun{ID: id.New(), Action: c.Action}
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if err = insertDryRunTx(ctx, tx, d, p.StaffID, s.clock.Now()); err != nil {
			return err
		}
		if d.Total, err = fixDryRunTx(ctx, tx, d.ID, c); err != nil {
			return err
		}
		return checkTotal(d.Total)
	})
	if err != nil {
		return DryRun{}, err
	}
	return s.ContinueDryRun(ctx, p, d.ID)
}

func checkTotal(total int) error {
	if total == 0 {
		return errs.New(errs.KindConflict, "no_jobs", "No job matches any more.")
	}
	if total > maxMatching {
		return errs.Invalid("Please check the marked fields.").Field("filter", "More than 50,000 jobs match. Narrow the filter.")
	}
	return nil
}

// ContinueDryRun examines further jobs for about two seconds and returns the counts so far; KindNotFound for a colleague's dry run.
func (s *Service) ContinueDryRun(ctx context.Context, p staff.Principal, dryRunID string) (DryRun, error) {
	d, err := readDryRun(ctx, s.db, dryRunID)
	if err != nil {
		return DryRun{}, err
	}
	slice, cancel := context.WithTimeout(ctx, dryRunSlice)
	defer cancel()
	for slice.Err() == nil {
		ids, err := waitingDryRunItems(ctx, s.db, dryRunID)
		if err != nil {
			return DryRun{}, err
		}
		if len(ids) == 0 {
			break
		}
		for _, jobID := range ids {
			if slice.Err() != nil {
				break
			}
			if err := s.foresee(ctx, p, d, jobID); err != nil {
				return DryRun{}, err
			}
		}
	}
	if d, err = readDryRun(ctx, s.db, dryRunID); err != nil || d.Action != JobRerun {
		return d, err
	}
	d.Failing, err = s.wouldFail(ctx, dryRunID)
	return d, err
}

// wouldFail counts the jobs that would have an effect if their providers did not fail.
func (s *Service) wouldFail(ctx context.Context, dryRunID string) ([]FailingProvider, error) {
	list := []FailingProvider{}
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		failing, err := s.failing(ctx, tx)
		if err != nil || len(failing) == 0 {
			return err
		}
		kinds, err := actingKindsTx(ctx, tx, dryRunID)
		if err != nil {
			return err
		}
		sums := map[string]int{}
		for kind, n := range kinds {
			if provider := failing[kind]; provider != "" {
				sums[provider] += n
			}
		}
		for _, provider := range slices.Sorted(maps.Keys(sums)) {
			list = append(list, FailingProvider{Provider: provider, Count: sums[provider]})
		}
		return nil
	})
	return list, err
}

// foresee examines one job and records the effect of the change on it.
func (s *Service) foresee(ctx context.Context, p staff.Principal, d DryRun, jobID int64) error {
	var job Job
	item := dryRunItem{JobID: jobID, Outcome: foreseenActs}
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if job, err = jobTx(ctx, tx, jobID, false); err != nil {
			return err
		}
		if err := allowed(ctx, tx, p, job, d.Action); err != nil {
			return err
		}
		if d.Action != JobRerun && d.Action != JobSnooze {
			return nil
		}
		hash := fnv.New64a()
		_, _ = hash.Write([]byte(job.Kind + "\x00" + string(job.rawArgs)))
		item.Twin = int64(hash.Sum64()) //nolint:gosec // any 64 bits
		first, err := firstTwinTx(ctx, tx, d.ID, item)
		if err == nil && first != 0 {
			err = twinOf(first)
		}
		return err
	})
	if refusal, message, refused := refusalOf(err, jobID); refused {
		item.Outcome, item.Message, item.Twin = foreseenRefused, refusal+":"+message, 0
		return s.noteForeseen(ctx, d.ID, item)
	}
	if err != nil {
		return err
	}
	if d.Action == JobRerun {
		effect, err := s.effect(ctx, job)
		if err != nil {
			return err
		}
		if effect.Nothing {
			item.Outcome = foreseenNothing
		}
	}
	return s.noteForeseen(ctx, d.ID, item)
}

func (s *Service) noteForeseen(ctx context.Context, dryRunID string, item dryRunItem) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error { return noteForeseenTx(ctx, tx, dryRunID, item) })
}
