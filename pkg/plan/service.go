package plan

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// staleAfter is how long public pages may show a catalogue that was replaced.
const staleAfter = 2 * time.Second

// Load puts the catalogue's text into the database as its newest revision and returns the revision number; a text that
// is already the newest changes nothing. It runs as the worker's role or the owner's.
func Load(ctx context.Context, db *sqlx.DB, clk clock.Clock, text []byte) (revision int, err error) {
	d, err := parseDocument(text)
	if err != nil {
		return 0, err
	}
	fingerprint := sha256.Sum256(text)
	err = postgres.InTx(ctx, db, func(tx *sqlx.Tx) error {
		if revision, err = (store{}).save(ctx, tx, d, fingerprint[:], clk.Now()); err != nil {
			return err
		}
		return store{}.saveDeliveries(ctx, tx)
	})
	return revision, err
}

// LoadBuiltIn loads the built-in catalogue, unless staff have changed the catalogue: a new release must not bring old prices back. It
// runs as the owner's role.
func LoadBuiltIn(ctx context.Context, db *sqlx.DB, clk clock.Clock) (revision int, err error) {
	var theirs bool
	if err := db.GetContext(ctx, &theirs, `SELECT EXISTS (SELECT FROM catalogue_changes WHERE state = 'applied')`); err != nil {
		return 0, fmt.Errorf("look for changes of the catalogue by staff: %w", err)
	}
	if theirs {
		if err := postgres.InTx(ctx, db, func(tx *sqlx.Tx) error { return store{}.saveDeliveries(ctx, tx) }); err != nil {
			return 0, err
		}
		return store{}.newest(ctx, db)
	}
	return Load(ctx, db, clk, defaultCatalogue)
}

// Service returns the catalogue, from memory if a moment's delay does no harm.
type Service struct {
	db     *sqlx.DB
	logger *slog.Logger
	store  store

	current    atomic.Pointer[cached]
	refreshing atomic.Bool
	mu         sync.Mutex
	revisions  map[int]*Catalogue
}

type cached struct {
	catalogue *Catalogue
	at        time.Time
}

// NewService returns a service over the pool.
func NewService(db *sqlx.DB, logger *slog.Logger) *Service {
	return wiring.Complete(&Service{db: db, logger: logger, revisions: map[int]*Catalogue{}})
}

// Current returns the catalogue, at most about two seconds old; for pages, not for charging.
func (s *Service) Current(ctx context.Context) (*Catalogue, error) {
	now := s.current.Load()
	if now == nil {
		return s.Fresh(ctx)
	}
	if time.Since(now.at) > staleAfter && s.refreshing.CompareAndSwap(false, true) {
		go s.refresh(context.WithoutCancel(ctx))
	}
	return now.catalogue, nil
}

func (s *Service) refresh(ctx context.Context) {
	defer s.refreshing.Store(false)
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if _, err := s.Fresh(ctx); err != nil {
		s.logger.WarnContext(ctx, "catalogue not refreshed", log.Error(err))
	}
}

// Fresh returns the catalogue as of now.
func (s *Service) Fresh(ctx context.Context) (c *Catalogue, err error) {
	err = postgres.Read(ctx, s.db, func(q sqlx.QueryerContext) error {
		c, err = s.fresh(ctx, q)
		return err
	})
	return c, err
}

// FreshTx returns the catalogue as of now, for charging. It uses the transaction's connection: waiting for a second one
// while others wait for its locks could deadlock the pool.
func (s *Service) FreshTx(ctx context.Context, tx *sqlx.Tx) (*Catalogue, error) {
	return s.fresh(ctx, tx)
}

func (s *Service) fresh(ctx context.Context, q sqlx.QueryerContext) (*Catalogue, error) {
	revision, err := s.store.newest(ctx, q)
	if err != nil {
		return nil, postgres.Error(err)
	}
	c, err := s.revision(ctx, q, revision)
	if err != nil {
		return nil, err
	}
	s.current.Store(&cached{catalogue: c, at: time.Now()}) //nolint:forbidigo // the age of a cache is not business time
	return c, nil
}

// Revision returns the catalogue of a revision.
func (s *Service) Revision(ctx context.Context, revision int) (c *Catalogue, err error) {
	err = postgres.Read(ctx, s.db, func(q sqlx.QueryerContext) error {
		c, err = s.revision(ctx, q, revision)
		return err
	})
	return c, err
}

// RevisionTx returns the catalogue of a revision; a running subscription keeps the one it was bought under.
func (s *Service) RevisionTx(ctx context.Context, tx *sqlx.Tx, revision int) (*Catalogue, error) {
	return s.revision(ctx, tx, revision)
}

func (s *Service) revision(ctx context.Context, q sqlx.QueryerContext, revision int) (*Catalogue, error) {
	s.mu.Lock()
	c, ok := s.revisions[revision]
	s.mu.Unlock()
	if ok {
		return c, nil
	}
	c, err := s.store.load(ctx, q, revision)
	if err != nil {
		return nil, postgres.Error(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revisions[revision] = c
	return c, nil
}
