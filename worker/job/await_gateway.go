package job

import (
	"errors"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/payment"
)

// gatewayWait is how long work of a gateway that is not configured waits before it is tried again.
const gatewayWait = 10 * time.Minute

// awaitGateway lets a job whose gateway is not configured wait, which uses up none of its attempts: it must still be there
// when the gateway is configured again. Other errors pass.
func awaitGateway(err error) error {
	if errors.Is(err, payment.ErrGatewayMissing) {
		return river.JobSnooze(gatewayWait)
	}
	return err
}
