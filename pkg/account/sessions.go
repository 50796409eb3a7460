package account

import (
	"context"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// SessionInfo is one of a person's own sessions, as it is shown to that person.
type SessionInfo struct {
	ID         string
	Current    bool
	Device     string
	IPAddress  string
	CreatedAt  time.Time
	LastSeenAt time.Time
	ExpiresAt  time.Time
}

// Sessions lists the person's live sessions, the last used first.
func (s *Service) Sessions(ctx context.Context, p Principal) ([]SessionInfo, error) {
	var rows []session
	now := s.clock.Now()
	err := postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		var err error
		rows, err = listSessionsTx(ctx, tx, p.FranchiserID, now)
		return err
	})
	if err != nil {
		return nil, err
	}
	list := make([]SessionInfo, 0, len(rows))
	for _, r := range rows {
		if !r.live(now) {
			continue
		}
		list = append(list, SessionInfo{
			ID: r.ID, Current: r.ID == p.SessionID, Device: Device(r.UserAgent), IPAddress: r.IPAddress,
			CreatedAt: r.CreatedAt, LastSeenAt: r.RefreshedAt, ExpiresAt: r.ExpiresAt,
		})
	}
	return list, nil
}

// EndSession ends one of the person's own sessions; KindNotFound where it is not live or somebody else's.
func (s *Service) EndSession(ctx context.Context, p Principal, sessionID string) error {
	n, err := s.endSessions(ctx, p.FranchiserID, endRevoked, &sessionID, nil)
	if err == nil && n == 0 {
		err = errs.NotFound()
	}
	return err
}

// EndOtherSessions ends all of the person's sessions but the one that asks.
func (s *Service) EndOtherSessions(ctx context.Context, p Principal) error {
	_, err := s.endSessions(ctx, p.FranchiserID, endRevoked, nil, &p.SessionID)
	return err
}

// Device says in words which browser and system a user agent names; what it does not know is "a browser".
func Device(userAgent string) string {
	browser := firstOf(userAgent, "a browser", [][2]string{
		{"Edg", "Edge"},
		{"OPR/", "Opera"},
		{"SamsungBrowser", "Samsung Internet"},
		{"Firefox/", "Firefox"},
		{"FxiOS", "Firefox"},
		{"CriOS", "Chrome"},
		{"Chrome/", "Chrome"},
		{"Safari/", "Safari"},
	})
	system := firstOf(userAgent, "", [][2]string{
		{"Android", "Android"},
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"Windows", "Windows"},
		{"Mac OS X", "Mac"},
		{"CrOS", "ChromeOS"},
		{"Linux", "Linux"},
	})
	if system == "" {
		return strings.ToUpper(browser[:1]) + browser[1:]
	}
	return strings.ToUpper(browser[:1]) + browser[1:] + " on " + system
}

// firstOf returns the word of the first mark that s contains.
func firstOf(s, otherwise string, words [][2]string) string {
	for _, w := range words {
		if strings.Contains(s, w[0]) {
			return w[1]
		}
	}
	return otherwise
}
