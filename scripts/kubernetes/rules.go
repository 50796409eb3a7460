package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/yaml"
)

// versioned matches an image pinned by digest or by a version of at least two numbers.
var versioned = regexp.MustCompile(`(:v?\d+\.\d+[^:]*|@sha256:[0-9a-f]{64})$`)

type rule struct {
	broken bool
	want   string
}

func judge(what string, rules []rule) error {
	var problems []error
	for _, r := range rules {
		if r.broken {
			problems = append(problems, fmt.Errorf("%s: want %s", what, r.want))
		}
	}
	return errors.Join(problems...)
}

func isTrue(b *bool) bool  { return b != nil && *b }
func isFalse(b *bool) bool { return b != nil && !*b }

// confined verifies for every pod the restricted profile, which its namespace enforces, and more: a read-only root file system, bounded
// memory and no cluster token.
func (m *manifests) confined() error {
	var problems []error
	for _, n := range m.namespaces {
		problems = append(problems, judge("namespace "+n.Name, []rule{
			{n.Labels["pod-security.kubernetes.io/enforce"] != "restricted", "the restricted profile enforced"},
		}))
	}
	for _, t := range m.templates() {
		problems = append(problems, pod(t))
	}
	for _, d := range m.deployments {
		problems = append(problems, runsForLong(d))
	}
	return errors.Join(problems...)
}

func pod(t template) error {
	problems := []error{judge(t.name, []rule{
		{!isFalse(t.Spec.AutomountServiceAccountToken), "automountServiceAccountToken: false"},
		{!isFalse(t.Spec.EnableServiceLinks), "enableServiceLinks: false"},
	})}
	if err := admitted(&t.ObjectMeta, &t.Spec); err != nil {
		problems = append(problems, fmt.Errorf("%s: %w", t.name, err))
	}
	for _, v := range t.Spec.Volumes {
		problems = append(problems, judge(t.name+"/"+v.Name, []rule{{v.EmptyDir != nil && v.EmptyDir.SizeLimit == nil, "sizeLimit"}}))
	}
	for _, c := range slices.Concat(t.Spec.InitContainers, t.Spec.Containers) {
		problems = append(problems, container(t.name+"/"+c.Name, c))
	}
	return errors.Join(problems...)
}

func container(name string, c corev1.Container) error {
	return judge(name, []rule{
		{c.SecurityContext == nil || !isTrue(c.SecurityContext.ReadOnlyRootFilesystem), "readOnlyRootFilesystem: true"},
		{c.Resources.Requests.Cpu().IsZero() || c.Resources.Requests.Memory().IsZero(), "requests of cpu and memory"},
		{c.Resources.Limits.Memory().IsZero() || c.Resources.Limits.StorageEphemeral().IsZero(), "limits of memory and ephemeral-storage"},
		{!versioned.MatchString(c.Image), "an image with a version or digest"},
	})
}

// grace is the least time, in seconds, that a terminating process needs to drain and finish work in progress.
const grace = 28

func runsForLong(d *appsv1.Deployment) error {
	spec := d.Spec.Template.Spec
	problems := []error{judge(d.Name, []rule{
		{spec.TerminationGracePeriodSeconds == nil || *spec.TerminationGracePeriodSeconds < grace, "terminationGracePeriodSeconds of 28 or more"},
		{len(spec.TopologySpreadConstraints) == 0, "replicas on more than one machine"},
		{d.Spec.Strategy.RollingUpdate == nil || d.Spec.Strategy.RollingUpdate.MaxUnavailable.IntValue() != 0, "maxUnavailable: 0"},
		{d.Spec.Replicas != nil, "no replicas, which the autoscaler says"},
	})}
	for _, c := range spec.Containers {
		problems = append(problems, judge(d.Name+"/"+c.Name, []rule{
			{!asksItself(c.LivenessProbe, c.Name) || !asksItself(c.StartupProbe, c.Name), "startupProbe and livenessProbe by its own word health"},
			{c.ReadinessProbe == nil || c.ReadinessProbe.HTTPGet == nil, "readinessProbe by httpGet"},
		}))
	}
	return errors.Join(problems...)
}

func asksItself(p *corev1.Probe, program string) bool {
	return p != nil && p.Exec != nil && slices.Equal(p.Exec.Command, []string{program, "health"})
}

// whole verifies that every object that another one refers to exists.
func (m *manifests) whole() error {
	var problems []error
	for _, d := range m.deployments {
		scaled := slices.ContainsFunc(m.scalers, func(s *autoscalingv2.HorizontalPodAutoscaler) bool {
			return s.Spec.ScaleTargetRef.Name == d.Name && *s.Spec.MinReplicas >= 2
		})
		budgeted := slices.ContainsFunc(m.budgets, func(b *policyv1.PodDisruptionBudget) bool {
			return covers(b.Spec.Selector.MatchLabels, d.Spec.Template)
		})
		problems = append(problems, judge(d.Name, []rule{
			{!scaled, "an autoscaler of two replicas or more"},
			{!budgeted, "a disruption budget"},
			{!slices.ContainsFunc(m.accounts, func(a *corev1.ServiceAccount) bool { return a.Name == d.Spec.Template.Spec.ServiceAccountName }), "its service account"},
		}))
	}
	for _, s := range m.services {
		problems = append(problems, servicePorts(s, m.templates()))
	}
	for _, t := range m.templates() {
		for _, c := range slices.Concat(t.Spec.InitContainers, t.Spec.Containers) {
			problems = append(problems, references(t.name, t.Spec, c, m.settings))
		}
		for _, v := range t.Spec.Volumes {
			if claim := v.PersistentVolumeClaim; claim != nil &&
				!slices.ContainsFunc(m.volumes, func(c *corev1.PersistentVolumeClaim) bool { return c.Name == claim.ClaimName }) {
				problems = append(problems, fmt.Errorf("%s: no volume claim %s", t.name, claim.ClaimName))
			}
		}
	}
	return errors.Join(problems...)
}

func covers(selector map[string]string, template corev1.PodTemplateSpec) bool {
	return len(selector) > 0 && labels.SelectorFromSet(selector).Matches(labels.Set(template.Labels))
}

func servicePorts(s *corev1.Service, pods []template) error {
	for _, template := range pods {
		if !covers(s.Spec.Selector, template.PodTemplateSpec) {
			continue
		}
		for _, port := range s.Spec.Ports {
			if !hasPort(template.Spec, port.TargetPort.StrVal) {
				return fmt.Errorf("service %s: no port %q", s.Name, port.TargetPort.StrVal)
			}
		}
		return nil
	}
	return fmt.Errorf("service %s: selects no pod", s.Name)
}

func hasPort(spec corev1.PodSpec, name string) bool {
	return slices.ContainsFunc(spec.Containers, func(c corev1.Container) bool {
		return slices.ContainsFunc(c.Ports, func(p corev1.ContainerPort) bool { return p.Name == name })
	})
}

func references(name string, spec corev1.PodSpec, c corev1.Container, settings map[string]map[string]string) error {
	var problems []error
	for _, from := range c.EnvFrom {
		if _, known := settings[source(from)]; !known {
			problems = append(problems, fmt.Errorf("%s: no %s", name, source(from)))
		}
	}
	if p := c.ReadinessProbe; p != nil && p.HTTPGet != nil && !hasPort(spec, p.HTTPGet.Port.StrVal) {
		problems = append(problems, fmt.Errorf("%s: no port %q to probe", name, p.HTTPGet.Port.StrVal))
	}
	return errors.Join(problems...)
}

func source(from corev1.EnvFromSource) string {
	if from.ConfigMapRef != nil {
		return "ConfigMap " + from.ConfigMapRef.Name
	}
	return "Secret " + from.SecretRef.Name
}

// complete verifies that each process gets exactly the settings that the compose file gives it: misspelt and misplaced ones are
// errors, like missing ones.
func (m *manifests) complete(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the compose file: %w", err)
	}
	var compose struct {
		Services map[string]struct {
			Environment map[string]any `json:"environment"`
		} `json:"services"`
	}
	if err := yaml.Unmarshal(text, &compose); err != nil {
		return fmt.Errorf("read the compose file: %w", err)
	}
	var problems []error
	missing := func(service string, have []string) {
		for name := range compose.Services[service].Environment {
			if !slices.Contains(have, name) {
				problems = append(problems, fmt.Errorf("%s: %s is not set", service, name))
			}
		}
	}
	given := func(service string, c corev1.Container) {
		have := slices.Collect(maps.Keys(m.environment(c)))
		missing(service, have)
		want := compose.Services[service].Environment
		for _, name := range have {
			if _, known := want[name]; !known {
				problems = append(problems, fmt.Errorf("%s: %s is no setting of it", service, name))
			}
		}
	}
	for _, d := range m.deployments {
		given(d.Name, d.Spec.Template.Spec.Containers[0])
	}
	for _, j := range m.jobs {
		given(j.Name, j.Spec.Template.Spec.InitContainers[0])
	}
	// What an operator runs has the owner's secret, which holds more than one program reads.
	for _, t := range m.templates() {
		if name := t.Spec.Containers[0].Name; name == "admin" || name == "backup" {
			missing("admin", slices.Collect(maps.Keys(m.environment(t.Spec.Containers[0]))))
		}
	}
	return errors.Join(problems...)
}

// environment returns the settings of a container's ConfigMaps and Secrets.
func (m *manifests) environment(c corev1.Container) map[string]string {
	all := map[string]string{}
	for _, from := range c.EnvFrom {
		maps.Copy(all, m.settings[source(from)])
	}
	return all
}
