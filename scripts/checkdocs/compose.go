package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

const (
	composePath  = "docker-compose.yml"
	adminFolder  = "scripts/admin"
	adminProgram = "admin"
	serviceHelp  = "docker-compose.yml has no service %q: correct or remove the command"
	imageHelp    = "the product's image has no program %q: correct the command"
	adminHelp    = "admin has no command %q: correct or remove it"
)

// productPrograms are the programs of the product's image, in scripts/Dockerfile.
func productPrograms() []string { return []string{"api", "worker", adminProgram} }

// service is a service of the compose file, as far as commands depend on it.
type service struct {
	Entrypoint []string `yaml:"entrypoint"`
	Command    []string `yaml:"command"`
}

func (s service) runsTheProduct() bool {
	return len(s.Command) > 0 && slices.Contains(productPrograms(), s.Command[0])
}

// composeServices returns the services of the compose file; nil if there is no compose file.
func composeServices(tree fs.FS) (map[string]service, error) {
	raw, err := fs.ReadFile(tree, composePath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the compose file: %w", err)
	}
	var file struct {
		Services map[string]service `yaml:"services"`
	}
	if err := yaml.Unmarshal(raw, &file); err != nil {
		return nil, fmt.Errorf("parse the compose file: %w", err)
	}
	return file.Services, nil
}

var (
	composeCall = regexp.MustCompile(`\bdocker compose (?:run|exec)((?: +-{1,2}[a-zA-Z-]+(?: +[A-Z][A-Z0-9_]*(?:=\S*)?| +"")?)*) +([a-z]+)((?: +[^\s|<>;&#]+)*)`)
	podCommand  = regexp.MustCompile(`--command --((?: +[^\s|<>;&#]+)+)`)
	plainWord   = regexp.MustCompile(`^[a-z]+$`)
)

// containerProblems returns what is wrong with the commands that a text runs in containers.
func (r references) containerProblems(text string) []string {
	var problems []string
	add := func(problem string) {
		if problem != "" {
			problems = append(problems, problem)
		}
	}
	for _, call := range composeCall.FindAllStringSubmatch(text, -1) {
		s, known := r.services[call[2]]
		words := strings.Fields(call[3])
		switch {
		case r.services == nil:
		case !known:
			add(fmt.Sprintf(serviceHelp, call[2]))
		case slices.Equal(s.Entrypoint, []string{adminProgram}):
			add(r.adminProblem(words))
		case s.runsTheProduct():
			add(r.programProblem(words))
		}
	}
	for _, call := range podCommand.FindAllStringSubmatch(text, -1) {
		add(r.programProblem(strings.Fields(call[1])))
	}
	return problems
}

func (r references) programProblem(words []string) string {
	switch {
	case len(words) == 0 || !plainWord.MatchString(words[0]):
		return ""
	case !slices.Contains(productPrograms(), words[0]):
		return fmt.Sprintf(imageHelp, words[0])
	case words[0] == adminProgram:
		return r.adminProblem(words[1:])
	}
	return ""
}

// adminProblem checks the name of admin's command: each command has a folder with its name.
func (r references) adminProblem(words []string) string {
	if len(words) == 0 || !plainWord.MatchString(words[0]) || words[0] == "help" || r.hasGo(path.Join(adminFolder, words[0])) {
		return ""
	}
	return fmt.Sprintf(adminHelp, words[0])
}
