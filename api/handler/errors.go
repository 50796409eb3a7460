package handler

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/lib/pq/pqerror"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/api/outage"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// status maps every error kind to its HTTP status.
func status(k errs.Kind) int {
	switch k {
	case errs.KindMalformed:
		return http.StatusBadRequest
	case errs.KindUnauthenticated:
		return http.StatusUnauthorized
	case errs.KindLimit:
		return http.StatusPaymentRequired
	case errs.KindForbidden:
		return http.StatusForbidden
	case errs.KindNotFound:
		return http.StatusNotFound
	case errs.KindConflict:
		return http.StatusConflict
	case errs.KindTooLarge:
		return http.StatusRequestEntityTooLarge
	case errs.KindInvalid:
		return http.StatusUnprocessableEntity
	case errs.KindRateLimited:
		return http.StatusTooManyRequests
	case errs.KindUnavailable, errs.KindBusy:
		return http.StatusServiceUnavailable
	case errs.KindInternal:
	}
	return http.StatusInternalServerError
}

// Fail responds with the error's envelope, or with a page if a browser is returning from the gateway, and logs the cause.
// The response reveals nothing of the cause.
func Fail(c *gin.Context, err error) {
	e, code := judgeFailure(c, err)
	if code == http.StatusNotFound && c.Writer.Status() == http.StatusMethodNotAllowed { // gin's, for a path that has other methods
		code = http.StatusMethodNotAllowed
	}
	body := gin.H{}
	maps.Copy(body, e.Data)
	if e.RetryAfter > 0 {
		seconds := int64(math.Ceil(e.RetryAfter.Seconds()))
		body["retry_after"] = seconds
		c.Header("Retry-After", strconv.FormatInt(seconds, 10))
	}
	if c.FullPath() == returnPath && outage.Wanted(c.Request) {
		outage.Returned(c.Writer, code)
		c.Abort()
		return
	}
	if len(e.Fields) > 0 {
		body["messages"] = e.Fields
	}
	body["status"], body["message"], body["code"], body["request_id"] = false, e.Message, e.Code, RequestID(c)
	c.Header("Cache-Control", "no-store")
	c.AbortWithStatusJSON(code, body)
}

// statusClientClosedRequest is nginx's status for a caller who left before the answer: logs and metrics show it, nobody gets it.
const statusClientClosedRequest = 499

// judgeFailure determines the error and status to respond with, and logs the cause.
func judgeFailure(c *gin.Context, err error) (*errs.Error, int) {
	e := errs.As(postgres.Error(err))
	cancelled := errors.Is(c.Request.Context().Err(), context.Canceled) &&
		(errors.Is(err, context.Canceled) || postgres.Violates(err, pqerror.QueryCanceled, ""))
	if cancelled {
		e = errs.New(errs.KindUnavailable, "unavailable", "The request was cancelled.").Because(err)
	} else if errors.Is(err, context.DeadlineExceeded) && e.Kind == errs.KindInternal {
		e = errs.Unavailable(err)
	}
	code := status(e.Kind)
	if cancelled {
		code = statusClientClosedRequest
	}
	logFailure(c, code, e)
	return e, code
}

// logFailure logs the refusal or failure with its caller and network, not with the address, which is personal data and stored
// only with sessions.
func logFailure(c *gin.Context, code int, e *errs.Error) {
	level := slog.LevelInfo
	if code >= http.StatusInternalServerError && e.Kind != errs.KindBusy {
		level = slog.LevelError
	}
	r := requestOf(c)
	r.logger.LogAttrs(c.Request.Context(), level, "request failed", append(who(c),
		slog.Int("status", code), slog.String("code", e.Code), log.Error(e))...)
}

// logSignIn logs a sign-in or sign-out; failed attempts are logged like any other refusal.
func logSignIn(c *gin.Context, event, actor string) {
	r := requestOf(c)
	r.logger.LogAttrs(c.Request.Context(), slog.LevelInfo, event, append(who(c), slog.String("subject", actor))...)
}

// actorKind returns the kind of caller, not its identity.
func actorKind(c *gin.Context) string {
	switch {
	case middleware.Staff(c).StaffID != "":
		return "staff"
	case middleware.Principal(c).FranchiserID != "":
		return "franchiser"
	}
	return "nobody"
}

// who identifies the request, its caller and its network.
func who(c *gin.Context) []slog.Attr {
	actor := "nobody"
	if p := middleware.Staff(c); p.StaffID != "" {
		actor = "staff:" + p.StaffID
	} else if p := middleware.Principal(c); p.FranchiserID != "" {
		actor = "franchiser:" + p.Person()
		if !p.Owns() {
			actor += " member:" + p.MemberID
		}
	}
	return []slog.Attr{
		slog.String("request_id", requestOf(c).id), slog.String("method", methodOf(c.Request)), slog.String("route", c.FullPath()),
		slog.String("actor", actor), slog.String("network", log.Network(c.ClientIP())),
	}
}
