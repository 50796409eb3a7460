// Command production runs what docker-compose.yml, and with -cluster docker-compose.cluster.yml, describes as local processes, on the loopback only: Postgres over TLS, Redis,
// the object store, the proxy with its Caddyfile, and as many replicas of api and worker, all as in production. The gateway and
// the SMS provider are stand-ins. On exit it stops everything it started.
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
	if code := report(os.Stderr, err); code != 0 {
		os.Exit(code)
	}
}

// adminError is the failure of the operator's own command, which has written its message already.
type adminError struct{ *exec.ExitError }

// report writes what failed and returns the exit code.
func report(to io.Writer, err error) int {
	if admin, ok := errors.AsType[adminError](err); ok {
		return admin.ExitCode()
	}
	if err == nil || errors.Is(err, context.Canceled) {
		return 0
	}
	fmt.Fprintln(to, "production:", err)
	return 1
}

// runCommand runs the operator's own command.
func runCommand(command *exec.Cmd) error {
	err := command.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() > 0 {
		return adminError{exit}
	}
	return err //nolint:wrapcheck // it names the program
}

// options are the command-line options; PORT, DATA_DIR and SETTINGS supply the defaults.
type options struct {
	repository string
	dataDir    string
	port       int    // of the site; 0 chooses a free one
	jsonFile   string // receives the addresses once everything is ready
	throwaway  bool   // data in a temporary folder that is removed at the end
	binDir     string // of the compiled programs
	settings   string // a file of somebody's own settings, which go before those of the rehearsal
	clocks     bool   // the clocks of the processes can be moved
	breakable  bool   // toxiproxy sits in front of Postgres, Redis, objects and gateway
	cluster    bool   // with what docker-compose.cluster.yml adds
	admin      []string
	alone      []string
	restore    string // a backup file
}

// run starts everything and keeps it running until SIGINT, SIGTERM, the parent process dies, or a part fails for good. With the
// arguments `admin COMMAND …` it runs the command as the admin service beside a running system, and ends with it; with `alone
// COMMAND …` it first starts database and object store for it; `restore FILE` does so and restores a backup.
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
	defer func() {
		p.Stop()
		p.endDatabases(context.WithoutCancel(ctx))
	}()
	if os.Getenv("GOFLAGS") == "" {
		screen.Say("GOFLAGS is empty, so Go compiles everything anew. `make production` sets it and finds what make compiled before.")
	}
	if opts.restore != "" {
		return p.restore(ctx, out)
	}
	if len(opts.alone) > 0 {
		return p.alone(ctx, os.Stdin, out, opts.alone...)
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
	flag.StringVar(&opts.dataDir, "data", "", "folder that keeps databases, objects and secrets; empty for production or cluster in DATA_DIR")
	flag.StringVar(&opts.jsonFile, "json", "", "file that receives the addresses as JSON once everything answers")
	flag.BoolVar(&opts.throwaway, "throwaway", false, "use a temporary data folder, a database without durability and a free port")
	flag.StringVar(&opts.binDir, "bin", "", "folder of the programs that are built; empty for one in the data folder")
	flag.StringVar(&opts.settings, "settings", os.Getenv("SETTINGS"), "file of settings as in .env, which replace those of the rehearsal (environment: SETTINGS)")
	flag.BoolVar(&opts.clocks, "clocks", false, "give Postgres, object store, gateway and the product's processes clocks that can be moved")
	flag.BoolVar(&opts.breakable, "breakable", false, "lead the ways to Postgres, Redis, object store and gateway through toxiproxy, which can break them")
	flag.BoolVar(&opts.cluster, "cluster", false, "run the cluster of docker-compose.cluster.yml, in another data folder; does not go with -breakable")
	flag.Parse()
	if opts.cluster && opts.breakable {
		return opts, errors.New("-cluster does not go with -breakable")
	}
	if opts.dataDir == "" {
		opts.dataDir = filepath.Join(dataDir, "production")
		if opts.cluster {
			opts.dataDir = filepath.Join(dataDir, "cluster")
		}
	}
	switch {
	case flag.NArg() == 0:
	case flag.Arg(0) == "admin" && flag.NArg() > 1:
		opts.admin = flag.Args()[1:]
	case flag.Arg(0) == "alone" && flag.NArg() > 1:
		opts.alone = flag.Args()[1:]
	case flag.Arg(0) == "restore" && flag.NArg() == 2:
		opts.restore = flag.Arg(1)
	default:
		return opts, errors.New("want nothing, admin or alone and a command, or restore and a file")
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
	case opts.throwaway: // shared, so that throw-away stacks compile only once
		opts.binDir = filepath.Join(opts.repository, ".data", "bin")
	default:
		opts.binDir = filepath.Join(opts.dataDir, "bin")
	}
	if opts.binDir, err = filepath.Abs(opts.binDir); err != nil {
		return opts, fmt.Errorf("find the folder of binaries: %w", err)
	}
	return opts, nil
}

// runAdmin is `docker compose run --rm admin …`. The command inherits standard input and output.
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
	return runCommand(command)
}

// admin prepares a command of the admin service, whose entrypoint is the program.
func (p *production) admin(ctx context.Context, words ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, p.Program(p.services["admin"].Command[0]), words...)
	command.Env = p.environment("admin", p.services["admin"], 0)
	command.Stderr = os.Stderr
	return command
}

// restore restores a backup into this data folder, which must be new, for the next start to use.
func (p *production) restore(ctx context.Context, out io.Writer) (err error) {
	file, err := os.Open(p.opts.restore)
	if err != nil {
		return fmt.Errorf("open the backup: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return p.alone(ctx, file, out, "backup", "restore")
}

// alone runs a command of the admin service with database and object store, which stop when it ends.
func (p *production) alone(ctx context.Context, in io.Reader, out io.Writer, words ...string) error {
	if err := p.begin(ctx); err != nil {
		return err
	}
	if err := p.Launch(ctx, p.objects()); err != nil {
		return err
	}
	if err := p.oneShot(ctx, "migrate"); err != nil {
		return err
	}
	command := p.admin(ctx, words...)
	command.Stdin, command.Stdout = in, out
	return runCommand(command)
}
