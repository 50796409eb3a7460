package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// EndProcess ends a process left by an earlier, killed run. It checks the command line first: without mark, the id has been
// reused by an unrelated process, which is left alone.
func EndProcess(ctx context.Context, pid int, mark string, gentle syscall.Signal) error {
	if !strings.Contains(commandLine(ctx, pid), mark) {
		return nil
	}
	for _, signal := range []syscall.Signal{gentle, syscall.SIGKILL} {
		if err := syscall.Kill(pid, signal); errors.Is(err, syscall.ESRCH) {
			return nil
		} else if err != nil {
			return fmt.Errorf("end the process %d of an earlier run: %w", pid, err)
		}
		for deadline := time.Now().Add(stopTimeout / 2); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
			if commandLine(ctx, pid) == "" {
				return nil
			}
		}
	}
	return fmt.Errorf("the process %d of an earlier run does not end", pid)
}

// commandLine returns the command line of a live process, or ""; zombies have none.
func commandLine(ctx context.Context, pid int) string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err == nil {
		return strings.ReplaceAll(string(text), "\x00", " ")
	}
	if _, err := os.Stat("/proc/self"); err == nil {
		return ""
	}
	output, err := exec.CommandContext(ctx, "ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return ""
	}
	return string(output)
}
