package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// The operator of Postgres, whose module has the definition of its kind Cluster.
const (
	operator   = "github.com/cloudnative-pg/cloudnative-pg@v1.29.0"
	definition = "config/crd/bases/postgresql.cnpg.io_clusters.yaml"
	clusters   = "apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\n"
)

// clusterSchema returns what the definition says of a Cluster, read once.
var clusterSchema = sync.OnceValues(readClusterSchema) //nolint:gochecknoglobals // the module is the same for all

func readClusterSchema() (*apiextensions.JSONSchemaProps, error) {
	output, err := exec.Command("go", "mod", "download", "-json", operator).Output() //nolint:noctx // it ends with the program
	if err != nil {
		return nil, fmt.Errorf("download %s: %w", operator, err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(output, &module); err != nil {
		return nil, fmt.Errorf("read where the module is: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(module.Dir, definition))
	if err != nil {
		return nil, fmt.Errorf("read the definition: %w", err)
	}
	var published apiextensionsv1.CustomResourceDefinition
	if err := yaml.Unmarshal(text, &published); err != nil {
		return nil, fmt.Errorf("parse the definition: %w", err)
	}
	var internal apiextensions.CustomResourceDefinition
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(&published, &internal, nil); err != nil {
		return nil, fmt.Errorf("convert the definition: %w", err)
	}
	return internal.Spec.Validation.OpenAPIV3Schema, nil
}

// cluster returns the errors with which the API server would refuse the Cluster, and those of connections that its Postgres lacks.
func cluster(text []byte) error {
	definition, err := clusterSchema()
	if err != nil {
		return err
	}
	var object map[string]any
	if err := yaml.UnmarshalStrict(text, &object); err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	structural, err := schema.NewStructural(definition)
	if err != nil {
		return fmt.Errorf("read the definition: %w", err)
	}
	validator, _, err := validation.NewSchemaValidator(definition)
	if err != nil {
		return fmt.Errorf("read the definition: %w", err)
	}
	problems := []error{validation.ValidateCustomResource(nil, object, validator).ToAggregate()}
	unknown := pruning.PruneWithOptions(object, structural, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	if len(unknown) > 0 {
		problems = append(problems, fmt.Errorf("unknown field %s", strings.Join(unknown, ", ")))
	}
	return errors.Join(append(problems, connections(object))...)
}

// connections verifies that every size of the product finds its connections reserved, and that others have some left.
func connections(object map[string]any) error {
	parameters, _, err := unstructured.NestedStringMap(object, "spec", "postgresql", "parameters")
	if err != nil {
		return fmt.Errorf("read the parameters: %w", err)
	}
	reserved, most := number(parameters["reserved_connections"]), number(parameters["max_connections"])
	var rules []rule
	for _, s := range sizes() {
		rules = append(rules, rule{reserved < s.Connections(), fmt.Sprintf("%d reserved_connections for the size %s", s.Connections(), s.Name)})
	}
	const others = 20
	return judge("Postgres", append(rules, rule{most < reserved+others, fmt.Sprintf("%d more max_connections than reserved ones", others)}))
}

// number returns the number in the text, or 0 if the text is not a number.
func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
