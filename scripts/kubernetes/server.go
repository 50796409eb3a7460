package main

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	podapi "k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/apis/apps"
	_ "k8s.io/kubernetes/pkg/apis/apps/install" // each install package adds its kinds, defaults and conversions to the scheme
	appsvalidation "k8s.io/kubernetes/pkg/apis/apps/validation"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	autoscalingvalidation "k8s.io/kubernetes/pkg/apis/autoscaling/validation"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	batchvalidation "k8s.io/kubernetes/pkg/apis/batch/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/apis/networking"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	networkingvalidation "k8s.io/kubernetes/pkg/apis/networking/validation"
	"k8s.io/kubernetes/pkg/apis/policy"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	policyvalidation "k8s.io/kubernetes/pkg/apis/policy/validation"
	podsecurity "k8s.io/pod-security-admission/api"
	restricted "k8s.io/pod-security-admission/policy"
)

// accepted returns the errors with which the API server would refuse to create the object.
func accepted(object runtime.Object) error {
	object = object.DeepCopyObject()
	legacyscheme.Scheme.Default(object)
	internal, err := legacyscheme.Scheme.ConvertToVersion(object, runtime.InternalGroupVersioner)
	if err != nil {
		return fmt.Errorf("convert: %w", err)
	}
	return validate(internal).ToAggregate()
}

func validate(object runtime.Object) field.ErrorList {
	switch o := object.(type) {
	case *apps.Deployment:
		return appsvalidation.ValidateDeployment(o, podapi.GetValidationOptionsFromPodTemplate(&o.Spec.Template, nil))
	case *batch.Job: // the server would add its selector
		return batchvalidation.ValidateJobTemplateSpec(&batch.JobTemplateSpec{ObjectMeta: o.ObjectMeta, Spec: o.Spec}, nil, field.NewPath("job"),
			podapi.GetValidationOptionsFromPodTemplate(&o.Spec.Template, nil))
	case *batch.CronJob:
		return batchvalidation.ValidateCronJobCreate(o, podapi.GetValidationOptionsFromPodTemplate(&o.Spec.JobTemplate.Spec.Template, nil))
	case *core.Pod:
		return corevalidation.ValidatePodCreate(o, podapi.GetValidationOptionsFromPodSpecAndMeta(&o.Spec, nil, &o.ObjectMeta, nil))
	case *core.PersistentVolumeClaim:
		return corevalidation.ValidatePersistentVolumeClaim(o, corevalidation.ValidationOptionsForPersistentVolumeClaim(o, nil))
	case *core.Service:
		return corevalidation.ValidateServiceCreate(allocated(o))
	case *core.ServiceAccount:
		return corevalidation.ValidateServiceAccount(o)
	case *core.Namespace:
		return corevalidation.ValidateNamespace(o)
	case *core.ConfigMap:
		return corevalidation.ValidateConfigMap(o)
	case *core.Secret:
		return corevalidation.ValidateSecret(o)
	case *policy.PodDisruptionBudget:
		return policyvalidation.ValidatePodDisruptionBudget(o, policyvalidation.PodDisruptionBudgetValidationOptions{})
	case *autoscaling.HorizontalPodAutoscaler:
		return autoscalingvalidation.ValidateHorizontalPodAutoscaler(o, autoscalingvalidation.HorizontalPodAutoscalerSpecValidationOptions{MinReplicasLowerBound: 1})
	case *networking.NetworkPolicy:
		return networkingvalidation.ValidateNetworkPolicy(o, networkingvalidation.NetworkPolicyValidationOptions{})
	}
	return field.ErrorList{field.InternalError(nil, fmt.Errorf("nothing here judges %T", object))}
}

// allocated returns the service as the server validates it, with an address of one family and a port.
func allocated(s *core.Service) *core.Service {
	policy := core.IPFamilyPolicySingleStack
	s.Spec.IPFamilyPolicy, s.Spec.IPFamilies = &policy, []core.IPFamily{core.IPv4Protocol}
	s.Spec.ClusterIP = cmp.Or(s.Spec.ClusterIP, "10.96.0.1")
	s.Spec.ClusterIPs = []string{s.Spec.ClusterIP}
	if s.Spec.ExternalTrafficPolicy == core.ServiceExternalTrafficPolicyLocal {
		s.Spec.HealthCheckNodePort = 30000
	}
	return s
}

// admitted returns the error with which a namespace that enforces the restricted profile would refuse the pod.
func admitted(meta *metav1.ObjectMeta, spec *corev1.PodSpec) error {
	evaluator, err := restricted.NewEvaluator(restricted.DefaultChecks(), nil)
	if err != nil {
		return fmt.Errorf("know the restricted profile: %w", err)
	}
	profile := podsecurity.LevelVersion{Level: podsecurity.LevelRestricted, Version: podsecurity.LatestVersion()}
	if result := restricted.AggregateCheckResults(evaluator.EvaluatePod(profile, meta, spec)); !result.Allowed {
		return fmt.Errorf("the restricted profile refuses %s", result.ForbiddenDetail())
	}
	return nil
}
