package faults

import (
	"net/http"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/scripts/customer"
)

// attack is one attack on the stack and its expected outcome.
type attack struct {
	name string
	try  func(t *testing.T, s stack)
}

// suffer runs the attacks one after the other.
func (s stack) suffer(t *testing.T, attacks []attack) {
	t.Helper()
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) { a.try(t, s) })
	}
}

// accountAttacks are attempts to take over another customer's account.
func accountAttacks(t *testing.T, s stack) {
	t.Helper()
	s.suffer(t, []attack{
		{"a code is guessed 50 times at once", fiftyGuesses},
		{"a password is guessed from many browsers", guessedPassword},
		{"another's subscription is named", foreignSubscription},
	})
}

// texts returns the messages sent to a mobile, newest first.
func (s stack) texts(t *testing.T, c *customer.Customer, mobile string) []string {
	t.Helper()
	var list []struct {
		Body string `json:"body"`
	}
	require.NoError(t, c.Exchange(t.Context(), http.MethodGet, s.read(t).Inbox+"/messages?mobile="+mobile, "", &list))
	bodies := make([]string, len(list))
	for i, m := range list {
		bodies[i] = m.Body
	}
	return bodies
}

// code waits for the given number of messages and returns the code in the newest.
func (s stack) code(t *testing.T, c *customer.Customer, mobile string, messages int) string {
	t.Helper()
	var bodies []string
	require.Eventually(t, func() bool {
		bodies = s.texts(t, c, mobile)
		return len(bodies) == messages
	}, patience, 50*time.Millisecond)
	found := regexp.MustCompile(`#(\d{6})\s*$`).FindStringSubmatch(bodies[0])
	require.NotNil(t, found, bodies[0])
	return found[1]
}

// register submits the sign-up details.
func register(t *testing.T, c *customer.Customer, mobile string) {
	t.Helper()
	require.NoError(t, c.Call(t.Context(), http.MethodPost, "/register", map[string]any{
		"mobile": mobile, "email": "fault@franchise360.example", "password": password, "first_name": "Fault",
	}, nil))
}

func fiftyGuesses(t *testing.T, s stack) {
	t.Helper()
	const mobile = "9200000051"
	c := s.stranger(t)
	register(t, c, mobile)
	right := s.code(t, c, mobile, 1)
	wrong := string('0'+(right[0]-'0'+1)%10) + right[1:]
	guess := func(code string) error {
		return c.Call(t.Context(), http.MethodPost, "/mobile/validate-otp", map[string]any{"mobile": mobile, "otp": code}, nil)
	}
	var judged, refused atomic.Int32
	var guesses errgroup.Group
	for range 50 {
		guesses.Go(func() error {
			switch err := guess(wrong); customer.Status(err) {
			case http.StatusBadRequest:
				judged.Add(1)
			case http.StatusTooManyRequests:
				refused.Add(1)
			default:
				return err
			}
			return nil
		})
	}
	require.NoError(t, guesses.Wait())
	require.Equal(t, []int32{5, 45}, []int32{judged.Load(), refused.Load()})
	require.Equal(t, http.StatusTooManyRequests, customer.Status(guess(right)), "the right one comes too late")
}

func guessedPassword(t *testing.T, s stack) {
	t.Helper()
	const mobile, next = "9200000052", "Papaya#2027"
	s.resident(t, mobile, "fault@franchise360.example")
	judged, waits := 0, 0
	for range 20 { // ten are free, and a few more get through
		_, err := s.stranger(t).LogIn(t.Context(), mobile, "Wrong#2026")
		switch customer.Status(err) {
		case http.StatusBadRequest:
			judged++
		case http.StatusTooManyRequests:
			waits++
		default:
			require.Failf(t, "a wrong password is judged or waits", "%v", err)
		}
	}
	require.GreaterOrEqual(t, judged, 10)
	require.Positive(t, waits, "strangers wait")
	c := s.stranger(t)

	s.advance(t, c, time.Minute) // the minimum interval between two messages to a mobile
	require.NoError(t, c.Call(t.Context(), http.MethodPost, "/password/reset-otp", map[string]any{"mobile": mobile}, nil))
	var verified struct {
		ID string `json:"otp_verification_id"`
	}
	require.NoError(t, c.Call(t.Context(), http.MethodPost, "/password/validate-otp",
		map[string]any{"mobile": mobile, "otp": s.code(t, c, mobile, 2)}, &verified))
	require.NoError(t, c.Call(t.Context(), http.MethodPost, "/password/reset", map[string]any{
		"mobile": mobile, "verification_id": verified.ID, "password": next, "password_confirmation": next,
	}, nil))
	_, err := c.LogIn(t.Context(), mobile, next)
	require.NoError(t, err, "the owner is not locked out")
}

func foreignSubscription(t *testing.T, s stack) {
	t.Helper()
	const mobile, thief = "9200000053", "9200000054"
	c, session := s.buyer(t, mobile)
	require.NoError(t, c.Pay(t.Context(), session))
	var theirs string
	require.NoError(t, s.owner(t).GetContext(t.Context(), &theirs,
		`SELECT s.id FROM subscriptions s JOIN franchisers f ON f.id = s.franchiser_id WHERE f.mobile = $1`, mobile))
	other := s.resident(t, thief, "fault@franchise360.example")
	for _, path := range []string{
		"/renew-subscription/payments/details", renewalRequest,
		"/subscription/add-ons-services/payments/details", "/subscription/add-ons-services/payments/request",
	} {
		body := map[string]any{"subscription_id": theirs}
		if path[1] == 's' {
			services, err := other.FirstServices(t.Context())
			require.NoError(t, err)
			body["add_ons_service_id"] = []string{firstAddOn(t, other, services[0])}
		}
		err := other.Call(t.Context(), http.MethodPost, path, body, nil)
		require.Equal(t, http.StatusNotFound, customer.Status(err), "%s: %v", path, err)
	}
	s.holds(t, thief, map[string]int{`SELECT count(*) FROM orders WHERE franchiser_id = $1`: 0})
	s.once(t, mobile)
}
