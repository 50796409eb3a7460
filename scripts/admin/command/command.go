// Package command is what the commands of admin share: the table from which they are chosen and explained, and one way to the
// settings, the database and the documents.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// Call is one run of a command: what the operator gave, and what the command works with.
type Call struct {
	// Arguments are the values of the use's words in capitals.
	Arguments []string
	Getenv    func(string) string
	In        io.Reader
	Out       io.Writer
	Log       *slog.Logger
	Clock     clock.Clock
}

// Use is one form of a command.
type Use struct {
	// Words follow the command's name. Words in capitals stand for arguments; […] may be missing, and … may be repeated.
	Words string
	// Does ends the sentence "this command …".
	Does string
	Run  func(context.Context, Call) error
}

// Command has the uses under one name, and flags for them.
type Command struct {
	Name  string
	Uses  []Use
	Flags func(*flag.FlagSet)
}

// Run runs the use that fits the words. Flags stand before or after the first word, as in `backup restore -without-objects`.
func (c Command) Run(ctx context.Context, call Call, words ...string) error {
	flags := c.flags()
	rest, err := c.parse(flags, words)
	if err != nil {
		return errors.Join(c.misused(), err)
	}
	for _, u := range c.Uses {
		if arguments, fits := u.match(rest); fits {
			call.Arguments = arguments
			return u.Run(ctx, call)
		}
	}
	return c.misused()
}

func (c Command) flags() *flag.FlagSet {
	flags := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	if c.Flags != nil {
		c.Flags(flags)
	}
	return flags
}

func (c Command) parse(flags *flag.FlagSet, words []string) ([]string, error) {
	if err := flags.Parse(words); err != nil || flags.NArg() < 2 {
		return flags.Args(), err
	}
	first := flags.Arg(0)
	err := flags.Parse(flags.Args()[1:])
	return append([]string{first}, flags.Args()...), err
}

// match returns the arguments if the words have the use's form. An empty argument is missing.
func (u Use) match(words []string) (arguments []string, fits bool) {
	for form := range strings.FieldsSeq(u.Words) {
		name := strings.Trim(form, "[]…")
		switch isArgument, isOptional, isRepeated := name == strings.ToUpper(name), name != form && form[0] == '[', strings.HasSuffix(form, "…"); {
		case len(words) == 0 && isOptional:
		case len(words) == 0 || words[0] == "" || !isArgument && words[0] != name:
			return nil, false
		case isRepeated:
			return append(arguments, words...), !slices.Contains(words, "")
		default:
			if isArgument {
				arguments = append(arguments, words[0])
			}
			words = words[1:]
		}
	}
	return arguments, len(words) == 0
}

func (c Command) misused() error {
	forms := make([]string, 0, len(c.Uses))
	for _, u := range c.Uses {
		forms = append(forms, strings.TrimSpace(c.Name+" "+u.Words))
	}
	c.flags().VisitAll(func(f *flag.Flag) { forms = append(forms, "-"+f.Name) })
	return errors.New("want " + strings.Join(forms, ", "))
}

// Usage explains all commands, one use a line.
func Usage(commands []Command) string {
	text := strings.Builder{}
	text.WriteString("Usage: admin COMMAND\n\n")
	for _, c := range commands {
		for _, u := range c.Uses {
			fmt.Fprintf(&text, "  %-44s %s\n", strings.TrimSpace(c.Name+" "+u.Words), u.Does)
		}
		c.flags().VisitAll(func(f *flag.Flag) {
			value, meaning := flag.UnquoteUsage(f)
			fmt.Fprintf(&text, "    %-42s %s\n", strings.TrimSpace("-"+f.Name+" "+value), meaning)
		})
	}
	return text.String()
}

// Setting returns a setting without which the command cannot work.
func (c Call) Setting(name string) (string, error) {
	value := c.Getenv(name)
	if value == "" {
		return "", errors.New(name + " is not set")
	}
	return value, nil
}

// AsOwner opens the database of DATABASE_OWNER_URL for one function.
func (c Call) AsOwner(ctx context.Context, do func(db *sqlx.DB) error) (err error) {
	dsn, err := c.Setting("DATABASE_OWNER_URL")
	if err != nil {
		return err
	}
	db, err := postgres.Open(ctx, dsn, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(db)
}

// Documents opens the object store of the S3 settings.
func (c Call) Documents() (*objectstore.Store, error) { return objectstore.Open(c.Getenv, "S3_") }
