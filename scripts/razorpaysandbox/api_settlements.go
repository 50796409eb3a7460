package main

import (
	"cmp"
	"math"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// recon lists what was settled on a day, or in a month if no day is given (Fetch Settlement Recon Details).
func (s *server) recon(r *http.Request) (any, error) {
	query := r.URL.Query()
	from, until, err := span(query)
	if err != nil {
		return nil, err
	}
	s.book.mu.Lock()
	items := s.book.state.reconRows(from, until)
	s.book.mu.Unlock()
	if items, err = page(items, query, 10, 1000); err != nil {
		return nil, err
	}
	return collection(items), nil
}

func span(query url.Values) (from, until time.Time, err error) {
	year, err := number(query, "year", 0)
	if err != nil || year < 1000 || year > 9999 {
		return from, until, bad("The year must be 4 digits.", "year")
	}
	month, err := number(query, "month", 0)
	if err != nil || month < 1 || month > 12 {
		return from, until, bad("The month is not a valid month.", "month")
	}
	zone := sandbox.India()
	if query.Get("day") == "" {
		from = time.Date(year, time.Month(month), 1, 0, 0, 0, 0, zone)
		return from, from.AddDate(0, 1, 0), nil
	}
	day, err := number(query, "day", 0)
	if err != nil || day < 1 || day > 31 {
		return from, until, bad("The day must be between 1 and 2 digits.", "day")
	}
	from = time.Date(year, time.Month(month), day, 0, 0, 0, 0, zone)
	return from, from.AddDate(0, 0, 1), nil
}

// settlements lists the settlements, the newest first (Fetch All Settlements). from and to are Unix times.
func (s *server) settlements(r *http.Request) (any, error) {
	query := r.URL.Query()
	from, err := number(query, "from", 0)
	if err != nil {
		return nil, err
	}
	to, err := number(query, "to", math.MaxInt32)
	if err != nil {
		return nil, err
	}
	s.book.mu.Lock()
	var found []settlement
	for _, one := range s.book.state.Settlements {
		if at := one.CreatedAt.Unix(); at >= int64(from) && at <= int64(to) {
			found = append(found, *one)
		}
	}
	s.book.mu.Unlock()
	slices.SortFunc(found, func(a, b settlement) int { return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.ID, b.ID)) })
	items := make([]fields, 0, len(found))
	for _, one := range found {
		items = append(items, one.entity())
	}
	if items, err = page(items, query, 10, 100); err != nil {
		return nil, err
	}
	return collection(items), nil
}

func (s *server) fetchSettlement(r *http.Request) (any, error) {
	return s.look(func(st *state) (fields, bool) {
		found, ok := st.Settlements[r.PathValue("id")]
		if !ok {
			return nil, false
		}
		return found.entity(), true
	})
}
