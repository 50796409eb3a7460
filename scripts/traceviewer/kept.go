package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Older traces are dropped, as are spans beyond the limit per trace.
const (
	maxTraces = 300
	maxSpans  = 2000
	maxListed = 100
)

// batch is the displayed part of a process's export (OTLP, ExportTraceServiceRequest).
type batch struct {
	ResourceSpans []struct {
		Resource   attributes `json:"resource"`
		ScopeSpans []struct {
			Spans []span `json:"spans"`
		} `json:"scopeSpans"`
	} `json:"resourceSpans"`
}

type attributes struct {
	Attributes []struct {
		Key   string `json:"key"`
		Value struct {
			Text   *string `json:"stringValue"`
			Number any     `json:"intValue"` // a string or a number, depending on the sender
			Flag   *bool   `json:"boolValue"`
		} `json:"value"`
	} `json:"attributes"`
}

// words returns the attributes as strings, by key.
func (a attributes) words() map[string]string {
	out := map[string]string{}
	for _, one := range a.Attributes {
		switch v := one.Value; {
		case v.Text != nil:
			out[one.Key] = *v.Text
		case v.Number != nil:
			out[one.Key] = fmt.Sprint(v.Number)
		case v.Flag != nil:
			out[one.Key] = fmt.Sprint(*v.Flag)
		}
	}
	return out
}

type span struct {
	attributes

	TraceID string `json:"traceId"`
	ID      string `json:"spanId"`
	Parent  string `json:"parentSpanId"`
	Name    string `json:"name"`
	Start   int64  `json:"startTimeUnixNano,string"`
	End     int64  `json:"endTimeUnixNano,string"`
	Status  struct {
		Code int `json:"code"`
	} `json:"status"`
	service string
}

const failed = 2 // STATUS_CODE_ERROR

// kept holds the most recent traces in memory.
type kept struct {
	mu     sync.Mutex
	order  []string // ids, oldest first
	traces map[string][]span
}

func newKept() *kept { return &kept{traces: map[string][]span{}} }

func (k *kept) take(b batch) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, resource := range b.ResourceSpans {
		service := resource.Resource.words()["service.name"]
		for _, scope := range resource.ScopeSpans {
			for _, s := range scope.Spans {
				s.service = service
				k.add(s)
			}
		}
	}
}

func (k *kept) add(s span) {
	known, found := k.traces[s.TraceID]
	if !found {
		k.order = append(k.order, s.TraceID)
		if len(k.order) > maxTraces {
			delete(k.traces, k.order[0])
			k.order = slices.Delete(k.order, 0, 1)
		}
	}
	if len(known) < maxSpans {
		k.traces[s.TraceID] = append(known, s)
	}
}

// line is one trace in the list.
type line struct {
	ID, Name, At, Took string
	Spans              int
	Services           string
	Failed             bool
}

// list returns the newest traces first; with a word, only those with the word in a span's name or attribute.
func (k *kept) list(word string) []line {
	k.mu.Lock()
	defer k.mu.Unlock()
	var lines []line
	for _, id := range slices.Backward(k.order) {
		spans := k.traces[id]
		if !slices.ContainsFunc(spans, func(s span) bool { return s.has(word) }) {
			continue
		}
		if lines = append(lines, lineOf(id, spans)); len(lines) == maxListed {
			break
		}
	}
	return lines
}

func (s span) has(word string) bool {
	if word == "" || strings.Contains(s.Name, word) || s.TraceID == word {
		return true
	}
	for _, text := range s.words() {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

func lineOf(id string, spans []span) line {
	first, end := spans[0], spans[0].End
	services := []string{}
	l := line{ID: id, Spans: len(spans)}
	for _, s := range spans {
		if s.Start < first.Start {
			first = s
		}
		end = max(end, s.End)
		l.Failed = l.Failed || s.Status.Code == failed
		if !slices.Contains(services, s.service) {
			services = append(services, s.service)
		}
	}
	slices.Sort(services)
	l.Name, l.Took, l.Services = first.Name, took(end-first.Start), strings.Join(services, ", ")
	l.At = time.Unix(0, first.Start).In(time.FixedZone("IST", 5*3600+1800)).Format("2 Jan 15:04:05")
	return l
}

// row is one span of the waterfall; From and Wide are percentages of the whole.
type row struct {
	Name, Service, Took, Note string
	Depth                     int
	From, Wide                string
	Failed                    bool
	Details                   []string
}

// waterfall returns the spans nested under their parents, in the order in which they began.
func (k *kept) waterfall(id string) ([]row, bool) {
	k.mu.Lock()
	spans := slices.Clone(k.traces[id])
	k.mu.Unlock()
	if len(spans) == 0 {
		return nil, false
	}
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Compare(a.Start, b.Start) })
	begin, end := spans[0].Start, spans[0].End
	known, below := map[string]bool{}, map[string][]span{}
	for _, s := range spans {
		known[s.ID], end = true, max(end, s.End)
	}
	for _, s := range spans {
		parent := s.Parent
		if !known[parent] || parent == s.ID {
			parent = "" // not received yet
		}
		below[parent] = append(below[parent], s)
	}
	whole := float64(max(end-begin, 1))
	var rows []row
	shown := map[string]bool{} // a sender may repeat ids
	var walk func(parent string, depth int)
	walk = func(parent string, depth int) {
		for _, s := range below[parent] {
			if shown[s.ID] {
				continue
			}
			shown[s.ID] = true
			r := rowOf(s, depth)
			r.From = fmt.Sprintf("%.3f", 100*float64(s.Start-begin)/whole)
			r.Wide = fmt.Sprintf("%.3f", 100*float64(s.End-s.Start)/whole)
			rows = append(rows, r)
			walk(s.ID, depth+1)
		}
	}
	walk("", 0)
	return rows, len(rows) > 0
}

func rowOf(s span, depth int) row {
	r := row{Name: s.Name, Service: s.service, Took: took(s.End - s.Start), Depth: depth, Failed: s.Status.Code == failed}
	words := s.words()
	r.Note = words["db.query.text"]
	for key, text := range words {
		r.Details = append(r.Details, key+": "+text)
	}
	slices.Sort(r.Details)
	return r
}

// took formats nanoseconds for people.
func took(nanos int64) string {
	switch d := time.Duration(nanos); {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
	case d < 10*time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	default:
		return d.Round(time.Second).String()
	}
}
