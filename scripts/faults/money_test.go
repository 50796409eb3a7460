package faults

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/scripts/customer"
)

const (
	planRequest    = "/subscription/payments/request"
	renewalRequest = "/renew-subscription/payments/request"
)

// moneyAttacks are the attempts of a customer with a browser, or of an attacker who poses as the gateway. It runs late: it moves the clock
// by days and takes a plan off sale.
func moneyAttacks(t *testing.T, s stack) {
	t.Helper()
	s.suffer(t, []attack{
		{"a request for what is not sold, or not so", wrongRequests},
		{"the success page is opened without paying", unpaidSuccess},
		{"notices are forged", forgedNotices},
		{"the same callback comes 100 times at once", hundredCallbacks},
		{"failed is heard after paid", failedAfterPaid},
		{"Secure Payment is pressed 20 times at once", twentyRequests},
		{"the amount is off by a paisa", offByAPaisa},
		{"a card is sent to us", cards},
		{"a refund is heard of before the payment", refundBeforePaid},
		{"one renewal is captured twice", twoCapturesOfOneRenewal},
	})
}

// purchase returns the request body for a yearly plan, with changes applied.
func purchase(service string, changes map[string]any) map[string]any {
	body := map[string]any{"plan_type": "yearly", "plan_services_id": service, "add_ons_service_id": []string{}}
	maps.Copy(body, changes)
	return body
}

func firstAddOn(t *testing.T, c *customer.Customer, service string) string {
	t.Helper()
	var list []struct {
		ID string `json:"id"`
	}
	require.NoError(t, c.Call(t.Context(), http.MethodGet, "/subscription-plan/add-ons-services/"+service, nil, &list))
	require.NotEmpty(t, list)
	return list[0].ID
}

func wrongRequests(t *testing.T, s stack) {
	t.Helper()
	const mobile = "9200000031"
	c := s.resident(t, mobile, "fault@franchise360.example")
	services, err := c.FirstServices(t.Context())
	require.NoError(t, err)
	service, own, foreign := services[0], firstAddOn(t, c, services[0]), firstAddOn(t, c, services[1])
	s.retireLastPlan(t)
	for name, try := range map[string]struct {
		changes map[string]any
		status  int
	}{
		"an amount":                {map[string]any{"amount": 1}, 400},
		"a price":                  {map[string]any{"price": "1.00"}, 400},
		"a retired plan":           {map[string]any{"plan_services_id": services[len(services)-1]}, 422},
		"another service's add-on": {map[string]any{"add_ons_service_id": []string{foreign}}, 422},
		"an add-on twice":          {map[string]any{"add_ons_service_id": []string{own, own}}, 422},
		"a negative add-on":        {map[string]any{"add_ons_service_id": []string{"-1"}}, 422},
		"10,000 add-ons":           {map[string]any{"add_ons_service_id": slices.Repeat([]string{"1"}, 10_000)}, 422},
		"10,000 add-ons by id":     {map[string]any{"add_ons_service_id": slices.Repeat([]string{own}, 10_000)}, 413},
		"a week":                   {map[string]any{"plan_type": "weekly"}, 422},
		"no type":                  {map[string]any{"plan_type": ""}, 422},
	} {
		for _, path := range []string{"/subscription/payments/details", planRequest} {
			err := c.Call(t.Context(), http.MethodPost, path, purchase(service, try.changes), nil, "Idempotency-Key", rand.Text())
			require.Equal(t, try.status, customer.Status(err), "%s by %s: %v", name, path, err)
		}
	}
	s.holds(t, mobile, map[string]int{
		`SELECT count(*) FROM orders WHERE franchiser_id = $1`:                                                0,
		`SELECT count(*) FROM payments WHERE franchiser_id = $1`:                                              0,
		`SELECT count(*) FROM idempotency_keys WHERE franchiser_id = $1`:                                      0,
		`SELECT count(*) FROM river_job WHERE metadata ->> 'franchiser_id' = $1::text AND queue = 'payments'`: 0,
	})
}

// retireLastPlan loads a catalogue revision without its last plan, as the operator's seed command does.
func (s stack) retireLastPlan(t *testing.T) {
	t.Helper()
	var text map[string]any
	require.NoError(t, json.Unmarshal(plan.DefaultCatalogue(), &text))
	plans, ok := text["plans"].([]any)
	require.True(t, ok)
	text["plans"] = plans[:len(plans)-1]
	rest, err := json.Marshal(text)
	require.NoError(t, err)
	_, err = plan.Load(t.Context(), s.owner(t), clock.System{}, rest)
	require.NoError(t, err)
}

func unpaidSuccess(t *testing.T, s stack) {
	t.Helper()
	const mobile = "9200000032"
	c, session := s.buyer(t, mobile)
	require.True(t, s.answers(t, "/checkout/result/success?transaction_id="+session.TransactionID))
	require.Equal(t, "confirming", s.status(t, c, session))
	user, err := c.LogIn(t.Context(), mobile, password)
	require.NoError(t, err)
	require.False(t, user.IsActive)
	s.nothingBought(t, mobile)
}

// nothingBought checks that a customer has at most one charge, and nothing for it.
func (s stack) nothingBought(t *testing.T, mobile string) {
	t.Helper()
	s.holds(t, mobile, map[string]int{
		`SELECT count(*) FROM subscriptions WHERE franchiser_id = $1`:                              0,
		`SELECT count(*) FROM orders WHERE franchiser_id = $1 AND state = 'paid'`:                  0,
		`SELECT count(*) FROM payments WHERE franchiser_id = $1 AND state IN ('paid','refunded')`:  0,
		`SELECT count(*) FROM invoices WHERE franchiser_id = $1 AND kind = 'invoice'`:              0,
		`SELECT count(*) FROM ledger_journals WHERE franchiser_id = $1 AND kind <> 'held_capture'`: 0,
	})
}

// webhook returns the notification as the gateway's own server posts it.
func (s stack) webhook(t *testing.T, back customer.Back) customer.Back {
	t.Helper()
	back.URL = s.read(t).Site + "/api/franchise/payments/webhook/payu"
	return back
}

// forgedNotices has a customer who paid little replay his own notification, and altered ones, against the open charge of
// another whose own payment failed. The victim's e-mail address contains the separator of the signed text.
func forgedNotices(t *testing.T, s stack) {
	t.Helper()
	const mobile, thief = "9200000033", "9200000034"
	c := s.resident(t, mobile, "fault|1.00|x@franchise360.example")
	services, err := c.FirstServices(t.Context())
	require.NoError(t, err)
	session, err := c.Request(t.Context(), services[0])
	require.NoError(t, err)
	for name, value := range session.Gateway {
		require.NotContains(t, value, "|", name)
	}
	failed, err := c.Decide(t.Context(), session, `{"outcome":"failure","webhook":"lost","return":"post"}`)
	require.NoError(t, err)
	other, cheap := s.buyer(t, thief)
	paidFor, err := other.Decide(t.Context(), cheap, `{"outcome":"success","webhook":"lost","return":"post"}`)
	require.NoError(t, err)

	forged := map[string]map[string]string{
		"another's hash":      {"hash": paidFor.Fields["hash"]},
		"a hash of nothing":   {"hash": strings.Repeat("0", 128)},
		"no hash":             {"hash": ""},
		"a success":           {"status": "success", "unmappedstatus": "captured"},
		"another amount":      {"amount": "1.00"},
		"another merchant":    {"key": "gtKFFx"},
		"another transaction": {"txnid": cheap.TransactionID},
		"charges":             {"additionalCharges": "1.00"},
	}
	for _, name := range []string{"status", "email", "firstname", "productinfo", "amount", "txnid", "udf1", "udf5"} {
		forged["a separator after "+name] = map[string]string{name: failed.Fields[name] + "|"}
		forged["a separator before "+name] = map[string]string{name: "|" + failed.Fields[name]}
	}
	attacks := map[string]map[string]string{"nothing at all": {}, "no transaction": {"hash": failed.Fields["hash"]}}
	for name, changes := range forged {
		attacks[name] = maps.Clone(failed.Fields)
		maps.Copy(attacks[name], changes)
	}
	attacks["another's whole notice"] = maps.Clone(paidFor.Fields)
	attacks["another's whole notice"]["txnid"] = session.TransactionID
	stranger := s.stranger(t)
	for name, fields := range attacks {
		notice := customer.Back{URL: failed.URL, Fields: fields}
		require.Equal(t, 400, customer.Status(stranger.Return(t.Context(), notice)), "callback: %s", name)
		require.Equal(t, 400, customer.Status(stranger.Return(t.Context(), s.webhook(t, notice))), "webhook: %s", name)
	}
	for _, who := range []string{mobile, thief} {
		s.nothingBought(t, who)
		s.holds(t, who, map[string]int{
			`SELECT count(*) FROM payment_events WHERE franchiser_id = $1 AND source IN ('callback', 'webhook')`: 0,
			`SELECT count(*) FROM payments WHERE franchiser_id = $1 AND state = 'created'`:                       1,
		})
	}
	require.NoError(t, stranger.Return(t.Context(), paidFor), "the gateway's own words are taken")
	require.NoError(t, other.WaitPaid(t.Context(), cheap))
	require.Equal(t, "confirming", s.status(t, c, session))
	s.once(t, thief)
	s.nothingBought(t, mobile)
}

func hundredCallbacks(t *testing.T, s stack) {
	t.Helper()
	const mobile = "9200000035"
	c, session := s.buyer(t, mobile)
	back, err := c.Decide(t.Context(), session, `{"outcome":"success","webhook":"twice","return":"post"}`)
	require.NoError(t, err)
	webhook := s.webhook(t, back)
	var posts errgroup.Group
	for i := range 100 {
		posts.Go(func() error { return c.Return(t.Context(), back) })
		if i%5 == 0 {
			posts.Go(func() error { return c.Return(t.Context(), webhook) })
		}
	}
	require.NoError(t, posts.Wait())
	require.NoError(t, c.WaitPaid(t.Context(), session))
	s.worked(t, mobile)
	s.once(t, mobile)
	s.holds(t, mobile, map[string]int{
		`SELECT count(*) FROM payment_events WHERE franchiser_id = $1 AND source = 'callback'`: 1,
		`SELECT count(*) FROM payment_events WHERE franchiser_id = $1 AND source = 'webhook'`:  1,
		`SELECT count(*) FROM subscription_events WHERE franchiser_id = $1`:                    1,
		`SELECT count(*) FROM terms WHERE franchiser_id = $1`:                                  1,
	})
	var list []any
	require.NoError(t, c.Call(t.Context(), http.MethodGet, "/subscription/payments/list", nil, &list))
	require.Len(t, list, 1)
}

// worked waits until the worker has processed every event of the customer's payments.
func (s stack) worked(t *testing.T, mobile string) {
	t.Helper()
	db := s.owner(t)
	require.Eventually(t, func() bool {
		return count(t, db, `SELECT count(*) FROM river_job WHERE kind = 'verify_payment' AND args ? 'event'
			AND metadata ->> 'franchiser_id' = $1 AND finalized_at IS NULL`, mobile) == 0
	}, patience, 50*time.Millisecond)
}

func failedAfterPaid(t *testing.T, s stack) {
	t.Helper()
	const mobile = "9200000036"
	c, session := s.buyer(t, mobile)
	failed, err := c.Decide(t.Context(), session, `{"outcome":"failure","webhook":"lost","return":"post"}`)
	require.NoError(t, err)
	succeeded, err := c.Decide(t.Context(), session, `{"outcome":"success","webhook":"once","return":"post"}`)
	require.NoError(t, err)
	require.NoError(t, c.Return(t.Context(), succeeded))
	require.NoError(t, c.WaitPaid(t.Context(), session))
	require.NoError(t, c.Return(t.Context(), failed))
	require.NoError(t, c.Return(t.Context(), s.webhook(t, failed)))
	s.worked(t, mobile)
	require.Equal(t, "paid", s.status(t, c, session))
	s.once(t, mobile)
	s.holds(t, mobile, map[string]int{
		`SELECT count(*) FROM payment_events WHERE franchiser_id = $1 AND status = 'failed' AND source <> 'poll'`: 2,
	})
}

// twentyRequests come from two browsers of one account: some without a key, some with different keys, some sharing one.
func twentyRequests(t *testing.T, s stack) {
	t.Helper()
	const mobile = "9200000037"
	c, second := s.resident(t, mobile, "fault@franchise360.example"), s.stranger(t)
	_, err := second.LogIn(t.Context(), mobile, password)
	require.NoError(t, err)
	services, err := c.FirstServices(t.Context())
	require.NoError(t, err)
	shared := rand.Text()
	var asked errgroup.Group
	sessions := make([]customer.Session, 20)
	for i := range sessions {
		who := []*customer.Customer{c, second}[i%2]
		header := [][]string{nil, {"Idempotency-Key", shared}, {"Idempotency-Key", rand.Text()}}[i%3]
		asked.Go(func() error {
			for tries := 1; ; tries++ {
				err := who.Call(t.Context(), http.MethodPost, planRequest, purchase(services[0], nil), &sessions[i], header...)
				// On a busy machine a request waits too long for the customer's lock; the message says to try again.
				if customer.Status(err) != http.StatusServiceUnavailable || tries == 4 {
					return err
				}
			}
		})
	}
	require.NoError(t, asked.Wait())
	for _, session := range sessions {
		require.Equal(t, sessions[0], session)
	}
	s.holds(t, mobile, map[string]int{
		`SELECT count(*) FROM orders WHERE franchiser_id = $1`:                                               1,
		`SELECT count(*) FROM payments WHERE franchiser_id = $1`:                                             1,
		`SELECT count(*) FROM idempotency_keys WHERE franchiser_id = $1`:                                     7,
		`SELECT count(*) FROM river_job WHERE kind = 'verify_payment' AND metadata ->> 'franchiser_id' = $1`: 1,
	})
	require.NoError(t, second.Pay(t.Context(), sessions[0]))
	s.once(t, mobile)
}

func offByAPaisa(t *testing.T, s stack) {
	t.Helper()
	const mobile = "9200000038"
	c, session := s.buyer(t, mobile)
	back, err := c.Decide(t.Context(), session, `{"outcome":"wrong_amount","webhook":"twice","return":"post"}`)
	require.NoError(t, err)
	require.NoError(t, c.Return(t.Context(), back))
	require.Eventually(t, func() bool { return s.status(t, c, session) == "held" }, patience, 50*time.Millisecond)
	s.worked(t, mobile)
	s.nothingBought(t, mobile)
	s.holds(t, mobile, map[string]int{
		`SELECT count(*) FROM payments WHERE franchiser_id = $1 AND state = 'held'`: 1,
		`SELECT count(*) FROM refunds WHERE franchiser_id = $1`:                     0,
	})
	user, err := c.LogIn(t.Context(), mobile, password)
	require.NoError(t, err)
	require.False(t, user.IsActive)
	s.verifyBooks(t)
}

// refundBeforePaid has gateway staff refund a part before any notification of the payment, while the gateway's API is
// unavailable.
func refundBeforePaid(t *testing.T, s stack) {
	t.Helper()
	const mobile = "9200000039"
	c, session := s.buyer(t, mobile)
	back, err := c.Decide(t.Context(), session, `{"outcome":"success","webhook":"lost","return":"post"}`)
	require.NoError(t, err)
	s.mood(t, c, `{"mode":"error"}`)
	var answer any
	require.NoError(t, c.Exchange(t.Context(), http.MethodPost,
		s.read(t).Gateway+"/sandbox/payments/"+session.TransactionID+"/refund", `{"amount":"1000.00"}`, &answer))
	db := s.owner(t)
	require.Eventually(t, func() bool {
		return count(t, db, `SELECT count(*) FROM payment_events WHERE franchiser_id = $1 AND kind = 'refund' AND applied_at IS NULL`, mobile) == 1
	}, patience, 50*time.Millisecond)
	require.Equal(t, "confirming", s.status(t, c, session))
	s.nothingBought(t, mobile)
	s.holds(t, mobile, map[string]int{`SELECT count(*) FROM refunds WHERE franchiser_id = $1`: 0})

	s.mood(t, c, `{"mode":"ok"}`)
	require.NoError(t, c.Return(t.Context(), back))
	require.NoError(t, c.WaitPaid(t.Context(), session))
	s.worked(t, mobile)
	s.refunded(t, c, mobile, 1)
	s.holds(t, mobile, map[string]int{
		`SELECT sum(amount_paise) FROM refunds WHERE franchiser_id = $1`:                                          1000_00,
		`SELECT count(*) FROM payment_events WHERE franchiser_id = $1 AND kind = 'refund' AND applied_at IS NULL`: 0,
		`SELECT count(*) FROM invoices WHERE franchiser_id = $1 AND kind = 'credit_note'`:                         1,
		`SELECT count(*) FROM payments WHERE franchiser_id = $1 AND state = 'paid'`:                               1,
		`SELECT count(*) FROM subscriptions WHERE franchiser_id = $1 AND state = 'active'`:                        1,
	})
	s.verifyBooks(t)
}

// refunded moves the clock to the next refund poll, and waits until that many refunds are complete.
func (s stack) refunded(t *testing.T, c *customer.Customer, mobile string, want int) {
	t.Helper()
	db := s.owner(t)
	require.Eventually(t, func() bool {
		return count(t, db, `SELECT count(*) FROM refunds WHERE franchiser_id = $1 AND state IN ('sent', 'done')`, mobile) == want
	}, patience, 50*time.Millisecond)
	s.advance(t, c, 2*time.Minute)
	require.Eventually(t, func() bool {
		return count(t, db, `SELECT count(*) FROM refunds WHERE franchiser_id = $1 AND state = 'done'`, mobile) == want
	}, patience, 50*time.Millisecond)
}

// twoCapturesOfOneRenewal has a first attempt fail and a second one begin, and then the bank captures both.
func twoCapturesOfOneRenewal(t *testing.T, s stack) {
	t.Helper()
	const mobile = "9200000040"
	c := s.resident(t, mobile, "fault@franchise360.example")
	services, err := c.FirstServices(t.Context())
	require.NoError(t, err)
	ask := func(path string, body map[string]any) (session customer.Session) {
		require.NoError(t, c.Call(t.Context(), http.MethodPost, path, body, &session, "Idempotency-Key", rand.Text()))
		return session
	}
	require.NoError(t, c.Pay(t.Context(), ask(planRequest, purchase(services[0], map[string]any{"plan_type": "monthly"}))))
	s.advance(t, c, 25*24*time.Hour) // monthly renewals open a week before the end
	_, err = c.LogIn(t.Context(), mobile, password)
	require.NoError(t, err)
	var dashboard struct {
		Subscription struct {
			ID string `json:"id"`
		} `json:"subscription"`
	}
	require.NoError(t, c.Call(t.Context(), http.MethodGet, "/subscription/dashboard", nil, &dashboard))
	renewal := map[string]any{"subscription_id": dashboard.Subscription.ID}

	first := ask(renewalRequest, renewal)
	failed, err := c.Decide(t.Context(), first, `{"outcome":"failure","webhook":"lost","return":"post"}`)
	require.NoError(t, err)
	require.NoError(t, c.Return(t.Context(), failed))
	require.Eventually(t, func() bool { return s.status(t, c, first) == "failed" }, patience, 50*time.Millisecond)
	second := ask(renewalRequest, renewal)
	require.NotEqual(t, first.TransactionID, second.TransactionID)
	var both errgroup.Group
	for _, session := range []customer.Session{first, second} {
		back, err := c.Decide(t.Context(), session, `{"outcome":"success","webhook":"lost","return":"post"}`)
		require.NoError(t, err)
		both.Go(func() error { return c.Return(t.Context(), back) })
	}
	require.NoError(t, both.Wait())
	s.refunded(t, c, mobile, 1)
	s.holds(t, mobile, map[string]int{
		`SELECT count(*) FROM terms WHERE franchiser_id = $1`:                                                                          2,
		`SELECT count(*) FROM refunds WHERE franchiser_id = $1`:                                                                        1,
		`SELECT count(*) FROM refunds WHERE franchiser_id = $1 AND reason = 'surplus'`:                                                 1,
		`SELECT count(*) FROM payments WHERE franchiser_id = $1 AND state = 'paid'`:                                                    2,
		`SELECT count(*) FROM payments WHERE franchiser_id = $1 AND state = 'refunded' AND surplus`:                                    1,
		`SELECT count(*) FROM invoices WHERE franchiser_id = $1`:                                                                       2,
		`SELECT count(*) FROM subscriptions WHERE franchiser_id = $1 AND state = 'active' AND paid_until - renew_on BETWEEN 28 AND 31`: 1,
	})
	s.verifyBooks(t)
}

// cards sends a card number wherever a call takes text, and as an extra field in every call; the gateway's notification may contain only a
// receipt's masked number.
func cards(t *testing.T, s stack) {
	t.Helper()
	const (
		mobile              = "9200000041"
		number, spaced, cvv = "4111111111111111", "4111 1111 1111 1111", "cvv-of-the-card"
	)
	c, session := s.buyer(t, mobile)
	for _, path := range []string{
		"/register", "/mobile/otp", "/mobile/validate-otp", "/otp/resend-otp", "/login", "/login/totp", "/password/reset-otp",
		"/password/validate-otp", "/password/reset", "/profile/search-address", "/profile/coordinates", "/profile/address",
		"/profile/update/profile", "/profile/email/otp", "/profile/mobile/otp", "/profile/store/update", "/tenant/create", "/newsletter",
		"/contact", "/subscription-plan/quote", "/subscription/payments/details", planRequest, "/renew-subscription/payments/details",
		renewalRequest, "/subscription/add-ons-services/payments/details", "/subscription/add-ons-services/payments/request",
	} {
		for field, value := range map[string]string{"card_number": number, "number": spaced, "cvv": cvv} {
			err := c.Call(t.Context(), http.MethodPost, path, map[string]string{field: value}, nil)
			require.Equal(t, 400, customer.Status(err), "%s of %s: %v", field, path, err)
		}
	}
	for path, body := range map[string]map[string]any{
		"/register":               {"mobile": "9200000042", "email": "fault@franchise360.example", "password": number, "first_name": "Fault"},
		"/profile/address":        {"address": spaced, "street": "Sunrise", "landmark": "Mall", "country_id": "IN", "state_id": "27", "city_id": "27-pune", "zipcode": "411001", "location": "Camp"},
		"/profile/update/profile": {"first_name": "Fault", "last_name": number},
		"/contact":                {"name": "Fault", "email": "fault@franchise360.example", "topic": "billing", "message": "Charge " + spaced + " again.", "consent": true, "consent_version": "1"},
		planRequest:               purchase(number, nil),
	} {
		err := c.Call(t.Context(), http.MethodPost, path, body, nil)
		require.Equal(t, 400, customer.Status(err), "a card in %s: %v", path, err)
	}
	services, err := c.FirstServices(t.Context())
	require.NoError(t, err)
	err = c.Call(t.Context(), http.MethodPost, planRequest, purchase(services[1], nil), nil, "Idempotency-Key", number)
	require.Equal(t, 400, customer.Status(err), "a card as a key: %v", err)

	back, err := c.Decide(t.Context(), session, `{"outcome":"success","webhook":"lost","return":"post"}`)
	require.NoError(t, err)
	for field, value := range map[string]string{"cardnum": number, "field9": spaced, "CVV": cvv} {
		notice := customer.Back{URL: back.URL, Fields: maps.Clone(back.Fields)}
		notice.Fields[field] = value
		require.Equal(t, 400, customer.Status(c.Return(t.Context(), notice)), field)
		require.Equal(t, 400, customer.Status(c.Return(t.Context(), s.webhook(t, notice))), field)
	}
	const masked = "411111XXXXXX1111"
	back.Fields["field9"] = masked
	require.NoError(t, c.Return(t.Context(), back), "as the gateway shows it")
	require.NoError(t, c.WaitPaid(t.Context(), session))
	s.once(t, mobile)

	log, err := os.ReadFile(s.log)
	require.NoError(t, err)
	require.Contains(t, string(log), `"process":"api"`)
	require.Equal(t, []string{"payment_events"}, s.tablesWith(t, masked), "the search finds what is there")
	for _, secret := range []string{number, spaced, url.QueryEscape(spaced), cvv} {
		require.Empty(t, s.tablesWith(t, secret), secret)
		require.NotContains(t, string(log), secret)
	}
}

// tablesWith returns the tables with a row that contains the text, the queue's included.
func (s stack) tablesWith(t *testing.T, text string) []string {
	t.Helper()
	db := s.owner(t)
	var tables []string
	require.NoError(t, db.SelectContext(t.Context(), &tables,
		`SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`))
	found := []string{}
	for _, table := range tables {
		var n int
		require.NoError(t, db.GetContext(t.Context(), &n, fmt.Sprintf(`SELECT count(*) FROM %q x WHERE strpos(x::text, $1) > 0`, table), text))
		if n > 0 {
			found = append(found, table)
		}
	}
	return found
}
