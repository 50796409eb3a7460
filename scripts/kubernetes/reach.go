package main

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// portsOf returns the ports that an operator may write into a setting with an address; nil for any other setting.
func portsOf(setting string) []int {
	switch setting {
	case "HTTP_ADDR", "METRICS_ADDR":
		return nil
	case "SMTP_URL":
		return []int{465, 587}
	case "OTEL_EXPORTER_OTLP_ENDPOINT":
		return []int{443, 4318}
	case "PLACES_URL":
		return []int{443, 2322}
	case "DATABASE_URL", "DATABASE_READ_URL", "WORKER_DATABASE_URL", "DATABASE_OWNER_URL":
		return []int{5432, 6432}
	case "REDIS_URL":
		return []int{6379, 26379} // of Sentinel
	case "DNS_SERVER":
		return []int{53}
	}
	if strings.HasSuffix(setting, "_URL") || strings.HasSuffix(setting, "_ENDPOINT") {
		return []int{443}
	}
	return nil
}

// proxy returns the pod of the proxy, or of an ingress controller that the operator labels like it.
func (m *manifests) proxy() template {
	t := template{name: "proxy"}
	t.Labels = map[string]string{"app": "proxy"}
	for _, d := range m.deployments {
		if d.Name == t.name {
			t.PodTemplateSpec = d.Spec.Template
		}
	}
	return t
}

// reaches verifies that the network policies let each pod connect to the ports of its settings, and let the pods' clients in.
func (m *manifests) reaches() error {
	var problems []error
	for _, t := range append(m.templates(), m.proxy()) {
		for _, protocol := range []corev1.Protocol{corev1.ProtocolUDP, corev1.ProtocolTCP} {
			if !m.leaves(t, nil, protocol, 53) {
				problems = append(problems, fmt.Errorf("%s: no policy lets it ask name servers by %s", t.name, protocol))
			}
		}
		for _, c := range slices.Concat(t.Spec.InitContainers, t.Spec.Containers) {
			problems = append(problems, m.reachesSettings(t, c))
		}
	}
	return errors.Join(append(problems, m.proxyReaches())...)
}

func (m *manifests) reachesSettings(t template, c corev1.Container) error {
	var problems []error
	environment := m.environment(c)
	for _, name := range slices.Sorted(maps.Keys(environment)) {
		ports := portsOf(name)
		if at, err := url.Parse(environment[name]); len(ports) > 0 && err == nil {
			if port, err := strconv.Atoi(at.Port()); err == nil {
				ports = append(slices.Clone(ports), port)
			}
		}
		for _, port := range ports {
			if !m.leaves(t, nil, corev1.ProtocolTCP, port) {
				problems = append(problems, fmt.Errorf("%s: %s may name port %d, which no policy lets it reach", t.name, name, port))
			}
		}
	}
	return errors.Join(problems...)
}

// proxyReaches verifies the way from customers to the api, and from Prometheus to every process.
func (m *manifests) proxyReaches() error {
	var problems []error
	way := func(open bool, what string) {
		if !open {
			problems = append(problems, fmt.Errorf("no policy lets %s", what))
		}
	}
	front := m.proxy()
	way(m.enters(front, nil, corev1.ProtocolTCP, 80) && m.enters(front, nil, corev1.ProtocolTCP, 443), "customers reach the proxy at 80 and 443")
	way(m.enters(front, nil, corev1.ProtocolUDP, 443), "customers reach the proxy by HTTP/3")
	way(m.leaves(front, nil, corev1.ProtocolTCP, 443), "the proxy reach the certificate authority")
	for _, d := range m.deployments {
		t := template{d.Name, d.Spec.Template}
		way(m.scraped(t), "Prometheus reach "+d.Name)
		for _, p := range t.Spec.Containers[0].Ports {
			if d.Name == "api" {
				port := int(p.ContainerPort)
				way(m.leaves(front, t.Labels, corev1.ProtocolTCP, port) && m.enters(t, front.Labels, corev1.ProtocolTCP, port),
					fmt.Sprintf("the proxy reach the api's port %d", port))
			}
		}
	}
	way(m.scraped(front), "Prometheus reach the proxy")
	return errors.Join(problems...)
}

// scraped reports whether pods of another namespace reach the private port.
func (m *manifests) scraped(t template) bool {
	return slices.ContainsFunc(m.policies, func(p *networkingv1.NetworkPolicy) bool {
		return selects(&p.Spec.PodSelector, t.Labels) && slices.ContainsFunc(p.Spec.Ingress, func(r networkingv1.NetworkPolicyIngressRule) bool {
			fromElsewhere := slices.ContainsFunc(r.From, func(peer networkingv1.NetworkPolicyPeer) bool { return peer.NamespaceSelector != nil })
			return fromElsewhere && admits(r.Ports, t.Spec, corev1.ProtocolTCP, 9090)
		})
	})
}

// leaves reports whether a pod may connect to a port: anywhere, or of pods with the labels.
func (m *manifests) leaves(t template, to map[string]string, protocol corev1.Protocol, port int) bool {
	return slices.ContainsFunc(m.policies, func(p *networkingv1.NetworkPolicy) bool {
		return selects(&p.Spec.PodSelector, t.Labels) && slices.ContainsFunc(p.Spec.Egress, func(r networkingv1.NetworkPolicyEgressRule) bool {
			return peers(r.To, to) && admits(r.Ports, corev1.PodSpec{}, protocol, port)
		})
	})
}

// enters reports whether a pod takes connections to its port: from anywhere, or from pods with the labels.
func (m *manifests) enters(t template, from map[string]string, protocol corev1.Protocol, port int) bool {
	return slices.ContainsFunc(m.policies, func(p *networkingv1.NetworkPolicy) bool {
		return selects(&p.Spec.PodSelector, t.Labels) && slices.ContainsFunc(p.Spec.Ingress, func(r networkingv1.NetworkPolicyIngressRule) bool {
			return peers(r.From, from) && admits(r.Ports, t.Spec, protocol, port)
		})
	})
}

func peers(list []networkingv1.NetworkPolicyPeer, pod map[string]string) bool {
	return len(list) == 0 || slices.ContainsFunc(list, func(p networkingv1.NetworkPolicyPeer) bool {
		return p.IPBlock != nil && pod == nil || pod != nil && p.NamespaceSelector == nil && p.PodSelector != nil && selects(p.PodSelector, pod)
	})
}

func selects(selector *metav1.LabelSelector, pod map[string]string) bool {
	s, err := metav1.LabelSelectorAsSelector(selector)
	return err == nil && s.Matches(labels.Set(pod))
}

func admits(ports []networkingv1.NetworkPolicyPort, pod corev1.PodSpec, protocol corev1.Protocol, port int) bool {
	return len(ports) == 0 || slices.ContainsFunc(ports, func(p networkingv1.NetworkPolicyPort) bool {
		if p.Protocol != nil && *p.Protocol != protocol || p.Protocol == nil && protocol != corev1.ProtocolTCP {
			return false
		}
		switch {
		case p.Port == nil:
			return true
		case p.Port.Type == intstr.String:
			return slices.ContainsFunc(pod.Containers, func(c corev1.Container) bool {
				return slices.ContainsFunc(c.Ports, func(at corev1.ContainerPort) bool {
					return at.Name == p.Port.StrVal && int(at.ContainerPort) == port
				})
			})
		case p.EndPort != nil:
			return port >= int(p.Port.IntVal) && port <= int(*p.EndPort)
		}
		return int(p.Port.IntVal) == port
	})
}
