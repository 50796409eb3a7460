package alert

import (
	"context"
	"sync"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

const (
	// siteAwayAfter is longer than a restart of the proxy takes.
	siteAwayAfter = 2 * time.Minute
	// probeEvery is the least time between two probes, however often the product is looked at.
	probeEvery = 10 * time.Second
)

// SiteProbe returns the observer of the site as its customers reach it: by name, network and proxy. probe requests the public address.
// Some networks let no process reach its own public address, so a process that never got an answer reports nothing.
func SiteProbe(probe func(ctx context.Context) error, clk clock.Clock) Observer {
	var (
		mu              sync.Mutex
		probed, reached time.Time
		answers         bool
	)
	return func(ctx context.Context, s *Sight) {
		mu.Lock()
		defer mu.Unlock()
		now := clk.Now()
		if now.Sub(probed) >= probeEvery {
			probed = now
			if answers = probe(ctx) == nil; answers {
				reached = now
			}
		}
		if !answers && !reached.IsZero() {
			s.SiteAway = now.Sub(reached)
		}
	}
}

func awaySite(s Sight, _ Thresholds) []Finding {
	if s.SiteAway < siteAwayAfter {
		return nil
	}
	return []Finding{{Severity: Critical, Message: "The site has not answered at its public address for " + span(s.SiteAway) +
		": customers do not reach it. Look at the proxy, the name and the network."}}
}
