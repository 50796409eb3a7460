// Command production runs what docker-compose.yml describes as processes of this machine, on its loopback only: Postgres over
// TLS, Redis, the object store, the proxy with its Caddyfile, and api and worker in as many replicas, all as in production. The
// gateway and the SMS provider are stand-ins. It ends everything it started when it ends.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/franchise360/franchise360/scripts/embedded"
	"github.com/franchise360/franchise360/scripts/stack"
)

func main() {
	err := run(context.Background(), os.Stdout)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		os.Exit(exit.ExitCode())
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "production:", err)
		os.Exit(1)
	}
}

// options are what a run may choose; the defaults come from PORT and DATA_DIR.
type options struct {
	repository string
	dataDir    string
	port       int    // of the site; 0 chooses a free one
	jsonFile   string // receives the addresses once everything answers
	throwaway  bool   // data in a temporary folder that is removed at the end
	binDir     string // of the programs that are built
	admin      []string
	restore    string // a backup's file
}

// run starts everything and keeps it until SIGINT, SIGTERM, the death of the parent process, or of a part for good. With the
// arguments `admin PROGRAM …` it runs that as the admin service beside what runs already, and ends with it; with `restore FILE`
// it starts no more than a restore takes, and ends with that.
func run(ctx context.Context, out *os.File) (err error) {
	opts, err := parseOptions()
	if err != nil {
		return err
	}
	screen := stack.NewConsole(out)
	if len(opts.admin) > 0 {
		return runAdmin(ctx, opts, screen)
	}
	if opts.throwaway {
		if opts.dataDir, err = embedded.TemporaryFolder("franchise360-production-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(opts.dataDir)) }()
	}
	ctx, stop := stack.EndSignals(ctx, screen)
	defer stop()
	unlock, err := stack.LockDataDir(ctx, opts.dataDir, screen)
	if err != nil {
		return err
	}
	defer unlock()
	p, err := newProduction(opts, screen)
	if err != nil {
		return err
	}
	defer p.Stop()
	if opts.restore != "" {
		return p.restore(ctx, out)
	}
	return stack.UntilEnd(ctx, p.start, p.announce, p.Failed())
}

func parseOptions() (options, error) {
	var opts options
	port, dataDir, err := stack.Defaults(8443)
	if err != nil {
		return opts, err
	}
	flag.IntVar(&opts.port, "port", port, "port of the site on 127.0.0.1; 0 chooses a free one (environment: PORT)")
	flag.StringVar(&opts.dataDir, "data", filepath.Join(dataDir, "production"), "folder that keeps databases, objects and secrets (environment: DATA_DIR)")
	flag.StringVar(&opts.jsonFile, "json", "", "file that receives the addresses as JSON once everything answers")
	flag.BoolVar(&opts.throwaway, "throwaway", false, "use a temporary data folder, a database without durability and a free port")
	flag.StringVar(&opts.binDir, "bin", "", "folder of the programs that are built; empty for one in the data folder")
	flag.Parse()
	switch {
	case flag.NArg() == 0:
	case flag.Arg(0) == "admin" && flag.NArg() > 1:
		opts.admin = flag.Args()[1:]
	case flag.Arg(0) == "restore" && flag.NArg() == 2:
		opts.restore = flag.Arg(1)
	default:
		return opts, errors.New("want nothing, admin and a program, or restore and a file")
	}
	if opts.throwaway {
		opts.port = 0
	}
	if opts.repository, err = stack.FindRepository(); err != nil {
		return opts, err
	}
	if opts.dataDir, err = filepath.Abs(opts.dataDir); err != nil {
		return opts, fmt.Errorf("find the data folder: %w", err)
	}
	switch {
	case opts.binDir != "":
	case opts.throwaway: // compiled once for all throw-away stacks
		opts.binDir = filepath.Join(opts.repository, ".data", "bin")
	default:
		opts.binDir = filepath.Join(opts.dataDir, "bin")
	}
	if opts.binDir, err = filepath.Abs(opts.binDir); err != nil {
		return opts, fmt.Errorf("find the folder of binaries: %w", err)
	}
	return opts, nil
}

// runAdmin is `docker compose run --rm admin …`. Its program reads and writes what this one does.
func runAdmin(ctx context.Context, opts options, screen *stack.Console) error {
	p, err := newProduction(opts, screen)
	if err != nil {
		return err
	}
	services, err := p.readCompose(ctx)
	if err != nil {
		return fmt.Errorf("is it running? %w", err)
	}
	p.domain = services["proxy"].Environment["DOMAIN"]
	p.services = services
	command := p.admin(ctx, opts.admin...)
	if password := os.Getenv("STAFF_PASSWORD"); password != "" { // docker compose run -e STAFF_PASSWORD
		command.Env = append(command.Env, "STAFF_PASSWORD="+password)
	}
	command.Stdin, command.Stdout = os.Stdin, os.Stdout
	return command.Run()
}

// admin prepares a program of the admin service.
func (p *production) admin(ctx context.Context, program ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, p.Program(program[0]), program[1:]...)
	command.Env = p.environment("admin", p.services["admin"], 0)
	command.Stderr = os.Stderr
	return command
}

// restore reads a backup into this data folder, where nothing was before, and leaves it to the next start.
func (p *production) restore(ctx context.Context, out io.Writer) (err error) {
	file, err := os.Open(p.opts.restore)
	if err != nil {
		return fmt.Errorf("open the backup: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := p.begin(ctx); err != nil {
		return err
	}
	if err := p.Launch(ctx, p.objects()); err != nil {
		return err
	}
	if err := p.oneShot(ctx, "migrate"); err != nil {
		return err
	}
	command := p.admin(ctx, "backup", "restore")
	command.Stdin, command.Stdout = file, out
	return command.Run()
}
