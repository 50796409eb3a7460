// Package timemachine calls the program scripts/timemachine, which simulates a customer's future.
package timemachine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/timemachine"
)

const (
	name = "timemachine"
	// timeout is longer than the program waits for a run (4 s), and shorter than a request has.
	timeout = 6 * time.Second
	// maxAnswer is far above the entries of two years, in bytes.
	maxAnswer = 16 << 20
)

// Client calls one program.
type Client struct{ client *resty.Client }

// New returns a client, nil where no program is configured.
func New(c config.TimeMachine) *Client {
	if c.URL == "" {
		return nil
	}
	return &Client{client: resty.New().SetBaseURL(c.URL).SetAuthToken(c.Key).SetTimeout(timeout).SetResponseBodyLimit(maxAnswer).
		SetRedirectPolicy(resty.NoRedirectPolicy())}
}

// Measured enables timing of the calls.
func (c *Client) Measured(m *metrics.Metrics) {
	c.client.SetTransport(m.Transport(name, c.client.GetClient().Transport))
}

// Ask implements timemachine.Machine.
func (c *Client) Ask(ctx context.Context, q timemachine.Question) (timemachine.Answer, error) {
	resp, err := c.client.R().SetContext(ctx).SetBody(q).Post("/ask")
	if err != nil {
		return timemachine.Answer{}, timemachine.ErrFailed.Because(err)
	}
	switch resp.StatusCode() {
	case http.StatusOK:
		var a timemachine.Answer
		if err := json.Unmarshal(resp.Body(), &a); err != nil {
			return timemachine.Answer{}, timemachine.ErrFailed.Because(errors.New("the answer is no JSON of an answer"))
		}
		return a, nil
	case http.StatusNotFound:
		return timemachine.Answer{}, errs.NotFound()
	case http.StatusServiceUnavailable:
		return timemachine.Answer{}, timemachine.ErrBusy
	default:
		return timemachine.Answer{}, timemachine.ErrFailed.Because(fmt.Errorf("status %d", resp.StatusCode()))
	}
}
