package command_test

import (
	"context"
	"flag"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/scripts/admin/command"
)

// example notes which use ran, and with what.
func example(ran *[]string, loud *bool) command.Command {
	note := func(name string) func(context.Context, command.Call) error {
		return func(_ context.Context, c command.Call) error {
			*ran = append([]string{name}, c.Arguments...)
			return nil
		}
	}
	return command.Command{
		Name: "seed", Flags: func(f *flag.FlagSet) { f.BoolVar(loud, "loud", false, "say more") },
		Uses: []command.Use{
			{"", "shows", note("show")},
			{"catalogue [FILE]", "loads prices", note("catalogue")},
			{"staff list", "lists", note("list")},
			{"staff EMAIL NAME", "adds", note("add")},
			{"resume NUMBER…", "goes on", note("resume")},
		},
	}
}

func TestCommand_WordsOfAUse_RunItWithItsArguments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		words, want []string
		loud        bool
	}{
		{nil, []string{"show"}, false},
		{[]string{"-loud"}, []string{"show"}, true},
		{[]string{"catalogue"}, []string{"catalogue"}, false},
		{[]string{"catalogue", "-loud", "a.json"}, []string{"catalogue", "a.json"}, true},
		{[]string{"staff", "list"}, []string{"list"}, false},
		{[]string{"staff", "a@b.in", "Asha Rao"}, []string{"add", "a@b.in", "Asha Rao"}, false},
		{[]string{"-loud", "resume", "1", "2"}, []string{"resume", "1", "2"}, true},
	} {
		var ran []string
		loud := false
		require.NoError(t, example(&ran, &loud).Run(t.Context(), command.Call{}, c.words...))
		require.Equal(t, c.want, ran)
		require.Equal(t, c.loud, loud, "%v", c.words)
	}
}

func TestCommand_WordsOfNoUse_AreRefusedWithTheForms(t *testing.T) {
	t.Parallel()
	for _, words := range [][]string{{"resume"}, {"resume", ""}, {"resume", "1", ""}, {"staff", "", "Asha"}, {"catalogue", "a", "b"}, {"other"}, {"-quiet"}} {
		var ran []string
		loud := false
		err := example(&ran, &loud).Run(t.Context(), command.Call{}, words...)
		require.ErrorContains(t, err, "want seed, seed catalogue [FILE], seed staff list, seed staff EMAIL NAME, seed resume NUMBER…, -loud", "%v", words)
		require.Empty(t, ran, "%v", words)
	}
}

func TestUsage_Commands_HasALineForEachUseAndFlag(t *testing.T) {
	t.Parallel()
	var ran []string
	loud := false
	require.Regexp(t, `(?m)^  seed +shows\n  seed catalogue \[FILE\] +loads prices\n  seed staff list +lists\n(.*\n){2}    -loud +say more$`,
		command.Usage([]command.Command{example(&ran, &loud)}))
}

func TestSetting_Missing_IsNamed(t *testing.T) {
	t.Parallel()
	c := command.Call{Getenv: func(string) string { return "" }}
	_, err := c.Setting("DATABASE_OWNER_URL")
	require.ErrorContains(t, err, "DATABASE_OWNER_URL is not set")
	require.ErrorContains(t, c.AsOwner(t.Context(), nil), "DATABASE_OWNER_URL is not set")
	_, err = c.Documents()
	require.ErrorContains(t, err, "S3_ENDPOINT is not set")
}
