// Command testdb runs a throw-away Postgres for tests: either for the duration of a command, which finds its address in
// TEST_DATABASE_URL, or on its own until stopped. POSTGRES_HOME names the folder of an installed Postgres to run, such as
// /usr/lib/postgresql/15.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/franchise360/franchise360/scripts/embedded"
)

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background()); err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			os.Exit(exit.ExitCode())
		}
		logger.Error("throw-away database", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// run starts the cluster, then the command after the flags; without a command it waits for SIGINT or SIGTERM.
func run(ctx context.Context) (ended error) {
	port := flag.Int("port", 0, "port on 127.0.0.1; 0 chooses a free one")
	data := flag.String("data", "", "folder of the cluster; empty makes one and removes it at the end")
	pooler := flag.String("pooler", "", "file of settings of a PgBouncer through which the tests' API role connects")
	flag.Parse()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	repository, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find the repository: %w", err)
	}
	if err := embedded.Install(ctx, repository); err != nil {
		return err
	}
	folder := *data
	if folder == "" {
		temporary, remove, err := embedded.MemoryFolder()
		if err != nil {
			return err
		}
		defer func() { ended = errors.Join(ended, remove()) }()
		folder = filepath.Join(temporary, "data")
	}
	server, err := embedded.StartPostgres(ctx, embedded.PostgresConfig{
		Repository: repository, Data: folder, Port: *port, Throwaway: true, Log: os.Stderr,
	})
	if err != nil {
		return err
	}
	defer func() { ended = errors.Join(ended, server.Stop()) }()
	address := server.SuperuserURL("postgres")
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stdout, address)
		select {
		case <-ctx.Done():
			return nil
		case <-server.Exited():
			return errors.New("the database ended by itself")
		}
	}
	command := exec.CommandContext(ctx, flag.Arg(0), flag.Args()[1:]...)
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.Env = append(os.Environ(), "TEST_DATABASE_URL="+address)
	if *pooler != "" {
		url, stop, err := startPooler(ctx, *pooler, address)
		if err != nil {
			return err
		}
		defer func() { ended = errors.Join(ended, stop()) }()
		command.Env = append(command.Env, "TEST_POOLER_URL="+url)
	}
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	return command.Run()
}

// startPooler starts a PgBouncer in front of the server with the file's settings, and returns the API role's address there.
func startPooler(ctx context.Context, file, server string) (address string, stop func() error, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", nil, fmt.Errorf("read the settings of the pooler: %w", err)
	}
	folder, err := embedded.TemporaryFolder("franchise360-pooler-")
	if err != nil {
		return "", nil, err
	}
	b, err := embedded.StartPgBouncer(ctx, embedded.PgBouncerConfig{
		Server: server, Role: "franchise360_api", Folder: folder, Settings: embedded.PoolerSettings(string(text)), Log: os.Stderr,
	})
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(folder))
	}
	return b.URL(embedded.Superuser, ""), func() error { return errors.Join(b.Stop(), os.RemoveAll(folder)) }, nil
}
