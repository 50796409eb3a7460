// Package objectstore stores rendered documents in an S3-compatible store through minio-go; objects are never overwritten.
package objectstore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
)

const (
	// callTimeout ends one call to the store, its retries included.
	callTimeout = 20 * time.Second
	// maxRetries is how often minio-go tries a call that failed for a passing reason.
	maxRetries = 3
	// maxConflicts is how often a write is attempted if it conflicts with another one of the same key.
	maxConflicts = 5
	// maxSize bounds what Get reads; documents have tens of kilobytes.
	maxSize = 32 << 20
	// hashKey is the metadata in which every object carries the SHA-256 of its bytes.
	hashKey = "Sha256"
)

// ErrDifferentContent reports that the key already holds other bytes; objects are immutable.
var ErrDifferentContent = errors.New("objectstore: the key holds other content")

// ErrNotFound reports that no object has the key.
var ErrNotFound = errors.New("objectstore: no such object")

// Options is the store's address and our credentials.
type Options struct {
	// Endpoint is the store's URL for us, PublicEndpoint for browsers (Endpoint unless set), as http(s)://host:port.
	Endpoint, PublicEndpoint string
	// Without keys the environment's count (AWS_ACCESS_KEY_ID, with AWS_SESSION_TOKEN for temporary ones), else the role of the machine:
	// web identity (IRSA), container (ECS, EKS) or instance (EC2).
	Region, AccessKey, SecretKey string
	Bucket                       string
}

// Store is one bucket.
type Store struct {
	client *minio.Client
	signer *minio.Client
	bucket string
	region string
}

// New returns the store without talking to it; a bad URL is an error.
func New(o Options) (*Store, error) { return newStore(o, transport()) }

// NewMeasured is New with a store whose calls are timed.
func NewMeasured(o Options, m *metrics.Metrics) (*Store, error) {
	return newStore(o, m.Transport("object_store", transport()))
}

func newStore(o Options, by http.RoundTripper) (*Store, error) {
	client, err := newClient(o, o.Endpoint, by)
	if err != nil {
		return nil, err
	}
	signer := client
	if o.PublicEndpoint != "" && o.PublicEndpoint != o.Endpoint {
		if signer, err = newClient(o, o.PublicEndpoint, by); err != nil {
			return nil, err
		}
	}
	return &Store{client: client, signer: signer, bucket: o.Bucket, region: o.Region}, nil
}

func newClient(o Options, endpoint string, by http.RoundTripper) (*minio.Client, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("objectstore: want http(s)://host:port, got %q", endpoint)
	}
	client, err := minio.New(u.Host, &minio.Options{
		Creds: newCredentials(o), Secure: u.Scheme == "https",
		// The region is fixed, so that signing a link never calls the store. The bucket's name is in the host at Amazon, Google and
		// Alibaba (minio.BucketLookupAuto), and in the path at every other store.
		Region: o.Region, MaxRetries: maxRetries, Transport: by,
	})
	if err != nil {
		return nil, fmt.Errorf("objectstore: %w", err)
	}
	return client, nil
}

// newCredentials returns the given keys, or else those of the environment or of the machine's role, which are renewed before
// they expire. Links signed by a role expire with its session, if that is sooner than requested.
func newCredentials(o Options) *credentials.Credentials {
	if o.AccessKey != "" {
		return credentials.NewStaticV4(o.AccessKey, o.SecretKey, "")
	}
	return credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.IAM{Region: o.Region}})
}

func transport() http.RoundTripper {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		DialContext: dialer.DialContext, TLSHandshakeTimeout: 5 * time.Second, ResponseHeaderTimeout: 10 * time.Second,
		IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 16, DisableCompression: true,
	}
}

// EnsureBucket makes the bucket unless it is there; development only, in production the operator makes it.
func (s *Store) EnsureBucket(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	exists, err := s.client.BucketExists(ctx, s.bucket)
	if err != nil {
		return failure("look for the bucket", err)
	}
	if exists {
		return nil
	}
	err = s.client.MakeBucket(ctx, s.bucket, minio.MakeBucketOptions{Region: s.region})
	if err != nil && minio.ToErrorResponse(err).Code != minio.BucketAlreadyOwnedByYou {
		return failure("make the bucket", err)
	}
	return nil
}

// Ping reports whether the bucket can be reached.
func (s *Store) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	exists, err := s.client.BucketExists(ctx, s.bucket)
	if err != nil {
		return failure("look for the bucket", err)
	}
	if !exists {
		return failure("look for the bucket", errors.New("it does not exist"))
	}
	return nil
}

// Put stores the bytes under the key. The same bytes again are nothing; other bytes give ErrDifferentContent.
func (s *Store) Put(ctx context.Context, key, contentType string, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	hash := sum(body)
	switch kept, err := s.hashOf(ctx, key); {
	case err == nil:
		return compare(kept, hash)
	case !errors.Is(err, ErrNotFound) && !denied(err):
		return err // who may not list the bucket is denied a missing key too, so the write below decides
	}
	options := minio.PutObjectOptions{
		ContentType: contentType, UserMetadata: map[string]string{hashKey: hash},
		CacheControl: "private, max-age=300", DisableMultipart: true,
		// Sent as a whole with its MD5 instead of in signed chunks: some stores keep the name of that framing as the object's
		// content encoding, which browsers do not support.
		DisableContentSha256: true, SendContentMd5: true,
	}
	options.SetMatchETagExcept("*") // of two writers at once one wins, the other compares
	var err error
	for range maxConflicts {
		_, err = s.client.PutObject(ctx, s.bucket, key, bytes.NewReader(body), int64(len(body)), options)
		switch minio.ToErrorResponse(err).StatusCode {
		case http.StatusPreconditionFailed:
			return s.settle(ctx, key, hash)
		case http.StatusConflict: // another write of the key is under way; Amazon wants the same again
			if err := pause(ctx); err != nil {
				return failure("store "+key, err)
			}
			continue
		}
		break
	}
	if err != nil {
		return failure("store "+key, err)
	}
	return nil
}

// pause waits a moment for another writer.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(20 * time.Millisecond):
		return nil
	}
}

// settle waits for the object of the writer that was first, which may be announced a moment before it can be read.
func (s *Store) settle(ctx context.Context, key, hash string) error {
	const patience = 50
	for range patience {
		kept, err := s.hashOf(ctx, key)
		if err == nil {
			return compare(kept, hash)
		}
		if !errors.Is(err, ErrNotFound) {
			return err
		}
		if err := pause(ctx); err != nil {
			return failure("store "+key, err)
		}
	}
	return failure("store "+key, errors.New("another writer's object does not appear"))
}

func compare(kept, hash string) error {
	if kept != hash {
		return ErrDifferentContent
	}
	return nil
}

func (s *Store) hashOf(ctx context.Context, key string) (string, error) {
	info, err := s.client.StatObject(ctx, s.bucket, key, minio.StatObjectOptions{})
	if err != nil {
		return "", failure("look at "+key, err)
	}
	for name, value := range info.UserMetadata { // stores differ in the case of the name
		if strings.EqualFold(name, hashKey) {
			return value, nil
		}
	}
	body, err := s.Get(ctx, key) // put there by other hands
	return sum(body), err
}

// Has reports whether there is an object under the key. If the store does not say, for example because the caller may not
// list the bucket, it fails.
func (s *Store) Has(ctx context.Context, key string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := s.client.StatObject(ctx, s.bucket, key, minio.StatObjectOptions{})
	if err == nil {
		return true, nil
	}
	if err = failure("look at "+key, err); errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return false, err
}

// Get reads the bytes under the key, or returns ErrNotFound.
func (s *Store) Get(ctx context.Context, key string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	object, err := s.client.GetObject(ctx, s.bucket, key, minio.GetObjectOptions{})
	if err != nil {
		return nil, failure("read "+key, err)
	}
	defer func() { _ = object.Close() }()
	body, err := io.ReadAll(io.LimitReader(object, maxSize+1))
	if err != nil {
		return nil, failure("read "+key, err)
	}
	if len(body) > maxSize { // a part of the object would look like the whole
		return nil, fmt.Errorf("objectstore: %s has more than %d bytes, more than any document", key, maxSize)
	}
	return body, nil
}

// Presign returns a link that any browser can open for that long, shown inline and saved as filename. It is computed
// here, without a call: the store itself answers 403 to a link that has expired or was edited.
func (s *Store) Presign(ctx context.Context, key, filename string, life time.Duration) (string, error) {
	query := url.Values{
		"response-content-disposition": {fmt.Sprintf("inline; filename=%q", filename)},
	}
	link, err := s.signer.PresignedGetObject(ctx, s.bucket, key, life, query)
	if err != nil {
		return "", failure("sign "+key, err)
	}
	return link.String(), nil
}

func sum(body []byte) string {
	hash := sha256.Sum256(body)
	return hex.EncodeToString(hash[:])
}

// failure distinguishes a missing object from a store that is down or refuses; the latter may work later.
func failure(attempt string, err error) error {
	response := minio.ToErrorResponse(err)
	if response.Code == minio.NoSuchKey || response.StatusCode == http.StatusNotFound && response.Code != minio.NoSuchBucket {
		return fmt.Errorf("%s: %w", attempt, ErrNotFound)
	}
	if denied(err) {
		err = fmt.Errorf("denied; the credentials need s3:GetObject, s3:PutObject and s3:ListBucket: %w", err)
	}
	return errs.Unavailable(fmt.Errorf("object store: %s: %w", attempt, err))
}

// denied reports whether the store identified and refused the caller. A HEAD has no body, so only the status is known.
func denied(err error) bool {
	response, ok := errors.AsType[minio.ErrorResponse](err)
	return ok && response.StatusCode == http.StatusForbidden
}
