package handler

import (
	"context"
	"fmt"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/version"
)

// Check returns an error if a dependency does not respond.
type Check func(ctx context.Context) error

const readyTimeout = 2 * time.Second

// RegisterHealth adds /healthz, which reports that the process is up and its version, and /readyz, which reports its
// dependencies: 503 if a needed one is down; the others are only reported.
func RegisterHealth(e *gin.Engine, needed, reported map[string]Check) {
	e.GET("/healthz", Handle(func(c *gin.Context) error {
		return OK(c, "Alive.", gin.H{"version": version.String()})
	}))
	e.GET("/readyz", Handle(func(c *gin.Context) error {
		ctx, cancel := context.WithTimeout(c.Request.Context(), readyTimeout)
		defer cancel()
		if err := ask(ctx, needed); err != nil {
			return errs.Unavailable(err)
		}
		checks := map[string]string{}
		for name := range needed {
			checks[name] = "ok"
		}
		for name, check := range reported {
			checks[name] = "ok"
			if check(ctx) != nil {
				checks[name] = "down"
			}
		}
		return OK(c, "Ready.", gin.H{"checks": checks})
	}))
}

func ask(ctx context.Context, checks map[string]Check) error {
	for name, check := range checks {
		if err := check(ctx); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
