package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/mail"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// documentURL identifies the contract in the schema compiler; nothing is fetched from it.
const documentURL = "https://contract.invalid/openapi.json"

// schemas are those of the contract's JSON bodies, each compiled on first use. kin-openapi compiles a schema for every
// value, which takes far longer than checking the value.
type schemas struct {
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
}

func newSchemas(document []byte) (*schemas, error) {
	var parsed any
	if err := yaml.Unmarshal(document, &parsed); err != nil {
		return nil, fmt.Errorf("read the schemas: %w", err)
	}
	encoded, err := json.Marshal(parsed)
	if err != nil {
		return nil, fmt.Errorf("read the schemas: %w", err)
	}
	resource, err := decode(encoded)
	if err != nil {
		return nil, fmt.Errorf("read the schemas: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	for name, fits := range formats() {
		compiler.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(value any) error {
			if text, ok := value.(string); ok {
				return fits(text)
			}
			return nil
		}})
	}
	if err := compiler.AddResource(documentURL, resource); err != nil {
		return nil, fmt.Errorf("read the schemas: %w", err)
	}
	return &schemas{compiler: compiler, compiled: map[string]*jsonschema.Schema{}}, nil
}

// judge validates a JSON text against the schema at the pointer.
func (s *schemas) judge(pointer string, text []byte) error {
	schema, err := s.at(pointer)
	if err != nil {
		return err
	}
	value, err := decode(text)
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

func (s *schemas) at(pointer string) (*jsonschema.Schema, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if schema := s.compiled[pointer]; schema != nil {
		return schema, nil
	}
	schema, err := s.compiler.Compile(documentURL + pointer)
	if err != nil {
		return nil, fmt.Errorf("compile the schema at %s: %w", pointer, err)
	}
	s.compiled[pointer] = schema
	return schema, nil
}

// jsonSchemaAt returns the pointer to the schema of a JSON body, or "" if the body is not JSON or has no schema. ref is
// the real location of the object with the content, if it is not at place.
func jsonSchemaAt(content openapi3.Content, contentType, ref string, place ...string) string {
	mediaType, _, err := mime.ParseMediaType(contentType)
	if err != nil || mediaType != "application/json" || content[mediaType] == nil || content[mediaType].Schema == nil {
		return ""
	}
	if ref == "" {
		ref = pointerTo(place...)
	}
	return ref + strings.TrimPrefix(pointerTo("content", mediaType, "schema"), "#")
}

// pointerTo returns a JSON pointer (RFC 6901) as a URL fragment.
func pointerTo(place ...string) string {
	var pointer strings.Builder
	pointer.WriteString("#")
	for _, step := range place {
		pointer.WriteString("/" + url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(step)))
	}
	return pointer.String()
}

var uuidForm = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// formats returns the checks of string formats that kin-openapi leaves to its callers.
func formats() map[string]func(string) error {
	return map[string]func(string) error{
		"uuid": func(s string) error {
			if !uuidForm.MatchString(s) {
				return errors.New("not a UUID in lower case")
			}
			return nil
		},
		"email": func(s string) error {
			if address, err := mail.ParseAddress(s); err != nil || address.Address != s {
				return errors.New("not an e-mail address")
			}
			return nil
		},
		"uri": func(s string) error {
			if u, err := url.Parse(s); err != nil || !u.IsAbs() {
				return errors.New("not an absolute URI")
			}
			return nil
		},
		"date-time": func(s string) error {
			if _, err := time.Parse(time.RFC3339Nano, s); err != nil || !strings.HasSuffix(s, "Z") {
				return errors.New("not an instant in UTC that ends in Z")
			}
			return nil
		},
	}
}

// formatOptions passes the formats to kin-openapi, which checks parameters, headers and non-JSON bodies.
func formatOptions() []openapi3.SchemaValidationOption {
	var options []openapi3.SchemaValidationOption
	for name, fits := range formats() {
		options = append(options, openapi3.WithStringFormatValidator(name, openapi3.NewCallbackValidator(fits)))
	}
	return options
}
