package objectstore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rclone/gofakes3"
	"github.com/rclone/gofakes3/s3mem"
)

// folder stores one file per object and serves reads from memory.
type folder struct {
	*s3mem.Backend
	dir string
}

// object is the content of a file.
type object struct {
	Bucket, Key string
	Metadata    map[string]string
	Body        []byte
}

const suffix = ".json"

// openFolder loads the objects that an earlier process left in dir.
func openFolder(ctx context.Context, dir string) (*folder, error) {
	f := &folder{Backend: s3mem.New(), dir: dir}
	if dir == "" {
		return f, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the objects: %w", err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if err != nil {
		return nil, fmt.Errorf("list the objects: %w", err)
	}
	for _, name := range names {
		if err := f.load(ctx, name); err != nil {
			return nil, fmt.Errorf("read an object: %w", err)
		}
	}
	return f, nil
}

func (f *folder) load(ctx context.Context, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var o object
	if err := json.Unmarshal(text, &o); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := f.ensureBucket(ctx, o.Bucket); err != nil {
		return err
	}
	_, err = f.Backend.PutObject(ctx, o.Bucket, o.Key, o.Metadata, bytes.NewReader(o.Body), int64(len(o.Body)))
	return err
}

func (f *folder) ensureBucket(ctx context.Context, bucket string) error {
	exists, err := f.BucketExists(ctx, bucket)
	if err == nil && !exists {
		err = f.CreateBucket(ctx, bucket)
	}
	if err != nil {
		return fmt.Errorf("make the bucket: %w", err)
	}
	return nil
}

// PutObject writes the object's file before it answers.
func (f *folder) PutObject(
	ctx context.Context, bucket, key string, metadata map[string]string, body io.Reader, size int64,
) (gofakes3.PutObjectResult, error) {
	read, err := gofakes3.ReadAll(body, size)
	if err != nil {
		return gofakes3.PutObjectResult{}, err
	}
	exists, err := f.BucketExists(ctx, bucket)
	if err != nil {
		return gofakes3.PutObjectResult{}, err
	}
	if !exists {
		return gofakes3.PutObjectResult{}, gofakes3.BucketNotFound(bucket)
	}
	if err := f.write(object{Bucket: bucket, Key: key, Metadata: metadata, Body: read}); err != nil {
		return gofakes3.PutObjectResult{}, err
	}
	return f.Backend.PutObject(ctx, bucket, key, metadata, bytes.NewReader(read), size)
}

// write replaces the object's file atomically.
func (f *folder) write(o object) error {
	if f.dir == "" {
		return nil
	}
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	digest := sha256.Sum256([]byte(o.Bucket + "/" + o.Key))
	name := filepath.Join(f.dir, hex.EncodeToString(digest[:])+suffix)
	if err := os.WriteFile(name+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// ListBucket treats an empty delimiter as none, as Amazon does; gofakes3 would split keys into single letters.
func (f *folder) ListBucket(
	ctx context.Context, bucket string, prefix *gofakes3.Prefix, page gofakes3.ListBucketPage,
) (*gofakes3.ObjectList, error) {
	if prefix != nil && prefix.Delimiter == "" {
		plain := *prefix
		plain.HasDelimiter = false
		prefix = &plain
	}
	return f.Backend.ListBucket(ctx, bucket, prefix, page)
}
