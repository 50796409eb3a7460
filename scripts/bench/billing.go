package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/scripts/customer"
	"github.com/franchise360/franchise360/scripts/embedded"
)

const (
	benchPassword = "Mangoes#2027"
	firstMobile   = 9100000000
)

// signUpAll creates one customer with an address per connection, and returns their database ids too.
func signUpAll(ctx context.Context, s stack, from int) ([]*customer.Customer, []string, error) {
	people := make([]*customer.Customer, 0, connections)
	mobiles := make([]string, 0, connections)
	for n := range connections {
		c, err := customer.New(customer.Stack{Site: s.Site, Inbox: s.SMSInbox})
		if err != nil {
			return nil, nil, err
		}
		mobile := strconv.Itoa(firstMobile + from + n)
		if _, err := c.LogIn(ctx, mobile, benchPassword); customer.IsRefused(err) {
			_, err = c.SignUp(ctx, customer.Details{
				Mobile: mobile, Email: "bench@franchise360.example", Password: benchPassword, FirstName: "Bench",
			})
			if err != nil {
				return nil, nil, err
			}
		} else if err != nil {
			return nil, nil, err
		}
		if err := c.SaveAddress(ctx); err != nil {
			return nil, nil, err
		}
		people, mobiles = append(people, c), append(mobiles, mobile)
	}
	db, err := postgres.Open(ctx, s.OwnerURL, 1)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = db.Close() }()
	ids, err := franchisers(ctx, db, mobiles)
	return people, ids, err
}

func franchisers(ctx context.Context, db *sqlx.DB, mobiles []string) ([]string, error) {
	ids := make([]string, len(mobiles))
	for n, mobile := range mobiles {
		if err := db.GetContext(ctx, &ids[n], `SELECT id FROM franchisers WHERE mobile = $1`, mobile); err != nil {
			return nil, fmt.Errorf("find the customer: %w", err)
		}
	}
	return ids, nil
}

// paymentRequest compares the call, each time for a different plan, so that each writes a new order, its lines, payment, key
// and job, with the same writes through pgbench.
func paymentRequest(ctx context.Context, s stack) (result, error) {
	people, ids, err := signUpAll(ctx, s, 0)
	if err != nil {
		return result{}, err
	}
	services, err := people[0].FirstServices(ctx)
	if err != nil {
		return result{}, err
	}
	turn := make([]int, len(people))
	ours := func(ctx context.Context) (float64, error) {
		rate, _, err := load(ctx, connections, func(ctx context.Context, n int) error {
			turn[n]++
			_, err := people[n].Request(ctx, services[turn[n]%len(services)])
			return err
		})
		return rate, err
	}
	a, b, err := alternate(ctx, ours, pgbench(s.DatabaseURL, ids, checkoutScript))
	if err != nil {
		return result{}, err
	}
	return compare(a, b, 0.95), nil
}

// dashboard compares the call with pgbench running the statements for the same rows: begin, tenant, session, subscription,
// store, add-ons, commit.
func dashboard(ctx context.Context, s stack) (result, error) {
	people, ids, err := signUpAll(ctx, s, 100)
	if err != nil {
		return result{}, err
	}
	for n, c := range people {
		if err := buyOnce(ctx, c, strconv.Itoa(firstMobile+100+n)); err != nil {
			return result{}, err
		}
	}
	var p99 string
	ours := func(ctx context.Context) (float64, error) {
		rate, took, err := load(ctx, connections, func(ctx context.Context, n int) error {
			return people[n].Call(ctx, http.MethodGet, "/subscription/dashboard", nil, nil)
		})
		p99 = fmt.Sprintf("(p99 %.0f ms)", ms(quantile(took, 0.99)))
		return rate, err
	}
	a, b, err := alternate(ctx, ours, pgbench(s.DatabaseURL, ids, dashboardScript))
	if err != nil {
		return result{}, err
	}
	r := compare(a, b, 1.0)
	r.Note = p99
	return r, nil
}

// buyOnce gives the customer a plan and a store unless an earlier run did.
func buyOnce(ctx context.Context, c *customer.Customer, mobile string) error {
	u, err := c.LogIn(ctx, mobile, benchPassword)
	if err != nil {
		return err
	}
	if !u.IsActive {
		services, err := c.FirstServices(ctx)
		if err != nil {
			return err
		}
		session, err := c.Request(ctx, services[0])
		if err != nil {
			return err
		}
		if err := c.Pay(ctx, session); err != nil {
			return err
		}
	}
	if u.HasStore {
		return nil
	}
	return c.AddStore(ctx, mobile, benchPassword, "Bench Store")
}

// pgbench returns a side that runs the script once per franchiser, with one client each.
func pgbench(dsn string, ids []string, script string) side {
	return func(ctx context.Context) (float64, error) {
		dir, err := embedded.TemporaryFolder("franchise360-pgbench-")
		if err != nil {
			return 0, fmt.Errorf("make a folder: %w", err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		args := []string{"-n", "-M", "prepared", "-c", strconv.Itoa(connections), "-j", "2", "-T", strconv.Itoa(int(roundTime.Seconds()))}
		for n, id := range ids {
			file := filepath.Join(dir, strconv.Itoa(n)+".sql")
			if err := os.WriteFile(file, []byte(strings.ReplaceAll(script, "FRANCHISER", id)), 0o600); err != nil {
				return 0, fmt.Errorf("write the script: %w", err)
			}
			args = append(args, "-f", file)
		}
		out, err := exec.CommandContext(ctx, "pgbench", append(args, "-d", dsn)...).CombinedOutput()
		if err != nil {
			return 0, fmt.Errorf("pgbench (Debian: postgresql-contrib): %w: %s", err, out)
		}
		found := regexp.MustCompile(`tps = ([0-9.]+)`).FindSubmatch(out)
		if found == nil {
			return 0, fmt.Errorf("pgbench says no rate: %s", out)
		}
		return strconv.ParseFloat(string(found[1]), 64)
	}
}
