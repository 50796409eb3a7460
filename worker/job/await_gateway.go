package job

import (
	"errors"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/payment"
)

// gatewayWait is how long a job of an unconfigured gateway waits before it is retried.
const gatewayWait = 10 * time.Minute

// awaitGateway snoozes a job whose gateway is not configured, without using up an attempt: the job must still be there
// when the gateway is configured again. Other errors pass.
func awaitGateway(err error) error {
	if errors.Is(err, payment.ErrGatewayMissing) {
		return river.JobSnooze(gatewayWait)
	}
	return err
}
