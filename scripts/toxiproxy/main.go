// Command toxiproxy sits between the processes of a rehearsal and their dependencies, and cuts, slows or silences connections.
// It is Shopify's, at this module's version; HTTP_ADDR serves its API.
package main

import (
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
)

func main() {
	host, port, err := net.SplitHostPort(os.Getenv("HTTP_ADDR"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "toxiproxy: HTTP_ADDR:", err)
		os.Exit(1)
	}
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(prometheus.NewRegistry()), zerolog.Nop())
	go server.Listen(host, port)
	end := make(chan os.Signal, 1)
	signal.Notify(end, os.Interrupt, syscall.SIGTERM)
	<-end
}
