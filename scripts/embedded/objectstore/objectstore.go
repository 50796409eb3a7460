// Package objectstore is the S3 of the development stack and of the tests. It checks signatures as Amazon does and lets
// nobody delete; the store of docker-compose.yml is scripts/versitygw.
package objectstore

import (
	"context"
	"net/http"
	"sync"

	"github.com/rclone/gofakes3"
)

// Options says who may come in and where objects are kept.
type Options struct {
	AccessKey, SecretKey string
	// Bucket is made when it is missing; empty for none.
	Bucket string
	// Dir is the folder that keeps the objects; empty keeps them in memory only.
	Dir string
}

// New returns a server of S3's calls, and of GET /healthz.
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

// oneWriterAnObject lets an object's writers in one after the other, because whether it exists (If-None-Match) is looked
// up before it is stored.
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

// withoutDeletes refuses what takes objects away, as production's rights do, and copies, which the product never makes.
func withoutDeletes(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete || r.URL.Query().Has("delete") || r.Header.Get("X-Amz-Copy-Source") != "" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
