package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// writeAnswer writes an answer of the merchant API: JSON with form=2, else PHP's serialised array.
func writeAnswer(w http.ResponseWriter, format string, answer map[string]any) {
	if format == "2" {
		sandbox.WriteJSON(w, http.StatusOK, answer)
		return
	}
	text, err := serialised(answer)
	if err != nil {
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=UTF-8")
	_, _ = w.Write([]byte(text)) //nolint:gosec // PHP's own format, which no browser asks for; the caller may have gone
}

// serialised returns the answer as PHP's serialize() writes it.
func serialised(answer map[string]any) (string, error) {
	text, err := json.Marshal(answer)
	if err != nil {
		return "", err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var plain any
	if err := decoder.Decode(&plain); err != nil {
		return "", err
	}
	var out strings.Builder
	serialise(&out, plain)
	return out.String(), nil
}

func serialise(out *strings.Builder, value any) {
	switch v := value.(type) {
	case nil:
		out.WriteString("N;")
	case bool:
		fmt.Fprintf(out, "b:%d;", map[bool]int{true: 1}[v])
	case json.Number:
		kind := "i"
		if strings.ContainsAny(v.String(), ".eE") {
			kind = "d"
		}
		fmt.Fprintf(out, "%s:%s;", kind, v)
	case string:
		fmt.Fprintf(out, "s:%d:\"%s\";", len(v), v)
	case []any:
		fmt.Fprintf(out, "a:%d:{", len(v))
		for i, element := range v {
			fmt.Fprintf(out, "i:%d;", i)
			serialise(out, element)
		}
		out.WriteString("}")
	case map[string]any:
		fmt.Fprintf(out, "a:%d:{", len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			serialise(out, name)
			serialise(out, v[name])
		}
		out.WriteString("}")
	}
}
