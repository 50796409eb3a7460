package announcement

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Recorder records what staff do, in the same transaction; implemented by staff.Service.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// staleAfter is how long pages may show an outdated announcement.
const staleAfter = 10 * time.Second

// Service keeps announcements, and shows the present one from memory.
type Service struct {
	db       *sqlx.DB
	clock    clock.Clock
	recorder Recorder
	logger   *slog.Logger

	current    atomic.Pointer[cached]
	refreshing atomic.Bool
}

type cached struct {
	list []Announcement
	at   time.Time
}

// NewService returns the service on the API's pool.
func NewService(db *sqlx.DB, clk clock.Clock, recorder Recorder, logger *slog.Logger) *Service {
	return wiring.Complete(&Service{db: db, clock: clk, recorder: recorder, logger: logger})
}

// Shown returns the current announcement for signed-in readers or for visitors, or nil. It is at most about ten seconds old; while the
// database is down, the last one read stays.
func (s *Service) Shown(ctx context.Context, signedIn bool) (*Announcement, error) {
	known := s.current.Load()
	if known == nil {
		if err := s.refresh(ctx); err != nil {
			return nil, err
		}
		known = s.current.Load()
	}
	if time.Since(known.at) > staleAfter && s.refreshing.CompareAndSwap(false, true) {
		go s.refreshLater(context.WithoutCancel(ctx))
	}
	now := s.clock.Now()
	var shown *Announcement
	for i, a := range known.list {
		if a.Shown(now, signedIn) && (shown == nil || a.before(*shown)) {
			shown = &known.list[i]
		}
	}
	return shown, nil
}

func (s *Service) refreshLater(ctx context.Context) {
	defer s.refreshing.Store(false)
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := s.refresh(ctx); err != nil {
		s.logger.WarnContext(ctx, "announcements not refreshed", log.Error(err))
	}
}

// What ends later is kept, what begins later too, so that each begins and ends at its time.
const liveSQL = `
	SELECT id, texts, link, level, audience, starts_at, ends_at, revision, saved_by, saved_at FROM announcements
	WHERE ends_at > $1 ORDER BY starts_at, id LIMIT 100`

func (s *Service) refresh(ctx context.Context) error {
	list := []Announcement{}
	if err := postgres.Read(ctx, s.db, func(q sqlx.QueryerContext) error {
		return sqlx.SelectContext(ctx, q, &list, liveSQL, s.clock.Now())
	}); err != nil {
		return postgres.Error(fmt.Errorf("read announcements: %w", err))
	}
	s.current.Store(&cached{list: list, at: time.Now()}) //nolint:forbidigo // the age of a cache is not business time
	return nil
}

const (
	oneSQL = `
	SELECT a.id, a.texts, a.link, a.level, a.audience, a.starts_at, a.ends_at, a.revision, a.saved_by, a.saved_at,
		m.name AS saved_by_name
	FROM announcements a JOIN staff_overview m ON m.id = a.saved_by`
	listSQL   = oneSQL + ` ORDER BY a.ends_at DESC, a.id DESC LIMIT $1 OFFSET $2`
	countSQL  = `SELECT count(*) FROM announcements`
	insertSQL = `
	INSERT INTO announcements (id, texts, link, level, audience, starts_at, ends_at, revision, saved_by, saved_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
	updateSQL = `
	UPDATE announcements SET texts = $2, link = $3, level = $4, audience = $5, starts_at = $6, ends_at = $7, revision = $8,
		saved_by = $9, saved_at = $10 WHERE id = $1`
)

// List returns announcements, what ends last first.
func (s *Service) List(ctx context.Context, limit, offset int) (list []Announcement, total int, err error) {
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		list = []Announcement{}
		if err := tx.SelectContext(ctx, &list, listSQL, limit, offset); err != nil {
			return fmt.Errorf("list announcements: %w", err)
		}
		if err := tx.GetContext(ctx, &total, countSQL); err != nil {
			return fmt.Errorf("count announcements: %w", err)
		}
		return nil
	})
	return list, total, err
}

// Publish keeps a new announcement.
func (s *Service) Publish(ctx context.Context, p staff.Principal, a Announcement, reason string) (Announcement, error) {
	a.ID, a.Revision = id.New(), 1
	return s.write(ctx, p, a, reason, "publish_announcement", func(*sqlx.Tx, *Announcement) error { return nil }, insertSQL)
}

// Change replaces an announcement. Readers who closed the older text see the new one. It returns errs.NotFound.
func (s *Service) Change(ctx context.Context, p staff.Principal, a Announcement, reason string) (Announcement, error) {
	return s.write(ctx, p, a, reason, "change_announcement", func(tx *sqlx.Tx, a *Announcement) error {
		before, err := s.locked(ctx, tx, a.ID)
		a.Revision = before.Revision + 1
		return err
	}, updateSQL)
}

// End removes an announcement now; a finished one stays as it is.
func (s *Service) End(ctx context.Context, p staff.Principal, announcementID, reason string) (out Announcement, err error) {
	if reason, err = staff.CleanReason(reason); err != nil {
		return out, err
	}
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		a, err := s.locked(ctx, tx, announcementID)
		now := s.clock.Now()
		if err != nil || !a.EndsAt.After(now) {
			out = a
			return err
		}
		a.EndsAt = now
		if !a.StartsAt.Before(now) {
			a.StartsAt = now.Add(-time.Second) // it never began
		}
		out, err = s.storeTx(ctx, tx, p, a, reason, "end_announcement", updateSQL)
		return err
	})
	if err == nil {
		s.forget(ctx)
	}
	return out, err
}

func (s *Service) write(ctx context.Context, p staff.Principal, a Announcement, reason, kind string,
	prepare func(tx *sqlx.Tx, a *Announcement) error, statement string,
) (out Announcement, err error) {
	if reason, err = staff.CleanReason(reason); err != nil {
		return out, err
	}
	if a, err = a.clean(s.clock.Now()); err != nil {
		return out, err
	}
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if err := prepare(tx, &a); err != nil {
			return err
		}
		out, err = s.storeTx(ctx, tx, p, a, reason, kind, statement)
		return err
	})
	if err == nil {
		s.forget(ctx)
	}
	return out, err
}

// forget shows the change at once here; other processes have it within staleAfter.
func (s *Service) forget(ctx context.Context) {
	if err := s.refresh(ctx); err != nil {
		s.logger.WarnContext(ctx, "announcements not refreshed", log.Error(err))
	}
}

func (s *Service) locked(ctx context.Context, tx *sqlx.Tx, announcementID string) (a Announcement, err error) {
	err = tx.GetContext(ctx, &a, oneSQL+` WHERE a.id = $1 FOR NO KEY UPDATE OF a`, announcementID)
	if errors.Is(err, sql.ErrNoRows) {
		return a, errs.NotFound()
	}
	if err != nil {
		return a, fmt.Errorf("read announcement: %w", err)
	}
	return a, nil
}

func (s *Service) storeTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a Announcement, reason, kind, statement string) (Announcement, error) {
	a.SavedBy, a.SavedByName, a.SavedAt = p.StaffID, p.Name, s.clock.Now()
	_, err := tx.ExecContext(ctx, statement, a.ID, a.Texts, a.Link, a.Level, a.Audience, a.StartsAt, a.EndsAt, a.Revision, a.SavedBy, a.SavedAt)
	if err != nil {
		return a, fmt.Errorf("write announcement: %w", err)
	}
	return a, s.recorder.RecordTx(ctx, tx, p, staff.Action{
		Action: kind, Target: "announcement:" + a.ID, Reason: reason, After: staff.JSON(map[string]any{
			"texts": a.Texts, "link": a.Link, "level": a.Level, "audience": a.Audience, "starts_at": a.StartsAt, "ends_at": a.EndsAt,
		}),
	})
}
