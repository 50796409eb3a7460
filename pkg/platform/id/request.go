package id

import "context"

type requestKey struct{}

// WithRequest returns a context that carries the identifier of the request that it serves.
func WithRequest(ctx context.Context, requestID string) context.Context {
	return context.WithValue(ctx, requestKey{}, requestID)
}

// OfRequest returns the identifier that WithRequest put into ctx, empty where there is none.
func OfRequest(ctx context.Context) string {
	requestID, _ := ctx.Value(requestKey{}).(string)
	return requestID
}
