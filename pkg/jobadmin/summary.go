package jobadmin

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// JobGroup counts the failed jobs with a common kind and cause; Key is the value for JobFilter.Cause.
type JobGroup struct {
	Kind   string    `json:"kind"      db:"kind"`
	Cause  string    `json:"cause"     db:"cause"`
	Key    string    `json:"key"       db:"key"`
	Count  int       `json:"count"     db:"count"`
	Latest time.Time `json:"latest_at" db:"latest_at"`
}

// JobFacet counts the failed jobs of a kind and queue, regardless of the filter.
type JobFacet struct {
	Kind  string `json:"kind"  db:"kind"`
	Queue string `json:"queue" db:"queue"`
	Count int    `json:"count" db:"count"`
}

// JobBar counts the jobs that failed last between From and the start of the next bar.
type JobBar struct {
	From  time.Time `json:"from"  db:"bucket"`
	Count int       `json:"count" db:"count"`
}

// JobSummary summarises all jobs that a filter matches: how many, why, and when. Newer is how many failed since Seen.
type JobSummary struct {
	Total       int
	Newer       int
	Groups      []JobGroup
	Facets      []JobFacet
	Bars        []JobBar
	StepSeconds int64
}

const (
	maxGroups = 100
	maxBars   = 48
	// minChart is the shortest time span of the chart, so that a single burst looks like one.
	minChart = 30 * time.Minute
)

// Summary counts the failed jobs of a filter by cause and by time.
func (s *Service) Summary(ctx context.Context, f JobFilter) (JobSummary, error) {
	if err := f.validate(); err != nil {
		return JobSummary{}, err
	}
	found := JobSummary{Groups: []JobGroup{}, Facets: []JobFacet{}, Bars: []JobBar{}}
	seen := f.Seen
	f.Seen = JobCursor{}
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		for _, part := range []func(context.Context, *sqlx.Tx, JobFilter) error{found.group, found.facet, found.chart} {
			if err := part(ctx, tx, f); err != nil {
				return err
			}
		}
		if seen == (JobCursor{}) {
			return nil
		}
		return found.countNewer(ctx, tx, f, seen)
	})
	return found, err
}

func (s *JobSummary) group(ctx context.Context, tx *sqlx.Tx, f JobFilter) error {
	clause, args := f.where()
	var rows []struct {
		JobGroup
		Total int `db:"total"`
	}
	cause, key := `j.failure_cause`, causeKey
	if f.By == CauseFirst {
		cause, key = `j.first_cause`, firstCauseKey
	}
	query := `SELECT j.kind, coalesce(` + cause + `, '') AS cause, ` + key + ` AS key, count(*) AS count,
		max(` + failedAt + `) AS latest_at, (sum(count(*)) OVER ())::bigint AS total` + clause + `
		GROUP BY 1, 2, 3 ORDER BY 4 DESC, 5 DESC LIMIT ` + fmt.Sprint(maxGroups)
	if err := tx.SelectContext(ctx, &rows, query, args...); err != nil {
		return fmt.Errorf("group failed jobs: %w", err)
	}
	for _, r := range rows {
		s.Total = r.Total
		r.Latest, r.Cause = r.Latest.UTC(), log.Mask(r.Cause)
		s.Groups = append(s.Groups, r.JobGroup)
	}
	return nil
}

func (s *JobSummary) facet(ctx context.Context, tx *sqlx.Tx, f JobFilter) error {
	clause, args := JobFilter{State: f.State}.where()
	if err := tx.SelectContext(ctx, &s.Facets, `SELECT j.kind, j.queue, count(*) AS count`+clause+` GROUP BY 1, 2 ORDER BY 1, 2`, args...); err != nil {
		return fmt.Errorf("count failed jobs by kind: %w", err)
	}
	return nil
}

// chart adds one bar per step from the first failure, at most half an hour ago, until now, or for the filter's time
// span if it has one.
func (s *JobSummary) chart(ctx context.Context, tx *sqlx.Tx, f JobFilter) error {
	clause, args := f.where()
	var r struct {
		First *time.Time `db:"first"`
		Now   time.Time  `db:"now"`
	}
	if err := tx.GetContext(ctx, &r, `SELECT min(`+failedAt+`) AS first, clock_timestamp() AS now`+clause, args...); err != nil {
		return fmt.Errorf("find the first failure: %w", err)
	}
	from, to := f.From, f.To
	if from == nil {
		from = r.First
	}
	if from == nil {
		return nil
	}
	if to == nil {
		to = &r.Now
	}
	if latest := to.Add(-minChart); f.From == nil && from.After(latest) {
		from = &latest
	}
	step := stepOf(to.Sub(*from))
	s.StepSeconds = int64(step / time.Second)
	query := fmt.Sprintf(`SELECT date_bin(make_interval(secs => $%d), `, len(args)+1) + failedAt + `, 'epoch'::timestamptz) AS bucket, count(*) AS count` + clause + ` GROUP BY 1`
	var rows []JobBar
	if err := tx.SelectContext(ctx, &rows, query, append(args, s.StepSeconds)...); err != nil {
		return fmt.Errorf("count failed jobs over time: %w", err)
	}
	counts := make(map[int64]int, len(rows))
	for _, bar := range rows {
		counts[bar.From.Unix()] = bar.Count
	}
	first := time.Unix(from.Unix()-from.Unix()%s.StepSeconds, 0).UTC() // aligned as by date_bin
	for at := first; at.Before(*to); at = at.Add(step) {
		s.Bars = append(s.Bars, JobBar{From: at, Count: counts[at.Unix()]})
	}
	return nil
}

// stepOf returns the shortest usual step with at most maxBars bars over the span.
func stepOf(span time.Duration) time.Duration {
	const day = 24 * time.Hour
	for _, step := range []time.Duration{
		time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, day, 2 * day, 5 * day, 10 * day,
	} {
		if span <= (maxBars-1)*step {
			return step
		}
	}
	return (span/(maxBars-1)/day + 1) * day
}

func (s *JobSummary) countNewer(ctx context.Context, tx *sqlx.Tx, f JobFilter, seen JobCursor) error {
	clause, args := f.where()
	query := `SELECT count(*)` + clause + ` AND (` + failedAt + fmt.Sprintf(`, j.id) > ($%d::timestamptz, $%d::bigint)`, len(args)+1, len(args)+2)
	if err := tx.GetContext(ctx, &s.Newer, query, append(args, seen.At, seen.ID)...); err != nil {
		return fmt.Errorf("count newer failures: %w", err)
	}
	return nil
}
