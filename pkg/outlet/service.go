package outlet

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// The actors at the store's dashboard: the owner, or a member of the owner's team.
const (
	ownerActor  = "owner"
	memberActor = "member"
)

// Service holds the use cases of outlets.
type Service struct {
	db    *sqlx.DB
	clock clock.Clock
	plans tenant.Plans
}

// NewService returns a service over the pool; plans says how many outlets a franchiser may have.
func NewService(db *sqlx.DB, clk clock.Clock, plans tenant.Plans) *Service {
	return wiring.Complete(&Service{db: db, clock: clk, plans: plans})
}

// Overview is the content of a store dashboard's first page.
type Overview struct {
	Places
	ByState map[State]int
	// Partners counts the partners that were not removed.
	Partners int
	// Cities are those in which there are outlets, by name.
	Cities []string
}

// All counts the outlets, closed ones too.
func (o Overview) All() int {
	n := 0
	for _, of := range o.ByState {
		n += of
	}
	return n
}

// Overview returns the plan, the places that are taken, and where the outlets are.
func (s *Service) Overview(ctx context.Context, ref tenant.Ref) (Overview, error) {
	var o Overview
	err := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) (err error) {
		if o.Places, err = s.places(ctx, tx, ref); err != nil {
			return err
		}
		if o.ByState, err = byState(ctx, tx, ref); err != nil {
			return err
		}
		if o.Partners, err = countPartners(ctx, tx, ref); err != nil {
			return err
		}
		o.Cities, err = cities(ctx, tx, ref)
		return err
	})
	return o, err
}

func (s *Service) places(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref) (p Places, err error) {
	if p.Plan, err = s.plans.EntitlementTx(ctx, tx, ref.FranchiserID); err != nil {
		return Places{}, err
	}
	p.Used, err = count(ctx, tx, ref.FranchiserID)
	return p, err
}

// List returns a page of the outlets that the query selects, and how many they are.
func (s *Service) List(ctx context.Context, ref tenant.Ref, q Query) (Page, error) {
	q = q.Normalise()
	var p Page
	err := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) (err error) {
		if p, err = list(ctx, tx, ref, q); err != nil {
			return err
		}
		if err = nameStates(ctx, tx, p.Outlets); err != nil {
			return err
		}
		p.Total, err = countSelected(ctx, tx, ref, q)
		return err
	})
	return p, err
}

func nameStates(ctx context.Context, tx *sqlx.Tx, outlets []Outlet) error {
	names, err := address.StatesTx(ctx, tx)
	if err != nil {
		return err
	}
	for i := range outlets {
		at := slices.IndexFunc(names, func(n address.Item) bool { return n.ID == outlets[i].StateID })
		if at >= 0 {
			outlets[i].StateName = names[at].Name
		}
	}
	return nil
}

// checkListedTx refuses a State that the list does not have, and a partner that the store does not have, unless they were there before.
func checkListedTx(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, before, o Outlet) error {
	if o.PartnerID != "" && o.PartnerID != before.PartnerID {
		_, err := partnerByID(ctx, tx, ref, o.PartnerID)
		if errors.Is(err, errs.NotFound()) {
			return errs.Invalid(i18n.Mark("This partner was removed.")).Field("partner_id", i18n.Mark("This partner was removed. Choose another one."))
		}
		if err != nil {
			return err
		}
	}
	return checkStateTx(ctx, tx, o.StateID)
}

// checkStateTx refuses a State that is not in the list. An empty State is allowed.
func checkStateTx(ctx context.Context, tx *sqlx.Tx, stateID string) error {
	if stateID == "" {
		return nil
	}
	names, err := address.StatesTx(ctx, tx)
	if err == nil && !slices.ContainsFunc(names, func(n address.Item) bool { return n.ID == stateID }) {
		return errs.Invalid(i18n.Mark("Kindly choose one")).Field("state_id", i18n.Mark("Kindly choose one"))
	}
	return err
}

// States lists the States of India to choose from.
func (s *Service) States(ctx context.Context) (list []address.Item, err error) {
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		list, err = address.StatesTx(ctx, tx)
		return err
	})
	return list, err
}

// Find returns the outlet with its latest events, or errs.NotFound.
func (s *Service) Find(ctx context.Context, ref tenant.Ref, outletID string) (o Outlet, history []Event, err error) {
	if !id.Valid(outletID) {
		return Outlet{}, nil, errs.NotFound()
	}
	err = postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		if o, err = find(ctx, tx, ref, outletID, false); err != nil {
			return err
		}
		named := []Outlet{o}
		if err = nameStates(ctx, tx, named); err != nil {
			return err
		}
		o = named[0]
		history, err = events(ctx, tx, ref, outletID)
		return err
	})
	return o, history, err
}

// Add adds an outlet, planned or open. At the plan's limit it fails with KindLimit, the numbers and the way out; concurrent calls cannot
// both take the last place. The same non-empty key returns the outlet that it added before.
func (s *Service) Add(ctx context.Context, ref tenant.Ref, in Input, state State, key string) (Outlet, error) {
	in = in.normalise()
	if err := in.check(); err != nil {
		return Outlet{}, err
	}
	if !states().Allows("", state) {
		return Outlet{}, errs.Invalid(i18n.Mark("Kindly choose one")).Field("status", i18n.Mark("Kindly choose one"))
	}
	if key != "" && !idempotency.Valid(key) {
		return Outlet{}, errs.Invalid(idempotency.Rule)
	}
	o := in.outlet(Outlet{ID: id.New(), State: state, Revision: 1, CreatedAt: s.clock.Now()})
	err := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		if err := tenant.LockTx(ctx, tx, ref); err != nil {
			return err
		}
		if made, err := s.madeTx(ctx, tx, ref, key); err != nil || made != nil {
			if made != nil {
				if made.Name != o.Name {
					return idempotency.ErrReused()
				}
				o = *made
			}
			return err
		}
		if err := s.roomTx(ctx, tx, ref); err != nil {
			return err
		}
		if err := checkListedTx(ctx, tx, ref, Outlet{}, o); err != nil {
			return err
		}
		if err := insert(ctx, tx, ref, o, key, ""); err != nil {
			return err
		}
		return insertEvent(ctx, tx, ref, o.ID, ownerActor, "added", map[string]any{"state": o.State}, o.CreatedAt)
	})
	return o, err
}

// madeTx returns the outlet that an earlier request with the key added, or nil.
func (s *Service) madeTx(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, key string) (*Outlet, error) {
	if key == "" {
		return nil, nil // no key, no earlier request
	}
	o, err := byRequest(ctx, tx, ref, key)
	if errors.Is(err, errs.NotFound()) {
		return nil, nil // the first request with this key
	}
	return &o, err
}

// roomTx fails with Places.Refusal while the plan has no place left; the store is locked, so that it stays true.
func (s *Service) roomTx(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref) error {
	p, err := s.places(ctx, tx, ref)
	if err != nil {
		return err
	}
	if refusal := p.Refusal(); refusal != nil {
		return refusal
	}
	return nil
}

func (in Input) outlet(o Outlet) Outlet {
	o.Name, o.Code, o.Address, o.City, o.StateID, o.PIN, o.Phone, o.Hours, o.PartnerID =
		in.Name, in.Code, in.Address, in.City, in.StateID, in.PIN, in.Phone, in.Hours, in.PartnerID
	return o
}

// changed returns the names of the fields in which two outlets differ.
func changed(a, b Outlet) []string {
	fields := map[string]bool{
		"name": a.Name != b.Name, "code": a.Code != b.Code, "address": a.Address != b.Address, "city": a.City != b.City,
		"state": a.StateID != b.StateID, "pin": a.PIN != b.PIN, "phone": a.Phone != b.Phone, "hours": a.Hours != b.Hours,
		"partner": a.PartnerID != b.PartnerID,
	}
	maps.DeleteFunc(fields, func(_ string, differs bool) bool { return !differs })
	return slices.Sorted(maps.Keys(fields))
}

// Update changes an outlet if its revision is still the given one; otherwise it returns ErrChanged. An unchanged input writes nothing.
func (s *Service) Update(ctx context.Context, ref tenant.Ref, outletID string, revision int, in Input) (Outlet, error) {
	in = in.normalise()
	if err := in.check(); err != nil {
		return Outlet{}, err
	}
	return s.change(ctx, ref, "", outletID, revision, func(o Outlet) (Outlet, string, map[string]any, error) {
		next := in.outlet(o)
		return next, "changed", map[string]any{"fields": changed(o, next)}, nil
	})
}

// Move takes an outlet to another state: ErrState where that does not follow, and KindLimit where a closed one would need a place
// that the plan does not have.
func (s *Service) Move(ctx context.Context, ref tenant.Ref, outletID string, revision int, to State) (Outlet, error) {
	return s.change(ctx, ref, "", outletID, revision, func(o Outlet) (Outlet, string, map[string]any, error) {
		from := o.State
		if from != to && !states().Allows(from, to) {
			return o, "", nil, ErrState
		}
		err := states().Move(&o.State, to)
		return o, "moved", map[string]any{"from": from, "to": to}, err
	})
}

// UpdateContact changes an outlet's phone and opening hours, which a partner maintains. It returns errs.NotFound for an outlet that is not
// assigned to the partner, KindForbidden for a viewer, and KindUnauthenticated for a removed partner.
func (s *Service) UpdateContact(ctx context.Context, ref tenant.Ref, partnerID, outletID string, revision int, phone, hours string) (Outlet, error) {
	phone, hours = text.Mobile(phone), hoursLine(hours)
	var v errs.Validation
	checkContact(&v, phone, hours)
	if err := v.Err(); err != nil {
		return Outlet{}, err
	}
	if partnerID == "" {
		return Outlet{}, errs.Unauthenticated()
	}
	return s.change(ctx, ref, partnerID, outletID, revision, func(o Outlet) (Outlet, string, map[string]any, error) {
		next := o
		next.Phone, next.Hours = phone, hours
		return next, "changed", map[string]any{"fields": changed(o, next)}, nil
	})
}

// actorTx says who changes the outlet: the owner, or the partner who runs it.
func (s *Service) actorTx(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, partnerID string, o Outlet) (string, error) {
	if partnerID == "" {
		return ownerActor, nil
	}
	p, err := partnerByID(ctx, tx, ref, partnerID)
	switch {
	case errors.Is(err, errs.NotFound()) || err == nil && p.State != PartnerActive:
		return "", errs.Unauthenticated()
	case err != nil:
		return "", err
	case o.PartnerID != partnerID:
		return "", errs.NotFound()
	case !p.MayUpdate():
		return "", errs.Forbidden()
	}
	return partnerActor, nil
}

// FindFor returns an outlet that the partner runs; any other is errs.NotFound.
func (s *Service) FindFor(ctx context.Context, ref tenant.Ref, partnerID, outletID string) (Outlet, error) {
	o, _, err := s.Find(ctx, ref, outletID)
	if err == nil && (partnerID == "" || o.PartnerID != partnerID) {
		return Outlet{}, errs.NotFound()
	}
	return o, err
}

// change locks the store and the outlet, and writes what edit makes of it. With a partnerID that partner acts, else the owner.
func (s *Service) change(
	ctx context.Context, ref tenant.Ref, partnerID, outletID string, revision int,
	edit func(Outlet) (next Outlet, kind string, details map[string]any, err error),
) (o Outlet, err error) {
	if !id.Valid(outletID) {
		return Outlet{}, errs.NotFound()
	}
	err = postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		if err := tenant.LockTx(ctx, tx, ref); err != nil {
			return err
		}
		before, err := find(ctx, tx, ref, outletID, true)
		if err != nil {
			return err
		}
		actor, err := s.actorTx(ctx, tx, ref, partnerID, before)
		if err != nil {
			return err
		}
		next, kind, details, err := edit(before)
		if err != nil {
			return err
		}
		if o = next; next == before {
			return nil
		}
		if before.Revision != revision {
			return ErrChanged
		}
		if before.State == StateClosed && next.State != StateClosed {
			if err := s.roomTx(ctx, tx, ref); err != nil {
				return err
			}
		}
		if err := checkListedTx(ctx, tx, ref, before, next); err != nil {
			return err
		}
		now := s.clock.Now()
		o.Revision++
		if err := update(ctx, tx, ref, next, now); err != nil {
			return err
		}
		return insertEvent(ctx, tx, ref, o.ID, actor, kind, details, now)
	})
	return o, err
}
