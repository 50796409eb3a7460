package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/scripts/customer"
)

// A mixed day: of twenty calls, fourteen read, three sign in, one starts a sign-up (which sends a code) and two request a
// payment. One in five costs a hash.
const (
	hashShare = 0.2
	// stepTime is how long one rate lasts.
	stepTime = 5 * time.Second
	// mixedP99 limits all calls at a sustainable rate, readP99 limits reads even under overload.
	mixedP99, readP99 = 250 * time.Millisecond, 100 * time.Millisecond
	// mostOpen is the maximum number of open calls; an open loop that exceeds it has failed.
	mostOpen = 4000
	// mostRefused is the share of calls that may be refused at a sustainable rate.
	mostRefused = 0.005
)

// kindOfCall is the type of a call.
type kindOfCall int

const (
	callRead kindOfCall = iota
	callLogin
	callSignUp
	callPayment
	callKinds
)

//nolint:gochecknoglobals // a constant
var (
	dayOfCalls = [20]kindOfCall{
		callRead, callRead, callLogin, callRead, callRead, callPayment, callRead, callRead, callRead, callLogin,
		callRead, callRead, callRead, callSignUp, callRead, callRead, callLogin, callRead, callRead, callPayment,
	}
	readPaths = []string{"/subscription/dashboard", "/subscription/list", "/subscription-plan/list", "/session"}
)

// mixed holds all participants of the day.
type mixed struct {
	stack    stack
	client   *http.Client
	people   []*customer.Customer
	headers  []http.Header
	mobiles  []string
	services []string
	mobile   atomic.Int64
}

// mixedGroups is the number of groups of sixteen participants.
const mixedGroups = 4

func openMixed(ctx context.Context, s stack) (*mixed, error) {
	m := &mixed{stack: s, client: newHTTPClient()}
	m.client.Transport = &http.Transport{MaxIdleConnsPerHost: 512, DisableCompression: true}
	for group := range mixedGroups {
		from := 400 + 100*group
		people, _, err := signUpAll(ctx, s, from)
		if err != nil {
			return nil, err
		}
		m.people = append(m.people, people...)
		for n := range people {
			m.mobiles = append(m.mobiles, strconv.Itoa(firstMobile+from+n))
		}
	}
	m.headers = headersOf(m.people)
	var err error
	m.services, err = m.people[0].FirstServices(ctx)
	m.mobile.Store(firstMobile + 1_000_000 + time.Now().Unix()%1_000_000*40)
	return m, err
}

// call makes the day's nth call.
func (m *mixed) call(ctx context.Context, n int) error {
	who := n % len(m.people)
	switch dayOfCalls[n%len(dayOfCalls)] {
	case callRead:
		path := "/api/franchise" + readPaths[n/7%len(readPaths)]
		return fetch(ctx, m.client, m.stack.Site+path, m.headers[who])
	case callLogin:
		return logIn(ctx, m.stack, m.mobiles[who])
	case callPayment:
		_, err := m.people[who].Request(ctx, m.services[n/len(m.people)%len(m.services)])
		return err
	default:
		c, err := customer.New(customer.Stack{Site: m.stack.Site, Inbox: m.stack.SMSInbox})
		if err != nil {
			return err
		}
		return c.Register(ctx, customer.Details{
			Mobile: strconv.FormatInt(m.mobile.Add(1), 10), Email: "bench@franchise360.example", Password: benchPassword, FirstName: "Bench",
		})
	}
}

// day is the outcome of one rate.
type day struct {
	took          [callKinds][]time.Duration // of answered calls, sorted
	calls         int
	refused, lost int
	failure       error
}

// all returns the durations of all kinds, sorted.
func (d day) all() []time.Duration {
	all := slices.Concat(d.took[:]...)
	slices.Sort(all)
	return all
}

// run makes perSecond calls a second for the given time, whether or not earlier ones have been answered.
func (m *mixed) run(ctx context.Context, perSecond float64, lasts time.Duration) day {
	var d day
	var mu sync.Mutex
	var group sync.WaitGroup
	var open atomic.Int64
	begun := time.Now()
	for n := 0; ctx.Err() == nil; n++ {
		due := time.Duration(float64(n) / perSecond * float64(time.Second))
		if due >= lasts {
			break
		}
		time.Sleep(due - time.Since(begun))
		d.calls++
		if open.Load() >= mostOpen {
			mu.Lock()
			d.lost++
			mu.Unlock()
			continue
		}
		open.Add(1)
		group.Go(func() {
			defer open.Add(-1)
			err := m.call(ctx, n)
			took := time.Since(begun) - due // including the load generator's own delay
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				k := dayOfCalls[n%len(dayOfCalls)]
				d.took[k] = append(d.took[k], took)
			case customer.Status(err) == http.StatusServiceUnavailable:
				d.refused++
			default:
				d.lost++
				d.failure = err
			}
		})
	}
	group.Wait()
	for k := range d.took {
		slices.Sort(d.took[k])
	}
	return d
}

// hashesAlone returns how many of the day's calls per second the machine could take if hashing were their only cost.
func hashesAlone(ctx context.Context) (float64, error) {
	hasher := password.NewHasher(runtime.NumCPU())
	hash, err := hasher.Hash(ctx, benchPassword)
	if err != nil {
		return 0, err
	}
	rate, _, err := load(ctx, runtime.NumCPU(), func(ctx context.Context, _ int) error {
		_, err := hasher.Verify(ctx, hash, benchPassword)
		return err
	})
	return rate / hashShare, err
}

// mixedDay finds the highest sustainable rate, as a share of what argon2id alone allows.
func mixedDay(ctx context.Context, s stack) (result, error) {
	m, err := openMixed(ctx, s)
	if err != nil {
		return result{}, err
	}
	allowed, err := hashesAlone(ctx)
	if err != nil {
		return result{}, err
	}
	best, note := 0.0, "(not even a quarter)"
	for _, share := range []float64{0.25, 0.4, 0.55, 0.7, 0.8, 0.85, 0.9, 0.95} {
		d := m.run(ctx, share*allowed, stepTime)
		all := d.all()
		p99 := quantile(all, 0.99)
		if p99 > mixedP99 || float64(d.refused+d.lost) > mostRefused*float64(d.calls) {
			break
		}
		best, note = share, fmt.Sprintf("(p50 %.0f, p99 %.0f ms)", ms(quantile(all, 0.5)), ms(p99))
	}
	return result{
		Ours: fmt.Sprintf("%.0f/s", best*allowed), Limit: fmt.Sprintf("%.0f/s by argon2id", allowed), Ratio: fmt.Sprintf("%.2f", best),
		Wanted: "≥ 0.85", Met: best >= 0.85, Note: note,
	}, ctx.Err()
}

// overload requests three times what argon2id alone allows, after half of it: reads continue, excess work is refused early and nothing is
// lost.
func overload(ctx context.Context, s stack) (result, error) {
	m, err := openMixed(ctx, s)
	if err != nil {
		return result{}, err
	}
	allowed, err := hashesAlone(ctx)
	if err != nil {
		return result{}, err
	}
	half := m.run(ctx, allowed/2, stepTime)
	d := m.run(ctx, 3*allowed, 2*stepTime)
	if d.failure != nil && float64(d.lost) > mostRefused*float64(d.calls) {
		return result{}, fmt.Errorf("%d of %d calls lost: %w", d.lost, d.calls, d.failure)
	}
	reads := quantile(d.took[callRead], 0.99)
	if d.refused == 0 {
		return result{}, errors.New("nothing was refused")
	}
	return result{
		Ours: fmt.Sprintf("reads' p99 %.0f ms", ms(reads)), Limit: "100 ms", Ratio: fmt.Sprintf("%.2f", float64(reads)/float64(readP99)),
		Wanted: "≤ 1.0", Met: reads <= readP99,
		Note: fmt.Sprintf("(at %.0f/s; %.0f ms at half of the limit; %d of %d refused; logins' p99 %.0f ms)", 3*allowed,
			ms(quantile(half.took[callRead], 0.99)), d.refused, d.calls, ms(quantile(d.took[callLogin], 0.99))),
	}, ctx.Err()
}
