package main

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/compose-spec/compose-go/v2/types"
)

// versioned matches an image pinned by digest or by a version of at least two numbers.
var versioned = regexp.MustCompile(`(:v?\d+\.\d+[^:]*|@sha256:[0-9a-f]{64})$`)

// reachesOut reports whether the service needs the internet: clients connect to the proxy; api and worker call the providers.
func reachesOut(name string) bool { return slices.Contains([]string{"proxy", "api", "worker"}, name) }

// contained lists everything that would let an intruder in one container get further.
func contained(project *types.Project) error {
	var problems []error
	services := project.AllServices()
	for _, name := range slices.Sorted(maps.Keys(services)) {
		s := services[name]
		for _, rule := range []struct {
			broken bool
			want   string
		}{
			{!slices.Contains(s.CapDrop, "ALL") || len(s.CapAdd) > 0, "cap_drop: [ALL] and no cap_add"},
			{!s.ReadOnly, "read_only: true"},
			{!slices.Contains(s.SecurityOpt, "no-new-privileges:true"), "security_opt: [no-new-privileges:true]"},
			{s.Privileged || s.NetworkMode != "" || s.Pid != "" || s.Ipc != "", "no privileges, and no namespace of the machine's"},
			{regexp.MustCompile(`^(root|0+)?(:.*)?$`).MatchString(s.User), "a user other than root"},
			{s.MemLimit <= 0 || s.PidsLimit <= 0, "mem_limit and pids_limit"},
			{s.Logging == nil || s.Logging.Options["max-size"] == "" || s.Logging.Options["max-file"] == "", "logging with max-size and max-file"},
			{s.Build == nil && !versioned.MatchString(s.Image), "an image with a version or digest"},
			{s.Restart == types.RestartPolicyUnlessStopped && s.HealthCheck == nil, "a healthcheck"},
			{len(s.Ports) > 0 && name != "proxy", "no ports of the machine: the proxy alone is reached from outside"},
		} {
			if rule.broken {
				problems = append(problems, fmt.Errorf("%s: want %s", name, rule.want))
			}
		}
		problems = append(problems, networks(project, s), mounts(s))
	}
	return errors.Join(problems...)
}

// networks verifies that data stores have no way out and that the proxy cannot reach them.
func networks(project *types.Project, s types.ServiceConfig) error {
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(s.Networks)) {
		switch internal := project.Networks[name].Internal; {
		case name == "default":
			problems = append(problems, fmt.Errorf("%s: want networks by name", s.Name))
		case !internal && !reachesOut(s.Name):
			problems = append(problems, fmt.Errorf("%s: %s is not internal", s.Name, name))
		case name == "data" && s.Name == "proxy":
			problems = append(problems, fmt.Errorf("%s: has no business with the data", s.Name))
		}
	}
	return errors.Join(problems...)
}

func mounts(s types.ServiceConfig) error {
	var problems []error
	for _, volume := range s.Volumes {
		if strings.HasSuffix(volume.Source, "docker.sock") {
			problems = append(problems, fmt.Errorf("%s: %s is the machine", s.Name, volume.Source))
		}
		if volume.Type == types.VolumeTypeBind && !volume.ReadOnly {
			problems = append(problems, fmt.Errorf("%s: want %s read-only", s.Name, volume.Source))
		}
	}
	return errors.Join(problems...)
}
