package app

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

// siteProbeTimeout leaves the look that waits for the probe most of its time.
const siteProbeTimeout = 4 * time.Second

// siteProbe returns the observer that calls the site's health check at PUBLIC_URL, through the proxy, on a new connection each time.
func siteProbe(cfg config.Config, clk clock.Clock) alert.Observer {
	client := resty.New().SetBaseURL(siteURL(cfg)).SetTimeout(siteProbeTimeout).SetResponseBodyLimit(64 << 10).
		SetRedirectPolicy(resty.NoRedirectPolicy()).SetCloseConnection(true).SetDisableWarn(true)
	return alert.SiteProbe(func(ctx context.Context) error {
		response, err := client.R().SetContext(ctx).Get("/healthz")
		if err != nil {
			return fmt.Errorf("probe the site: %w", err)
		}
		if response.StatusCode() != http.StatusOK {
			return fmt.Errorf("probe the site: %s", response.Status())
		}
		return nil
	}, clk)
}
