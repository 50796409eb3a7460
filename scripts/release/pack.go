package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/franchise360/franchise360/scripts/stack"
)

type release struct {
	version, arch   string
	repository, out string
	at              time.Time // of the commit; used for every file
	notes           string    // the text of the release
	logger          *slog.Logger
}

// beside lists the repository files shipped with the programs.
func beside() []string {
	return []string{
		".env.example", "CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md", "UPGRADING.md", "api/openapi.yaml", "api/outage/page",
		"docker-compose.cluster.yml", "docker-compose.yml", "pkg/adapter/sms/texts.gen.md", "scripts/Caddyfile", "scripts/admin/backup/README.md",
		"scripts/admin/documents/README.md", "scripts/admin/logkeeper/INCIDENT.md", "scripts/admin/logkeeper/README.md", "scripts/monitoring",
		"scripts/production/README.md", "scripts/production/backups.md", "scripts/production/cluster.md", "scripts/production/documents.md",
		"scripts/production/gateways.md", "scripts/production/haproxy.cfg", "scripts/production/messages.md", "scripts/production/monitoring.md",
		"scripts/production/patroni.yml", "scripts/production/pgbouncer.ini", "scripts/production/retention.md", "scripts/production/scaling.md",
		"scripts/production/settings.md", "scripts/production/staff.md", "scripts/production/upgrades.md",
		"scripts/settings/settings.gen.md",
	}
}

// make builds everything in a temporary folder beside the target, and renames it only once complete.
func (r release) make(ctx context.Context) (err error) {
	if _, err := os.Stat(r.out); err == nil {
		return errors.New(r.out + " is there already")
	}
	work := r.out + ".part"
	if err := errors.Join(os.RemoveAll(work), os.MkdirAll(filepath.Join(work, "tree"), 0o755)); err != nil {
		return fmt.Errorf("make %s: %w", work, err)
	}
	name := "franchise360-" + r.version + "-linux-" + r.arch
	tree := filepath.Join(work, "tree", name)
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"programs", func() error { return r.programs(ctx, filepath.Join(tree, "bin")) }},
		{"web client", func() error { return r.web(ctx, tree) }},
		{"parts and licences", func() error { return r.parts(ctx, work, tree) }},
		{"files beside them", func() error { return r.copies(tree) }},
		{"notes", func() error { return os.WriteFile(filepath.Join(work, "NOTES.md"), []byte(r.notes), 0o644) }},
		{"archive", func() error { return archive(filepath.Join(work, "tree"), filepath.Join(work, name+".tar.gz"), r.at) }},
		{"checksums", func() error { return errors.Join(os.RemoveAll(filepath.Join(work, "tree")), checksums(work)) }},
	} {
		r.logger.Info(step.what)
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.what, err)
		}
	}
	if err := os.Rename(work, r.out); err != nil {
		return fmt.Errorf("name the result: %w", err)
	}
	return nil
}

// programs builds the programs as the Dockerfile does.
func (r release) programs(ctx context.Context, bin string) error {
	product, err := stack.Programs(r.repository)
	if err != nil {
		return err
	}
	for _, m := range []struct {
		module   string
		packages []string
	}{{".", product}, {"scripts/proxy", []string{"."}}, {"scripts/versitygw", []string{"."}}} {
		if err := compile(ctx, filepath.Join(r.repository, m.module), bin, r.version, r.arch, m.packages...); err != nil {
			return err
		}
	}
	return nil
}

func compile(ctx context.Context, module, bin, version, arch string, packages ...string) error {
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return fmt.Errorf("make the folder of programs: %w", err)
	}
	command := exec.CommandContext(ctx, "go", append([]string{
		"build", "-trimpath", "-buildvcs=false", "-tags=nomsgpack", "-ldflags", stack.LinkerFlags(version),
		"-o", bin + string(filepath.Separator),
	}, packages...)...)
	command.Dir, command.Stdout, command.Stderr = module, os.Stdout, os.Stderr
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch, "GOFLAGS=")
	return command.Run()
}

func (r release) web(ctx context.Context, tree string) error {
	if err := stack.BuildWeb(ctx, r.repository); err != nil {
		return err
	}
	return copyTree(stack.WebDir(r.repository), filepath.Join(tree, "web"))
}

// parts writes what the images contain and under which licences; a licence that is not allowed is an error.
func (r release) parts(ctx context.Context, work, tree string) error {
	list := filepath.Join(work, "sbom")
	if err := os.MkdirAll(list, 0o755); err != nil {
		return fmt.Errorf("make the folder of parts: %w", err)
	}
	if _, err := output(ctx, filepath.Join(r.repository, "scripts", "sbom"), "go", "run", ".", "write", list); err != nil {
		return err
	}
	packages, err := output(ctx, filepath.Join(r.repository, "web"), "npm", "sbom", "--omit=dev", "--workspaces=false", "--package-lock-only", "--sbom-format=cyclonedx")
	if err != nil {
		return err
	}
	body, err := settled([]byte(packages), r.at)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(list, "web.json"), body, 0o644); err != nil {
		return fmt.Errorf("write the parts of the web client: %w", err)
	}
	return copyTree(list, tree)
}

// settled returns npm's list of parts without what differs at each call: its random name, and the time, which is the commit's here.
func settled(packages []byte, at time.Time) ([]byte, error) {
	var list map[string]any
	if err := json.Unmarshal(packages, &list); err != nil {
		return nil, fmt.Errorf("read npm's list of parts: %w", err)
	}
	metadata, ok := list["metadata"].(map[string]any)
	if !ok {
		return nil, errors.New("npm's list of parts has no metadata")
	}
	delete(list, "serialNumber")
	metadata["timestamp"] = at.UTC().Format(time.RFC3339)
	body, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the parts of the web client: %w", err)
	}
	return append(body, '\n'), nil
}

func (r release) copies(tree string) error {
	for _, path := range beside() {
		if err := copyTree(filepath.Join(r.repository, path), filepath.Join(tree, path)); err != nil {
			return err
		}
	}
	return nil
}

// copyTree copies a file, or a folder with its content, into another folder, without tests.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, body, 0o644)
	})
}

// archive packs the folder reproducibly: sorted by name, with one timestamp and no owner.
func archive(folder, path string, at time.Time) (err error) {
	var files []string
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.Sort(files)
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	zip := gzip.NewWriter(file)
	to := tar.NewWriter(zip)
	defer func() { err = errors.Join(err, to.Close(), zip.Close(), file.Close()) }()
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		mode := int64(0o644)
		if strings.Contains(relative, string(filepath.Separator)+"bin"+string(filepath.Separator)) {
			mode = 0o755
		}
		header := &tar.Header{Name: filepath.ToSlash(relative), Size: int64(len(body)), Mode: mode, ModTime: at, Format: tar.FormatPAX}
		if err := to.WriteHeader(header); err != nil {
			return err
		}
		if _, err := to.Write(body); err != nil {
			return err
		}
	}
	return nil
}

// checksums writes SHA256SUMS for every file in the folder, in the format of sha256sum -c.
func checksums(folder string) error {
	var lines []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		digest := sha256.New()
		_, err = io.Copy(digest, file)
		relative, relErr := filepath.Rel(folder, path)
		lines = append(lines, fmt.Sprintf("%x  %s\n", digest.Sum(nil), filepath.ToSlash(relative)))
		return errors.Join(err, relErr, file.Close())
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), []byte(strings.Join(lines, "")), 0o644)
}
