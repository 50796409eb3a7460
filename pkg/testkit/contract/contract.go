// Package contract checks every response that a test sees against the API's OpenAPI 3.1 document, and lists operations
// that were never exercised.
//
// kin-openapi loads the document, finds the operation, and checks parameters, headers and non-JSON bodies. JSON bodies
// are checked by santhosh-tekuri/jsonschema with JSON Schema 2020-12, which kin-openapi offers for 3.1 documents
// too, so that type lists with "null", const, keywords beside a $ref and unevaluatedProperties count; the tests of
// this package plant a violation of each. kin-openapi knows neither the uuid nor the email format and never checks 304
// and the permanent redirects; this package does.
package contract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/franchise360/franchise360/pkg/platform/filetype"
)

// failureSchema names the component that every response to an unknown path or method must match.
const failureSchema = "Failure"

// Document is the API's contract, loaded and ready for checks; it is safe for concurrent use by parallel tests.
type Document struct {
	spec    *openapi3.T
	router  routers.Router
	schemas *schemas

	mu   sync.Mutex
	seen map[string]map[int]int
}

// Open reads the contract at path, checks that it is a valid OpenAPI document with valid examples, and prepares its
// routes.
func Open(path string) (*Document, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the contract: %w", err)
	}
	return Parse(data)
}

// lines declares to kin-openapi, once, that line-delimited records and pages are text.
var lines = sync.OnceFunc(func() { //nolint:gochecknoglobals // as kin-openapi's own table of decoders is
	openapi3filter.RegisterBodyDecoder("application/x-ndjson", openapi3filter.PlainBodyDecoder)
	openapi3filter.RegisterBodyDecoder("text/html", openapi3filter.PlainBodyDecoder)
	for _, kind := range []string{"application/pdf", "image/png", "image/jpeg", "image/webp", "text/csv", filetype.XLSX} {
		openapi3filter.RegisterBodyDecoder(kind, openapi3filter.PlainBodyDecoder)
	}
	openapi3filter.RegisterBodyDecoder("application/xml", openapi3filter.PlainBodyDecoder)
})

// Parse prepares a contract given as YAML or JSON; it returns an error if the document is invalid.
func Parse(data []byte) (*Document, error) {
	lines()
	spec, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		return nil, fmt.Errorf("parse the contract: %w", err)
	}
	if err := spec.Validate(context.Background(), openapi3.IsOpenAPI31OrLater()); err != nil {
		return nil, fmt.Errorf("check the contract: %w", err)
	}
	router, err := gorillamux.NewRouter(spec)
	if err != nil {
		return nil, fmt.Errorf("route the contract: %w", err)
	}
	schemas, err := newSchemas(data)
	if err != nil {
		return nil, err
	}
	return &Document{spec: spec, router: router, schemas: schemas, seen: map[string]map[int]int{}}, nil
}

// Unseen returns the same contract with no operation exercised, without parsing it again.
func (d *Document) Unseen() *Document {
	return &Document{spec: d.spec, router: d.router, schemas: d.schemas, seen: map[string]map[int]int{}}
}

// Find returns the path of api/openapi.yaml, searching from the working directory upwards to the folder with go.mod.
func Find() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the contract: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "api", "openapi.yaml"), nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("find the contract: no go.mod above the working directory")
		}
		dir = parent
	}
}

// Spec returns the parsed document for tests that examine it as a whole; callers must not change it.
func (d *Document) Spec() *openapi3.T { return d.spec }

// Check checks one exchange and records its operation as exercised. The response's status, headers, content type and
// body must be documented; a successful request must itself match the document. A path or method not in the document
// passes only with a 404 or 405 in the failure envelope.
func (d *Document) Check(req *http.Request, resp *http.Response, body []byte) error {
	route, params, err := d.route(req)
	if err != nil {
		if resp.StatusCode != http.StatusNotFound && resp.StatusCode != http.StatusMethodNotAllowed {
			return fmt.Errorf("%s %s is not in the contract and was answered with %d", req.Method, req.URL.Path, resp.StatusCode)
		}
		return d.checkFailure(resp, body)
	}
	id := route.Operation.OperationID
	d.note(id, resp.StatusCode)

	input := &openapi3filter.RequestValidationInput{
		Request: req, PathParams: params, Route: route,
		Options: options(),
	}
	if err := d.checkAnswer(input, resp, body); err != nil {
		return fmt.Errorf("%s answered %d: %w", id, resp.StatusCode, err)
	}
	if resp.StatusCode < http.StatusBadRequest {
		if err := d.checkRequest(input); err != nil {
			return fmt.Errorf("%s was answered with %d though its request breaks the contract: %w", id, resp.StatusCode, err)
		}
	}
	return nil
}

// CheckRequest checks only a request and returns how it violates the contract.
func (d *Document) CheckRequest(req *http.Request) error {
	route, params, err := d.route(req)
	if err != nil {
		return err
	}
	return d.checkRequest(&openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route, Options: options()})
}

// Exercised returns the statuses seen for an operation, in ascending order; empty if no test reached it.
func (d *Document) Exercised(operationID string) []int {
	d.mu.Lock()
	defer d.mu.Unlock()
	statuses := make([]int, 0, len(d.seen[operationID]))
	for status := range d.seen[operationID] {
		statuses = append(statuses, status)
	}
	slices.Sort(statuses)
	return statuses
}

// Missing returns the operationIds that no test has seen succeed (status below 400), sorted, without those in except.
func (d *Document) Missing(except ...string) []string {
	var missing []string
	for _, item := range d.spec.Paths.Map() {
		for _, op := range item.Operations() {
			seen := d.Exercised(op.OperationID)
			succeeded := len(seen) > 0 && seen[0] < http.StatusBadRequest
			if !succeeded && !slices.Contains(except, op.OperationID) {
				missing = append(missing, op.OperationID)
			}
		}
	}
	slices.Sort(missing)
	return missing
}

func (d *Document) note(id string, status int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.seen[id] == nil {
		d.seen[id] = map[int]int{}
	}
	d.seen[id][status]++
}

// route finds the operation by path only: tests reach the API under any host and scheme.
func (d *Document) route(req *http.Request) (*routers.Route, map[string]string, error) {
	bare := &http.Request{Method: req.Method, URL: &url.URL{Path: req.URL.Path, RawPath: req.URL.RawPath}}
	route, params, err := d.router.FindRoute(bare)
	if err != nil {
		return nil, nil, fmt.Errorf("find the operation: %w", err)
	}
	return route, params, nil
}

func (d *Document) checkAnswer(input *openapi3filter.RequestValidationInput, resp *http.Response, body []byte) error {
	route, status := input.Route, strconv.Itoa(resp.StatusCode)
	documented := route.Operation.Responses.Value(status)
	if documented == nil || documented.Value == nil {
		return errors.New("this status is not documented")
	}
	if len(documented.Value.Content) == 0 && len(body) > 0 {
		return fmt.Errorf("a body of %d bytes where none is documented", len(body))
	}
	options := *input.Options
	schema := jsonSchemaAt(documented.Value.Content, resp.Header.Get("Content-Type"), documented.Ref,
		"paths", route.Path, strings.ToLower(route.Method), "responses", status)
	options.ExcludeResponseBody = schema != ""
	err := openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Options: &options,
		Status: resp.StatusCode, Header: resp.Header, Body: io.NopCloser(bytes.NewReader(body)),
	})
	if err == nil && schema != "" {
		err = d.schemas.judge(schema, body)
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, excerpt(body))
	}
	return nil
}

func (d *Document) checkFailure(resp *http.Response, body []byte) error {
	mediaType, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil || mediaType != "application/json" {
		return fmt.Errorf("an unknown path was answered as %q, not in the failure envelope", resp.Header.Get("Content-Type"))
	}
	if err := d.schemas.judge(pointerTo("components", "schemas", failureSchema), body); err != nil {
		return fmt.Errorf("an unknown path was not answered in the failure envelope: %w\n%s", err, excerpt(body))
	}
	return nil
}

// checkRequest reads the body again through GetBody, which http.NewRequest sets for readers of bytes and strings.
func (d *Document) checkRequest(input *openapi3filter.RequestValidationInput) error {
	sent := input.Request
	req := sent.Clone(context.Background())
	req.Body, req.GetBody = http.NoBody, nil
	schema, text := "", []byte(nil)
	switch {
	case sent.GetBody != nil:
		body, err := sent.GetBody()
		if err != nil {
			return fmt.Errorf("read the request's body again: %w", err)
		}
		if text, err = io.ReadAll(body); err != nil {
			return fmt.Errorf("read the request's body again: %w", err)
		}
		req.Body = io.NopCloser(bytes.NewReader(text))
	case sent.Body != nil && sent.Body != http.NoBody:
		return errors.New("the request's body cannot be read again: build it from bytes or a string")
	}
	query := req.URL.Query()
	maps.DeleteFunc(query, func(_ string, values []string) bool { return strings.Join(values, "") == "" }) // counts as absent
	req.URL.RawQuery = query.Encode()
	route := input.Route
	if documented := route.Operation.RequestBody; documented != nil && len(text) > 0 {
		schema = jsonSchemaAt(documented.Value.Content, req.Header.Get("Content-Type"), documented.Ref,
			"paths", route.Path, strings.ToLower(route.Method), "requestBody")
	}
	options := *input.Options
	options.ExcludeRequestBody = schema != ""
	again := *input
	again.Request, again.QueryParams, again.Options = req, query, &options
	err := openapi3filter.ValidateRequest(context.Background(), &again)
	if err == nil && schema != "" {
		err = d.schemas.judge(schema, text)
	}
	if err != nil {
		return fmt.Errorf("check the request: %w", err)
	}
	return nil
}

func options() *openapi3filter.Options {
	return &openapi3filter.Options{
		AuthenticationFunc:                openapi3filter.NoopAuthenticationFunc,
		IncludeResponseStatus:             true,
		RejectWhenRequestBodyNotSpecified: true,
		SkipSettingDefaults:               true,
		SchemaValidationOptions:           formatOptions(),
	}
}

func excerpt(body []byte) string {
	const most = 2000
	if len(body) > most {
		return string(body[:most]) + "… (" + strconv.Itoa(len(body)) + " bytes)"
	}
	return strings.TrimSpace(string(body))
}
