package account_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/signin"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/password"
)

// The benchmarks print ratios of interleaved measurements, A, B, A, B, because the machine's speed drifts.

func generous() guard.Limits {
	const many = 1 << 30
	return guard.Limits{
		Login: guard.Door{Name: "login", Free: many, Address: many},
		Own:   guard.Own{Session: many, Stray: many},
		Sends: guard.Sends{PerMobile: many, PerMobileHour: many, PerAddress: many, InAll: many},
	}
}

func median(of []time.Duration) time.Duration {
	slices.Sort(of)
	return of[len(of)/2]
}

func p95(of []time.Duration) time.Duration {
	slices.Sort(of)
	return of[len(of)*95/100]
}

func timed(fn func()) time.Duration {
	started := time.Now() //nolint:forbidigo // measuring
	fn()
	return time.Since(started)
}

// BenchmarkLogin compares a whole sign-in with the one password hash that it needs.
func BenchmarkLogin(b *testing.B) {
	s := setupWithLimits(b, generous())
	s.join(b, asha)
	bare := password.NewHasher(1)
	hash, err := bare.Hash(b.Context(), goodPassword)
	require.NoError(b, err)
	var bares, logins, rest []time.Duration
	for b.Loop() {
		a := timed(func() { _, _ = bare.Verify(b.Context(), hash, goodPassword) })
		l := timed(func() {
			if _, err := s.login(b, asha, goodPassword); err != nil {
				b.Fatal(err)
			}
		})
		bares, logins, rest = append(bares, a), append(logins, l), append(rest, l-a)
	}
	b.ReportMetric(float64(median(bares))/float64(median(logins)), "of-bare-argon2id")
	b.ReportMetric(float64(median(rest).Microseconds())/1000, "ms-rest-median")
	b.ReportMetric(float64(p95(rest).Microseconds())/1000, "ms-rest-p95")
}

// BenchmarkSessionCheck measures the check that precedes every private call.
func BenchmarkSessionCheck(b *testing.B) {
	for name, down := range map[string]bool{"redis": false, "without redis": true} {
		b.Run(name, func(b *testing.B) {
			s := setupWithLimits(b, generous())
			in := s.join(b, asha)
			if down {
				s.redis.Close()
			}
			var took []time.Duration
			for b.Loop() {
				took = append(took, timed(func() {
					if _, err := s.Sessions.Authenticate(b.Context(), in.Tokens.Access); err != nil {
						b.Fatal(err)
					}
				}))
			}
			b.ReportMetric(float64(p95(took).Microseconds())/1000, "ms-p95")
		})
	}
}

// BenchmarkKnownAgainstUnknown prints the duration of each call for a mobile with and without an account.
func BenchmarkKnownAgainstUnknown(b *testing.B) {
	const refused = "login beyond its limit"
	login := func(s *bundle, mobile string) {
		_, _, _ = s.SignIns.Login(b.Context(), signin.LoginInput{Username: mobile, Password: "Wrong#2026"}, home())
	}
	for name, call := range map[string]func(s *bundle, mobile string){
		"login":   login,
		refused:   login,
		"sign-up": func(s *bundle, mobile string) { _, _ = s.SignUps.StartSignUp(b.Context(), input(mobile), home()) },
		"resend": func(s *bundle, mobile string) {
			_ = s.SignUps.ResendSignUpCodeWithPassword(b.Context(), mobile, goodPassword, home())
		},
		"forgotten password": func(s *bundle, mobile string) { _, _ = s.SignIns.StartReset(b.Context(), mobile, owner()) },
		"check of a code": func(s *bundle, mobile string) {
			_, _ = s.SignIns.VerifyReset(b.Context(), mobile, "000000", owner())
		},
	} {
		b.Run(name, func(b *testing.B) {
			limits := generous()
			if name == refused {
				limits.Login.Address = 0
			}
			s := setupWithLimits(b, limits)
			s.keep(b)
			s.join(b, asha)
			var known, unknown []time.Duration
			n := 0
			for b.Loop() {
				s.clock.Advance(time.Hour)
				n++
				// whichever runs first warms the caches for the other, so they alternate
				order := []*[]time.Duration{&known, &unknown}
				if n%2 == 0 {
					slices.Reverse(order)
				}
				for _, list := range order {
					mobile := asha
					if list == &unknown {
						mobile = fmt.Sprintf("98%08d", n)
					}
					*list = append(*list, timed(func() { call(s, mobile) }))
				}
			}
			b.ReportMetric(float64(median(known))/float64(median(unknown)), "known/unknown")
		})
	}
}
