package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/tenant"
	"github.com/franchise360/franchise360/worker/job"
)

// addAccountWorkers adds what the account domain has done in the background.
func addAccountWorkers(workers *river.Workers, cfg config.Config, d *deps, texts account.SMS, others []account.Records, logger *slog.Logger) error {
	cache, err := redis.Open(cfg.RedisURL)
	if err != nil {
		return err
	}
	store, err := objectstore.New(objectstore.Options(cfg.S3))
	if err != nil {
		return err
	}
	courier := account.NewCourier(d.DB, texts, d.Clock, cfg.Keys, cfg.PublicURL.Hostname(), logger)
	janitor := account.NewJanitor(d.DB, cache, cfg.Keys, d.Clock, others, logger)
	river.AddWorker(workers, job.NewSendOTP(courier, queue.NewWaits(d.DB)))
	river.AddWorker(workers, job.NewPurgeAccounts(janitor))
	river.AddWorker(workers, job.NewEraseAccounts(janitor))
	river.AddWorker(workers, job.NewVerifyAudit(staff.NewAuditor(d.DB, d.Clock).WithAnchors(anchors{store}), logger))
	river.AddWorker(workers, job.NewSendSupportMessage(
		support.NewCourier(d.DB, texts, d.Clock, cfg.Keys, strings.TrimRight(cfg.PublicURL.String(), "/"), logger),
		queue.NewWaits(d.DB)))
	return nil
}

// anchors keeps the ends of the audit trail in the object store.
type anchors struct{ *objectstore.Store }

// Find returns what is under the key, nil where nothing is.
func (a anchors) Find(ctx context.Context, key string) ([]byte, error) {
	body, err := a.Get(ctx, key)
	if errors.Is(err, objectstore.ErrNotFound) {
		return nil, nil
	}
	return body, err
}

// records are the other domains' data that an erasure reaches.
func records(stores *tenant.Service) []account.Records {
	return []account.Records{tenant.NewRecords(stores), address.Records{}, payment.Records{}, support.Records{}}
}
