package customer

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"time"
)

const (
	waitStep  = 100 * time.Millisecond
	waitLimit = 2 * time.Minute
)

// User is the account as returned at sign-in.
type User struct {
	IsActive   bool `json:"is_active"`
	HasAddress bool `json:"has_address"`
	HasStore   bool `json:"has_store_details"`
}

// signedIn is the data of every call that starts a session.
type signedIn struct {
	User User `json:"franchiser-user"`
}

// Details are the sign-up form's fields.
type Details struct {
	Mobile, Email, Password, FirstName string
	FreeTrial                          bool
}

// LogIn signs in with mobile and password; IsRefused tells a rejection from other errors.
func (c *Customer) LogIn(ctx context.Context, mobile, password string) (User, error) {
	var in signedIn
	err := c.Call(ctx, http.MethodPost, "/login", map[string]any{"username": mobile, "password": password}, &in)
	return in.User, err
}

// SignUp registers a new customer: details, code by SMS, account.
func (c *Customer) SignUp(ctx context.Context, d Details) (User, error) {
	before, err := c.messages(ctx, d.Mobile)
	if err != nil {
		return User{}, err
	}
	if err := c.Register(ctx, d); err != nil {
		return User{}, err
	}
	code, err := c.code(ctx, d.Mobile, len(before))
	if err != nil {
		return User{}, err
	}
	var verified struct {
		ID string `json:"otp_verification_id"`
	}
	otp := map[string]any{"mobile": d.Mobile, "otp": code}
	if err := c.Call(ctx, http.MethodPost, "/mobile/validate-otp", otp, &verified); err != nil {
		return User{}, err
	}
	confirm := map[string]any{"mobile": d.Mobile, "verification_id": verified.ID}
	var in signedIn
	err = c.Call(ctx, http.MethodPost, "/register", confirm, &in)
	return in.User, err
}

// Register submits the sign-up details, which triggers an SMS code.
func (c *Customer) Register(ctx context.Context, d Details) error {
	details := map[string]any{"mobile": d.Mobile, "email": d.Email, "password": d.Password, "first_name": d.FirstName}
	if d.FreeTrial {
		details["free_trial"] = 1
	}
	return c.Call(ctx, http.MethodPost, "/register", details, nil, "Idempotency-Key", rand.Text())
}

type sms struct {
	Body string `json:"body"`
}

func (c *Customer) messages(ctx context.Context, mobile string) ([]sms, error) {
	var list []sms
	err := c.Exchange(ctx, http.MethodGet, c.stack.Inbox+"/messages?mobile="+url.QueryEscape(mobile), "", &list)
	return list, err
}

// code waits for a message newer than the first `before` ones and reads the code from its last line (@host #123456).
func (c *Customer) code(ctx context.Context, mobile string, before int) (string, error) {
	pattern := regexp.MustCompile(`#(\d{6})\s*$`)
	var code string
	err := wait(ctx, "the code by SMS", func() (bool, error) {
		list, err := c.messages(ctx, mobile)
		if err != nil || len(list) <= before {
			return false, err
		}
		found := pattern.FindStringSubmatch(list[0].Body)
		if found == nil {
			return false, errors.New("the SMS holds no code")
		}
		code = found[1]
		return true, nil
	})
	return code, err
}

// SaveAddress saves a business address in Pune, Maharashtra, so the place of supply is GST State code 27.
func (c *Customer) SaveAddress(ctx context.Context) error {
	return c.Call(ctx, http.MethodPost, "/profile/address", map[string]any{
		"address": "12/4, Second floor", "street": "Sunrise Towers, Block B", "landmark": "Opp. City Mall",
		"country_id": "IN", "state_id": "27", "city_id": "27-pune", "zipcode": "411001",
		"location": "Camp, Pune, Maharashtra 411001, India", "legal_name": "Asha Sweets",
	}, nil)
}

// Session is an open charge as returned by payments/request.
type Session struct {
	Gateway       map[string]string `json:"gateway_details"`
	TransactionID string            `json:"transaction_id"`
}

// FirstServices returns the first tier of every plan, in catalogue order.
func (c *Customer) FirstServices(ctx context.Context) ([]string, error) {
	var list struct {
		Plans []struct {
			Service struct {
				ID string `json:"id"`
			} `json:"subscription_plan_service"`
		} `json:"subscription_plan"`
	}
	if err := c.Call(ctx, http.MethodGet, "/subscription-plan/list", nil, &list); err != nil {
		return nil, err
	}
	if len(list.Plans) == 0 {
		return nil, errors.New("the catalogue is empty")
	}
	ids := make([]string, 0, len(list.Plans))
	for _, p := range list.Plans {
		ids = append(ids, p.Service.ID)
	}
	return ids, nil
}

// Request requests a year's charge for a tier, with a new idempotency key, as the web client does.
func (c *Customer) Request(ctx context.Context, service string) (Session, error) {
	return c.RequestAgain(ctx, service, rand.Text())
}

// RequestAgain is Request with a key that may have been used already because its answer was lost.
func (c *Customer) RequestAgain(ctx context.Context, service, key string) (Session, error) {
	return c.request(ctx, service, "yearly", key)
}

// RequestMonth requests a month's charge for a tier.
func (c *Customer) RequestMonth(ctx context.Context, service string) (Session, error) {
	return c.request(ctx, service, "monthly", rand.Text())
}

func (c *Customer) request(ctx context.Context, service, planType, key string) (Session, error) {
	var session Session
	err := c.Call(ctx, http.MethodPost, "/subscription/payments/request", map[string]any{
		"plan_type": planType, "plan_services_id": service, "add_ons_service_id": []string{},
	}, &session, "Idempotency-Key", key)
	return session, err
}

// Refresh renews the session, as the web client does when it has run out.
func (c *Customer) Refresh(ctx context.Context) error {
	return c.Call(ctx, http.MethodPost, "/refresh", nil, nil)
}

// RenewByMandate sets automatic renewal up by a method (card, upi), with the payment of the open renewal.
func (c *Customer) RenewByMandate(ctx context.Context, method string) error {
	const path = "/subscription/automatic-renewal"
	var offer struct {
		Choices []struct {
			Method  string `json:"method"`
			Version string `json:"consent_version"`
			Text    string `json:"consent_text"`
		} `json:"choices"`
	}
	if err := c.Call(ctx, http.MethodGet, path, nil, &offer); err != nil {
		return err
	}
	for _, choice := range offer.Choices {
		if choice.Method != method {
			continue
		}
		var session Session
		consent := map[string]any{"method": method, "consented": true, "consent_version": choice.Version, "consent_text": choice.Text}
		if err := c.Call(ctx, http.MethodPost, path, consent, &session); err != nil {
			return err
		}
		return c.Pay(ctx, session)
	}
	return fmt.Errorf("no automatic renewal by %s", method)
}

// Pay completes the charge at the gateway sandbox and waits until the product has confirmed it.
func (c *Customer) Pay(ctx context.Context, session Session) error {
	back, err := c.Decide(ctx, session, `{"outcome":"success","webhook":"once","return":"post"}`)
	if err != nil {
		return err
	}
	if err := c.Return(ctx, back); err != nil {
		return err
	}
	return c.WaitPaid(ctx, session)
}

// Back is the form that the gateway has the browser post back.
type Back struct {
	URL    string            `json:"return_url"`
	Fields map[string]string `json:"fields"`
}

// Decide posts the charge's form as the browser would and makes its sandbox, PayU's or Razorpay's, end it with the outcome.
func (c *Customer) Decide(ctx context.Context, session Session, outcome string) (Back, error) {
	fields := maps.Clone(session.Gateway)
	delete(fields, "payment_url")
	if err := c.PostForm(ctx, session.Gateway["payment_url"], fields); err != nil {
		return Back{}, err
	}
	var back Back
	sandbox, err := url.Parse(session.Gateway["payment_url"])
	if err != nil {
		return Back{}, fmt.Errorf("read the payment page's address: %w", err)
	}
	sandbox = sandbox.ResolveReference(&url.URL{Path: "/sandbox/payments/" + session.TransactionID + "/outcome"})
	err = c.Exchange(ctx, http.MethodPost, sandbox.String(), outcome, &back)
	return back, err
}

// Return posts the gateway's form back, as the browser would.
func (c *Customer) Return(ctx context.Context, back Back) error {
	return c.PostForm(ctx, back.URL, back.Fields)
}

// WaitPaid waits until the product has confirmed the payment; any other final state is an error.
func (c *Customer) WaitPaid(ctx context.Context, session Session) error {
	return wait(ctx, "the payment to be confirmed", func() (bool, error) {
		var now struct {
			State string `json:"state"`
		}
		err := c.Call(ctx, http.MethodGet, "/subscription/payments/status/"+url.PathEscape(session.TransactionID), nil, &now)
		if err == nil && now.State != "paid" && now.State != "confirming" && now.State != "unpaid" {
			err = errors.New("the payment is " + now.State)
		}
		return now.State == "paid", err
	})
}

// AddStore creates the customer's store; its user name is the mobile.
func (c *Customer) AddStore(ctx context.Context, mobile, password, name string) error {
	var types []struct {
		ID json.RawMessage `json:"id"` // a string or a number
	}
	if err := c.Call(ctx, http.MethodGet, "/business", nil, &types); err != nil {
		return err
	}
	if len(types) == 0 {
		return errors.New("there are no business types")
	}
	var id any
	if err := json.Unmarshal(types[0].ID, &id); err != nil {
		return fmt.Errorf("read the business types: %w", err)
	}
	return c.Call(ctx, http.MethodPost, "/tenant/create", map[string]any{
		"store_username": mobile, "store_password": password, "store_name": name, "store_type": fmt.Sprint(id),
	}, nil)
}

// ErrNotYet means that something had not happened when its waiting time was over.
var ErrNotYet = errors.New("waited in vain")

// wait polls until done returns true or an error, or waitLimit has passed.
func wait(ctx context.Context, what string, done func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, waitLimit)
	defer cancel()
	for {
		ok, err := done()
		if ok || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w for %s: %w", ErrNotYet, what, ctx.Err())
		case <-time.After(waitStep):
		}
	}
}
