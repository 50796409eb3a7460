package objectstore

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/minio/minio-go/v7"
)

// Object is one object of the bucket, with its content.
type Object struct {
	Key, ContentType string
	Body             []byte
}

// Each reads every object of the bucket, in the order of the keys, until the function fails.
func (s *Store) Each(ctx context.Context, read func(Object) error) error {
	return s.EachKey(ctx, "", func(key string) error {
		o, err := s.Whole(ctx, key)
		if err != nil {
			return err
		}
		return read(o)
	})
}

// EachKey names every object of the bucket whose key begins so, in the order of the keys, until the function fails.
func (s *Store) EachKey(ctx context.Context, prefix string, visit func(key string) error) error {
	ctx, cancel := context.WithCancel(ctx) // ends the listing that an error leaves
	defer cancel()
	for listed := range s.client.ListObjects(ctx, s.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if listed.Err != nil {
			return failure("list the bucket", listed.Err)
		}
		if err := visit(listed.Key); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// IsEmpty reports whether the bucket has no objects.
func (s *Store) IsEmpty(ctx context.Context) (bool, error) {
	found := errors.New("one is enough")
	err := s.EachKey(ctx, "", func(string) error { return found })
	if errors.Is(err, found) {
		return false, nil
	}
	return err == nil, err
}

// Whole reads one object.
func (s *Store) Whole(ctx context.Context, key string) (Object, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	object, err := s.client.GetObject(ctx, s.bucket, key, minio.GetObjectOptions{})
	if err != nil {
		return Object{}, failure("read "+key, err)
	}
	defer func() { _ = object.Close() }()
	info, err := object.Stat()
	if err != nil {
		return Object{}, failure("read "+key, err)
	}
	if info.Size > maxSize {
		return Object{}, fmt.Errorf("objectstore: %s has %d bytes, more than any document", key, info.Size)
	}
	body, err := io.ReadAll(object)
	if err != nil {
		return Object{}, failure("read "+key, err)
	}
	return Object{Key: key, ContentType: info.ContentType, Body: body}, nil
}
