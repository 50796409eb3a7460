package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// manifests holds all objects of the folder by type.
type manifests struct {
	deployments []*appsv1.Deployment
	jobs        []*batchv1.Job
	crons       []*batchv1.CronJob
	pods        []*corev1.Pod
	volumes     []*corev1.PersistentVolumeClaim
	services    []*corev1.Service
	accounts    []*corev1.ServiceAccount
	budgets     []*policyv1.PodDisruptionBudget
	scalers     []*autoscalingv2.HorizontalPodAutoscaler
	policies    []*networkingv1.NetworkPolicy
	namespaces  []*corev1.Namespace
	// settings holds the settings of each ConfigMap or Secret, by kind and name.
	settings map[string]map[string]string
}

func check(files map[string][]byte, compose string) error {
	m, err := read(files)
	if err != nil {
		return err
	}
	return errors.Join(m.confined(), m.whole(), m.complete(compose), m.reaches())
}

// files returns the folder's YAML files by name, without that of Kustomize.
func files(folder string) (map[string][]byte, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, fmt.Errorf("list the manifests: %w", err)
	}
	all := map[string][]byte{}
	for _, path := range paths {
		if name := filepath.Base(path); name != kustomization {
			if all[name], err = os.ReadFile(path); err != nil {
				return nil, fmt.Errorf("read a manifest: %w", err)
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no manifests in %s", folder)
	}
	return all, nil
}

// read parses every document of the files. Unknown and duplicate fields are errors, like all that the API server refuses.
func read(files map[string][]byte) (*manifests, error) {
	scheme := legacyscheme.Scheme
	strict := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{Yaml: true, Strict: true})
	m := &manifests{settings: map[string]map[string]string{}}
	for name, text := range files {
		if err := m.readAll(strict, text); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return m, nil
}

func (m *manifests) readAll(strict runtime.Decoder, text []byte) error {
	documents := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(text)))
	buffer := make([]byte, len(text)+1)
	for {
		n, err := documents.Read(buffer)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("part the documents: %w", err)
		}
		if bytes.Contains(buffer[:n], []byte(clusters)) {
			if err := cluster(buffer[:n]); err != nil {
				return fmt.Errorf("cluster: %w", err)
			}
			continue
		}
		object, kind, err := strict.Decode(buffer[:n], nil, nil)
		if err != nil {
			return fmt.Errorf("decode: %w", err)
		}
		if err := accepted(object); err != nil {
			return fmt.Errorf("%s: %w", kind.Kind, err)
		}
		if !m.add(object) {
			return fmt.Errorf("%s: nothing here judges this kind", kind.Kind)
		}
	}
}

func (m *manifests) add(object runtime.Object) bool {
	switch o := object.(type) {
	case *appsv1.Deployment:
		m.deployments = append(m.deployments, o)
	case *batchv1.Job:
		m.jobs = append(m.jobs, o)
	case *batchv1.CronJob:
		m.crons = append(m.crons, o)
	case *corev1.Pod:
		m.pods = append(m.pods, o)
	case *corev1.PersistentVolumeClaim:
		m.volumes = append(m.volumes, o)
	case *corev1.Service:
		m.services = append(m.services, o)
	case *corev1.ServiceAccount:
		m.accounts = append(m.accounts, o)
	case *policyv1.PodDisruptionBudget:
		m.budgets = append(m.budgets, o)
	case *autoscalingv2.HorizontalPodAutoscaler:
		m.scalers = append(m.scalers, o)
	case *networkingv1.NetworkPolicy:
		m.policies = append(m.policies, o)
	case *corev1.Namespace:
		m.namespaces = append(m.namespaces, o)
	case *corev1.ConfigMap:
		m.settings["ConfigMap "+o.Name] = o.Data
	case *corev1.Secret:
		m.settings["Secret "+o.Name] = o.StringData
	default:
		return false
	}
	return true
}

// template is a pod that some object makes.
type template struct {
	name string
	corev1.PodTemplateSpec
}

// templates returns the pods of all objects, by name.
func (m *manifests) templates() []template {
	var all []template
	for _, j := range m.jobs {
		all = append(all, template{"job " + j.Name, j.Spec.Template})
	}
	for _, c := range m.crons {
		all = append(all, template{"cron job " + c.Name, c.Spec.JobTemplate.Spec.Template})
	}
	for _, p := range m.pods {
		all = append(all, template{"pod " + p.Name, corev1.PodTemplateSpec{ObjectMeta: p.ObjectMeta, Spec: p.Spec}})
	}
	for _, d := range m.deployments {
		all = append(all, template{d.Name, d.Spec.Template})
	}
	return all
}
