// Command kubernetes validates this folder's manifests as the API server does, without a cluster, and verifies that pods are confined,
// references resolve, and every setting in docker-compose.yml is set; also in each size of the product. With -write it writes the sizes.
package main

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
)

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if len(os.Args) != 3 {
		logger.Error("want the folder of the manifests and the compose file, or -write and the folder")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		logger.Error("manifests", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

func run(folder, compose string) error {
	if folder == "-write" {
		return writeSizes(compose)
	}
	all, err := files(folder)
	if err != nil {
		return err
	}
	problem := check(all, compose)
	if _, err := os.Stat(filepath.Join(folder, kustomization)); err == nil {
		problem = errors.Join(problem, checkSizes(folder, compose))
	}
	return problem
}
