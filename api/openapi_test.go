package main

import (
	"cmp"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/testkit/contract"
)

// named is an operation with its method and path.
type named struct {
	method, path string
	*openapi3.Operation
}

// operations returns the contract and all its operations, validated against OpenAPI 3.1, and each example against its
// schema. All tests share the document and must not change it.
func operations(t *testing.T) (*openapi3.T, []named) {
	t.Helper()
	document := contract.Shared(t)
	var all []named
	for path, item := range document.Spec().Paths.Map() {
		for method, op := range item.Operations() {
			all = append(all, named{method, path, op})
		}
	}
	require.NotEmpty(t, all)
	slices.SortFunc(all, func(a, b named) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.method, b.method)) })
	return document.Spec(), all
}

// statuses returns the response statuses that an operation documents.
func (n named) statuses() []string {
	return slices.Collect(maps.Keys(n.Responses.Map()))
}

func TestContract_EachOperation_IsDescribed(t *testing.T) {
	t.Parallel()
	spec, all := operations(t)
	seen := map[string]string{}
	for _, op := range all {
		at := op.method + " " + op.path
		require.Regexp(t, `^[a-z]+([A-Z][a-z]*)*$`, op.OperationID, at)
		require.Empty(t, seen[op.OperationID], "%s shares its operationId", at)
		seen[op.OperationID] = at
		require.NotEmpty(t, op.Summary, at)
		require.False(t, strings.HasSuffix(op.Summary, "."), "%s: a summary is no sentence", at)
		require.Len(t, op.Tags, 1, at)
		require.NotNil(t, spec.Tags.Get(op.Tags[0]), "%s: tag %s is not declared", at, op.Tags[0])
	}
	for _, tag := range spec.Tags {
		require.NotEmpty(t, tag.Description, tag.Name)
		require.True(t, slices.ContainsFunc(all, func(op named) bool { return op.Tags[0] == tag.Name }), "tag %s has no call", tag.Name)
	}
}

func TestContract_EachOperation_HasSuccessAndFailure(t *testing.T) {
	t.Parallel()
	_, all := operations(t)
	shared := map[string]string{}
	for _, op := range all {
		successes, failures := 0, 0
		for status, r := range op.Responses.Map() {
			at := op.OperationID + " " + status
			require.NotNil(t, r.Value.Description, at)
			if status < "400" {
				successes++
				continue
			}
			failures++
			require.NotEmpty(t, r.Ref, "%s: failures are shared components", at)
			require.Contains(t, []string{"", status}, shared[r.Ref], "%s stands for two statuses", r.Ref)
			shared[r.Ref] = status
			require.Equal(t, "#/components/schemas/Failure", r.Value.Content["application/json"].Schema.Ref, at)
		}
		require.NotZero(t, successes, op.OperationID)
		require.NotZero(t, failures, op.OperationID)
	}
}

func TestContract_EachOperation_HasTheFailuresOfItsKind(t *testing.T) {
	t.Parallel()
	spec, all := operations(t)
	for _, op := range all {
		security := spec.Security
		if op.Security != nil {
			security = *op.Security
		}
		private := len(security) > 0 && !slices.ContainsFunc(security, func(s openapi3.SecurityRequirement) bool { return len(s) == 0 })
		require.Equal(t, private, slices.Contains(op.statuses(), "401"), "%s: 401 belongs to private calls", op.OperationID)
		if private {
			require.Contains(t, op.statuses(), "403", op.OperationID)
			_, keyed := security[0]["apiKey"] // which no browser sends by itself
			xsrf := op.Parameters.GetByInAndName("header", "X-XSRF-TOKEN") != nil
			require.Equal(t, op.method != http.MethodGet && !keyed, xsrf, "%s: private writes carry the XSRF header", op.OperationID)
		}
		if op.RequestBody != nil {
			require.True(t, op.RequestBody.Value.Required, op.OperationID)
			require.Subset(t, op.statuses(), []string{"400", "413"}, op.OperationID)
			if op.RequestBody.Value.Content["application/json"] != nil {
				require.Contains(t, op.statuses(), "422", op.OperationID)
			}
		}
		if strings.HasSuffix(op.path, "/payments/request") {
			require.NotNil(t, op.Parameters.GetByInAndName("header", "Idempotency-Key"), op.OperationID)
		}
	}
}

// The proxy retries requests that a dying replica was serving: those marked x-repeatable, and those with an idempotency
// key.
func TestProxy_Retries_EqualTheContractsRepeatableCalls(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../scripts/Caddyfile")
	require.NoError(t, err)
	listed := map[bool][]string{} // by whether a key is required
	for _, block := range regexp.MustCompile(`(?s)\n\t@(?:reads|repeatable|keyed) \{\n(.*?)\n\t\}`).FindAllStringSubmatch(string(text), -1) {
		for _, line := range regexp.MustCompile(`(?m)^\s*path (.*)$`).FindAllStringSubmatch(block[1], -1) {
			keyed := strings.Contains(block[1], "header Idempotency-Key *")
			listed[keyed] = append(listed[keyed], strings.Fields(line[1])...)
		}
	}
	allowed := map[bool][]string{}
	_, all := operations(t)
	for _, op := range all {
		path := regexp.MustCompile(`\{\w+\}`).ReplaceAllString(op.path, "*")
		if !strings.HasPrefix(path, "/api/") {
			path = "/api/franchise" + path
		}
		_, repeatable := op.Extensions["x-repeatable"]
		keyed := op.Parameters.GetByInAndName("header", "Idempotency-Key") != nil
		require.False(t, (repeatable || keyed) && op.method != http.MethodPost, "%s: the proxy looks for POST", op.OperationID)
		switch {
		case repeatable:
			allowed[false] = append(allowed[false], path)
		case keyed:
			allowed[true] = append(allowed[true], path)
		}
	}
	require.ElementsMatch(t, allowed[false], listed[false])
	require.ElementsMatch(t, allowed[true], listed[true])
}

// closed requires every object in the schema to reject unknown fields.
func closed(t *testing.T, schema *openapi3.SchemaRef, at string, seen map[*openapi3.Schema]bool) {
	t.Helper()
	if schema == nil || schema.Value == nil || seen[schema.Value] {
		return
	}
	s := schema.Value
	seen[s] = true
	if s.Type.Includes("object") || len(s.Properties) > 0 {
		shut := s.AdditionalProperties.Has != nil && !*s.AdditionalProperties.Has
		typed := s.AdditionalProperties.Schema != nil
		judged := s.UnevaluatedProperties.Has != nil && !*s.UnevaluatedProperties.Has
		require.True(t, shut || typed || judged, "%s takes unknown fields", at)
		if judged {
			return // its parts stay open so that they can be combined
		}
	}
	for name, property := range s.Properties {
		closed(t, property, at+"."+name, seen)
	}
	closed(t, s.Items, at+"[]", seen)
	for _, choice := range slices.Concat(s.OneOf, s.AnyOf, s.AllOf) {
		closed(t, choice, at, seen)
	}
}

func TestContract_Bodies_AreClosedWithExamples(t *testing.T) {
	t.Parallel()
	_, all := operations(t)
	var forms []string
	for _, op := range all {
		if op.RequestBody != nil {
			for media, content := range op.RequestBody.Value.Content {
				if media != "application/json" {
					forms = append(forms, op.OperationID+" "+media)
				}
				closed(t, content.Schema, op.OperationID, map[*openapi3.Schema]bool{})
			}
		}
		for status, r := range op.Responses.Map() {
			for media, content := range r.Value.Content {
				closed(t, content.Schema, op.OperationID+" "+status, map[*openapi3.Schema]bool{})
				shown := content.Example != nil || len(content.Examples) > 0
				require.True(t, shown || media == "text/csv", "%s %s has no example", op.OperationID, status)
			}
		}
	}
	require.ElementsMatch(t, []string{
		"uploadRequestFile application/octet-stream", "uploadContactFile application/octet-stream", "paymentCallback application/x-www-form-urlencoded", "paymentCallback multipart/form-data",
		"paymentWebhook application/x-www-form-urlencoded", "paymentWebhook multipart/form-data", "previewBankStatement application/octet-stream",
		"addDeliveryFile application/octet-stream", "addCustomerDeliveryFile application/octet-stream",
		"smsReceipt application/x-www-form-urlencoded", "stopReminders application/x-www-form-urlencoded", "leaveNewsletter application/x-www-form-urlencoded",
	}, forms, "only gateways, providers of messages and mailboxes post forms, and only statements and files of deliveries are files")
}

// unshown collects the fields of a body that have no example.
func unshown(s *openapi3.Schema, at string, found *[]string) {
	plain := s.Type.Includes("string") || s.Type.Includes("integer") || s.Type.Includes("number")
	if plain && len(s.Examples) == 0 && len(s.Enum) == 0 && s.Const == nil {
		*found = append(*found, at)
	}
	for name, property := range s.Properties {
		unshown(property.Value, at+"."+name, found)
	}
	for _, choice := range s.OneOf {
		unshown(choice.Value, at, found)
	}
}

func TestContract_EachRequestField_HasAnExample(t *testing.T) {
	t.Parallel()
	_, all := operations(t)
	var found []string
	for _, op := range all {
		if op.RequestBody != nil && op.RequestBody.Value.Content["application/json"] != nil {
			unshown(op.RequestBody.Value.Content["application/json"].Schema.Value, op.OperationID, &found)
		}
	}
	require.Empty(t, found)
}

// unbounded collects the fields whose size only the body limit bounds.
func unbounded(s *openapi3.Schema, at string, found *[]string) {
	bounded := s.MaxLength != nil || len(s.Enum) > 0 || s.Const != nil || s.Format == "uuid" || s.Format == "date" || s.Format == "date-time" ||
		strings.HasPrefix(s.Pattern, "^") && strings.HasSuffix(s.Pattern, "$") && !strings.ContainsAny(s.Pattern, "*+")
	if s.Type.Includes("string") && !bounded || s.Type.Includes("array") && s.MaxItems == nil {
		*found = append(*found, at)
	}
	for name, property := range s.Properties {
		unbounded(property.Value, at+"."+name, found)
	}
	if s.Items != nil {
		unbounded(s.Items.Value, at+"[]", found)
	}
	for _, choice := range slices.Concat(s.OneOf, s.AnyOf, s.AllOf) {
		unbounded(choice.Value, at, found)
	}
}

// TestContract_RequestFields_AreBounded exempts what gateways and message providers post; only the body limit applies there.
func TestContract_RequestFields_AreBounded(t *testing.T) {
	t.Parallel()
	_, all := operations(t)
	var found []string
	for _, op := range all {
		for _, p := range op.Parameters {
			unbounded(p.Value.Schema.Value, op.OperationID+" "+p.Value.Name, &found)
		}
		if op.RequestBody == nil || slices.Contains([]string{"paymentCallback", "paymentWebhook", "smsReceipt", "whatsAppNotice"}, op.OperationID) {
			continue
		}
		for _, content := range op.RequestBody.Value.Content {
			unbounded(content.Schema.Value, op.OperationID, &found)
		}
	}
	require.Empty(t, found)
}

func TestContract_EachComponent_IsUsed(t *testing.T) {
	t.Parallel()
	spec, _ := operations(t)
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`#/components/(\w+/\w+)`).FindAllSubmatch(openAPI, -1) {
		used[string(m[1])] = true
	}
	c := spec.Components
	for kind, names := range map[string][]string{
		"schemas":    slices.Collect(maps.Keys(c.Schemas)),
		"parameters": slices.Collect(maps.Keys(c.Parameters)),
		"headers":    slices.Collect(maps.Keys(c.Headers)),
		"responses":  slices.Collect(maps.Keys(c.Responses)),
	} {
		require.NotEmpty(t, names, kind)
		for _, name := range names {
			require.True(t, used[kind+"/"+name], "%s/%s is used by nothing", kind, name)
		}
	}
}

// TestContract_EachSpecifiedCall_Exists checks the contract against the endpoint tables of the product's two specifications.
func TestContract_EachSpecifiedCall_Exists(t *testing.T) {
	t.Parallel()
	spec, _ := operations(t)
	for _, want := range []string{
		"POST /login", "POST /register", "POST /mobile/otp", "POST /mobile/validate-otp", "POST /otp/resend-otp", "POST /refresh",
		"POST /password/reset-otp", "POST /password/validate-otp", "POST /password/reset", "POST /logout", "GET /business",
		"POST /tenant/create", "POST /profile/address", "POST /profile/search-address", "POST /profile/coordinates",
		"GET /country", "GET /state/{id}", "GET /city/{id}",
		"GET /subscription-plan/list", "GET /subscription-plan/details/{id}", "GET /subscription-plan/add-ons-services/{id}",
		"POST /subscription/payments/details", "POST /subscription/payments/request", "GET /subscription/list",
		"GET /subscription/payments/list", "GET /subscription/invoice/{id}", "GET /subscription/dashboard",
		"GET /subscription/add-ons-services/{id}", "PUT /subscription/add-ons-services/update/{id}",
		"POST /subscription/add-ons-services/payments/details", "POST /subscription/add-ons-services/payments/request",
		"POST /renew-subscription/payments/details", "POST /renew-subscription/payments/request",
		"PUT /subscription/password/update/{id}", "GET /subscription/custom-domain/{id}", "PUT /subscription/custom-domain/{id}",
		"GET /profile/details/profile", "POST /profile/update/profile", "GET /profile/store/details", "POST /profile/store/update",
		"GET /profile/address/{id}",
	} {
		method, path, _ := strings.Cut(want, " ")
		item := spec.Paths.Value(path)
		require.NotNil(t, item, want)
		require.NotNil(t, item.GetOperation(method), want)
	}
}
