// Package compress makes the compressed forms of responses that are kept in memory: gzip, which every client reads, and zstd
// (RFC 8878), which is smaller and which browsers read since 2024 or 2025. Both compress as well as they can, because a
// response is compressed once and sent often.
package compress

import (
	"bytes"
	"compress/gzip"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// Gzip returns the body in gzip.
func Gzip(body []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	if _, err := w.Write(body); err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	return b.Bytes(), nil
}

// Zstd returns the body in zstd.
func Zstd(body []byte) ([]byte, error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	compressed := w.EncodeAll(body, nil)
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	return compressed, nil
}
