// Command kubernetes validates this folder's manifests as the API server does, without a cluster, and verifies that pods are confined,
// references resolve, and every setting in docker-compose.yml is set.
package main

import (
	"log/slog"
	"os"
)

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if len(os.Args) != 3 {
		logger.Error("want the folder of the manifests and the compose file")
		os.Exit(2)
	}
	if err := check(os.Args[1], os.Args[2]); err != nil {
		logger.Error("manifests", slog.String("error", err.Error()))
		os.Exit(1)
	}
}
