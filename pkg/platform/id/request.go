package id

import "context"

type requestKey struct{}

// WithRequest returns a context that carries the id of the request being served.
func WithRequest(ctx context.Context, requestID string) context.Context {
	return context.WithValue(ctx, requestKey{}, requestID)
}

// OfRequest returns the id that WithRequest put into ctx, or "".
func OfRequest(ctx context.Context) string {
	requestID, _ := ctx.Value(requestKey{}).(string)
	return requestID
}
