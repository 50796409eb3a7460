package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/franchise360/franchise360/scripts/embedded"
)

// runVitest appends reporter arguments to one of the web client's test commands, runs it and counts from vitest's report.
func runVitest(command *exec.Cmd, out io.Writer) (total count, err error) {
	folder, err := embedded.TemporaryFolder("franchise360-report-")
	if err != nil {
		return total, fmt.Errorf("make a folder for the report: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	file := filepath.Join(folder, "report.json")
	// On Ctrl-C the script gets time to close its browser and stack.
	const patience = 40 * time.Second
	command.Args = append(command.Args, "--reporter=default", "--reporter=json", "--outputFile.json="+file)
	command.Dir = "web"
	// The suites load the machine together; a file run alone gives up after seconds.
	command.Env = append(command.Environ(), "PATIENT=1")
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = patience
	// With a plain writer, Run waits for everything that the script started, such as a stack that is still stopping.
	command.Stdout = struct{ io.Writer }{out}
	command.Stderr = command.Stdout
	failure := command.Run()

	text, err := os.ReadFile(file)
	if err != nil {
		return total, errors.Join(failure, fmt.Errorf("read the report: %w", err))
	}
	total, err = countVitest(text)
	if err == nil && failure != nil && total.failed == 0 {
		return total, failure
	}
	return total, err
}

// countVitest reads a report; a file whose tests could not even be collected counts as one failed test.
func countVitest(report []byte) (count, error) {
	var read struct {
		Passed  int `json:"numPassedTests"`
		Failed  int `json:"numFailedTests"`
		Pending int `json:"numPendingTests"`
		Todo    int `json:"numTodoTests"`
		Files   []struct {
			Name    string `json:"name"`
			Status  string `json:"status"`
			Message string `json:"message"`
			Tests   []struct {
				Name     string   `json:"fullName"`
				Status   string   `json:"status"`
				Messages []string `json:"failureMessages"`
			} `json:"assertionResults"`
		} `json:"testResults"`
	}
	if err := json.Unmarshal(report, &read); err != nil {
		return count{}, fmt.Errorf("read the report: %w", err)
	}
	total := count{passed: read.Passed, skipped: read.Pending + read.Todo}
	for _, file := range read.Files {
		if file.Status == "failed" {
			total.where = append(total.where, file.Name)
		}
		if file.Status == "failed" && len(file.Tests) == 0 {
			total.add(failedTest(file.Name, file.Message))
		}
		for _, test := range file.Tests {
			if test.Status == "failed" {
				total.add(failedTest(file.Name+" "+test.Name, strings.Join(test.Messages, "\n")))
			}
		}
	}
	// Should the report name fewer than it counts, the number stands.
	total.failed = max(total.failed, read.Failed)
	return total, nil
}
