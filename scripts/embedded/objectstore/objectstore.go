// Package objectstore is the S3 server of the development stack and the tests. It checks signatures like Amazon and rejects
// deletes; the store of docker-compose.yml is scripts/versitygw.
package objectstore

import (
	"context"
	"net/http"
	"sync"

	"github.com/rclone/gofakes3"
)

// Options sets the credentials and where objects are kept.
type Options struct {
	AccessKey, SecretKey string
	// Bucket is created if missing; empty for no bucket.
	Bucket string
	// Dir is the folder that keeps the objects; empty keeps them in memory only.
	Dir string
}

// New returns a server for the S3 API and GET /healthz.
func New(ctx context.Context, o Options) (http.Handler, error) {
	kept, err := openFolder(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	if o.Bucket != "" {
		if err := kept.ensureBucket(ctx, o.Bucket); err != nil {
			return nil, err
		}
	}
	server := gofakes3.New(kept, gofakes3.WithoutVersioning(), gofakes3.WithIntegrityCheck(true))
	server.AddAuthKeys(map[string]string{o.AccessKey: o.SecretKey})
	mux := http.NewServeMux()
	mux.Handle("/", withoutDeletes(oneWriterAnObject(server.Server())))
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	return mux, nil
}

// oneWriterAnObject serialises an object's writers, because the existence check (If-None-Match) precedes the store.
func oneWriterAnObject(next http.Handler) http.Handler {
	var writers sync.Map
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			lock, _ := writers.LoadOrStore(r.URL.Path, &sync.Mutex{})
			mutex := lock.(*sync.Mutex)
			mutex.Lock()
			defer mutex.Unlock()
		}
		next.ServeHTTP(w, r)
	})
}

// withoutDeletes rejects deletes, as production's permissions do, and copies, which the product never makes.
func withoutDeletes(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete || r.URL.Query().Has("delete") || r.Header.Get("X-Amz-Copy-Source") != "" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
