package main

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/timemachine"
)

// collector keeps the messages that would have been sent.
type collector struct {
	clock clock.Clock
	mu    sync.Mutex
	sent  []timemachine.Entry
}

// channel is the provider of one channel; it sends nothing.
type channel struct {
	*collector

	name string
}

// Name returns sms, email or whatsapp.
func (c channel) Name() string { return c.name }

// Send keeps the message as its reader would see it.
func (c channel) Send(_ context.Context, m message.Message, _ time.Duration) (string, error) {
	title := m.Subject
	if title == "" {
		title = map[string]string{"sms": "SMS", "whatsapp": "WhatsApp"}[c.name]
	}
	parts := []string{m.Text}
	for _, file := range m.Attachments {
		parts = append(parts, "["+file.Name+"]")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent = append(c.sent, timemachine.Entry{At: c.clock.Now(), Kind: timemachine.KindMessage, Title: title, Text: strings.Join(parts, "\n\n"), Channel: c.name})
	return "", nil
}

// shelf keeps documents in memory until the run ends.
type shelf struct {
	mu      sync.Mutex
	objects map[string][]byte
}

// Put keeps the bytes.
func (s *shelf) Put(_ context.Context, key, _ string, body []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[key] = body
	return nil
}

// Get returns the bytes; errs.NotFound for a document from before the run.
func (s *shelf) Get(_ context.Context, key string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, ok := s.objects[key]
	if !ok {
		return nil, errs.NotFound()
	}
	return body, nil
}

// Presign returns a link that leads nowhere.
func (*shelf) Presign(context.Context, string, string, time.Duration) (string, error) {
	return "https://documents.invalid/", nil
}
