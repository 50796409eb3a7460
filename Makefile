# Franchise 360. `make help` lists what there is.

GO ?= go
DATA_DIR ?= .data
export DATA_DIR
# A checkout that belongs to another user, as in many a container, has no version that Go could read; nomsgpack leaves out of gin
# what nothing uses and takes a tenth of the time to compile. Only debuggers read DWARF, which takes a seventh: DEBUG=1 keeps it.
# Where there is a C compiler Go would ask it for parts that it has itself; the product is built without, too.
export CGO_ENABLED ?= 0
# Packages with thousands of methods of which few are called: their calls are not inlined, which a third of their compilation goes into.
NOT_INLINED := github.com/redis/go-redis/v9 github.com/jackc/pgx/v5/pgtype github.com/google/go-tpm/tpm2
export GOFLAGS := $(GOFLAGS) -buildvcs=false -tags=nomsgpack $(if $(DEBUG),,-ldflags=-w -gcflags=all=-dwarf=false \
	$(foreach package,$(NOT_INLINED),'-gcflags=$(package)=-dwarf=false -l'))
# A compiler ends before its garbage matters: to collect less of it saves a fifth of the time, for some 200 MB.
COMPILE := GOGC=400 $(GO)
# The product and the programs beside it that are built and tested here; then modules with a few lines of ours, for whose sake
# a linter that asks for types would have to read a whole program of others.
MODULES := . scripts/checkcompose scripts/kubernetes scripts/sbom scripts/versitygw
TOOL_MODULES := scripts/bench/pocketbase scripts/contractclient scripts/proxy scripts/toxiproxy

# Pinned, so that a new rule is a change of ours and not of the day.
GOLANGCI_VERSION := v2.15.0
BIN := $(abspath $(DATA_DIR))/bin
TOOLS := $(abspath $(DATA_DIR))/tools
GOLANGCI := $(TOOLS)/golangci-lint-$(GOLANGCI_VERSION)

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: ## start the whole product on this machine (PORT=8080, DATA_DIR=.data); Ctrl-C ends it
	@$(COMPILE) build -o $(BIN)/devstack ./scripts/devstack
	@exec $(BIN)/devstack

.PHONY: production
production: ## run what docker-compose.yml describes as processes of this machine (PORT=8443, DATA_DIR=.data, SETTINGS=my.env, OPTIONS="-clocks -breakable"); Ctrl-C ends it
	@$(COMPILE) build -o $(BIN)/production ./scripts/production
	@exec $(BIN)/production $(OPTIONS)

.PHONY: cluster
cluster: ## run what docker-compose.cluster.yml adds, too: three Postgres under Patroni, three etcd, PgBouncer, two of each process
	@$(COMPILE) build -o $(BIN)/production ./scripts/production
	@exec $(BIN)/production -cluster $(OPTIONS)

.PHONY: admin
admin: ## run a command of admin's beside `make production`, or with CLUSTER=1 beside `make cluster` (RUN="seed staff list")
	@$(BIN)/production $(if $(CLUSTER),-cluster) admin $(RUN)

.PHONY: admin-alone
admin-alone: ## the same with database and object store only, where `make production` does not run
	@$(BIN)/production alone $(RUN)

FILE ?= franchise360-$(shell date -u +%Y%m%dT%H%M%SZ).tar.gz

.PHONY: backup
backup: ## save all that a running `make production` keeps (FILE=franchise360-<now>.tar.gz)
	@umask 077 && $(BIN)/production admin backup > $(FILE).part && mv $(FILE).part $(FILE) && echo $(FILE)

.PHONY: restore
restore: ## read a backup into a DATA_DIR without a production form in it, and check the books (FILE=…)
	@$(COMPILE) build -o $(BIN)/production ./scripts/production
	@$(BIN)/production restore $(FILE)

# Programs that run side by side each compile what is not compiled yet: the tests, the linters and the stacks of the browser tests would
# all start with the same packages.
.PHONY: compile
compile: ## compile every package and its tests, which make test and make check then find
	@$(COMPILE) list -export -deps -test ./... >/dev/null

.PHONY: compile-programs
compile-programs: ## compile what is no test, which the stacks of the browser tests start with
	@$(GO) list -export -deps ./... >/dev/null

SUITES ?=

.PHONY: test
test: compile testall ## run every test: Go, web client, browser (SUITES="go web" runs those alone)
	@$(BIN)/testall $(SUITES)

.PHONY: test-go
test-go: testall ## run the Go tests only (POSTGRES_HOME=/usr/lib/postgresql/15 runs them on that server)
	@$(BIN)/testall go

.PHONY: test-web
test-web: testall ## run the web client's unit tests only
	@$(BIN)/testall web

.PHONY: test-browser
test-browser: testall ## run the browser tests only
	@$(BIN)/testall browser

.PHONY: race
race: export CGO_ENABLED := 1
race: ## run the product's Go tests with the race detector (half an hour on two cores; needs a C compiler)
	@$(GO) run ./scripts/testdb $(GO) test -race -vet=off -timeout=1h ./api/... ./worker/... ./pkg/... ./migrations/...

.PHONY: access
access: web-packages ## hold every public page against the accessibility rules in every look and width
	ALL_LOOKS=1 npm --prefix web run --silent e2e -- e2e/public-access.e2e.ts

.PHONY: bench
bench: ## measure the product, each figure as a ratio to a limit of the same run (BENCH="-only login -write")
	@$(GO) run ./scripts/bench $(BENCH)

.PHONY: histories
histories: ## hold two thousand random histories of customers against the rules and the books (HISTORIES="-rapid.seed=7")
	@$(GO) run ./scripts/testdb $(GO) test ./pkg/payment -count=1 -v -timeout=1h -run RandomHistories -rapid.checks=100 $(HISTORIES)

.PHONY: simulate
simulate: ## let 10 years go by for 1,000 customers, checking the books every month (SIMULATE="-tenants 50 -years 2 -seed 7")
	@$(GO) run ./scripts/simulate $(SIMULATE)

.PHONY: faults
faults: ## break the production form, or with CLUSTER=1 the cluster, part by part while people buy, and count what came of it (FAULTS="-only api -write")
	@$(COMPILE) build -o $(BIN)/drill ./scripts/drill
	@exec $(BIN)/drill $(if $(CLUSTER),-cluster) $(FAULTS)

.PHONY: verify-books
verify-books: ## check the books of the running stack, or of WORKER_DATABASE_URL
	@$(GO) run ./scripts/admin verifybooks

# Built and not `go run`, so that the count of the tests is the last line, also when one fails.
.PHONY: testall
testall:
	@$(COMPILE) build -o $(BIN)/testall ./scripts/testall

.PHONY: check
check: check-generated ## lint, types, generated files, contract, documents, compose file, Kubernetes' manifests, licences
	@$(MAKE) --no-print-directory check-sources

# All of `make check` that writes nothing into the tree, so that it can run beside the tests.
.PHONY: check-sources
check-sources:
	@$(MAKE) --no-print-directory -j2 $(if $(filter output-sync,$(.FEATURES)),--output-sync) check-go check-web check-contract check-documents check-compose check-kubernetes check-licences

.PHONY: check-go
check-go: $(GOLANGCI) ## lint the Go code
	for module in $(MODULES) $(TOOL_MODULES); do $(GO) -C $$module mod tidy -diff || exit 1; done
	for module in $(MODULES); do (cd $$module && $(GOLANGCI) run --allow-parallel-runners ./...) || exit 1; done

.PHONY: check-web
check-web: web-packages ## check format, style, unused code, types and translations of the web client
	npm --prefix web run --silent format:check
	npm --prefix web run --silent lint
	npm --prefix web run --silent lint:styles
	npm --prefix web run --silent lint:unused
	npm --prefix web run --silent types
	npm --prefix web run --silent messages:check

.PHONY: check-generated
check-generated: web-packages ## find generated files that `make generate` would change
	./scripts/check-generated.sh

.PHONY: check-contract
check-contract: web-packages ## check api/openapi.yaml
	./scripts/check-contract.sh

.PHONY: check-documents
check-documents: ## check the Markdown: plain English, links, commands, paths, length
	@$(GO) run ./scripts/checkdocs

.PHONY: check-compose
check-compose:
	$(COMPILE) build -C scripts/checkcompose -o $(BIN)/checkcompose .
	$(BIN)/checkcompose docker-compose.yml
	$(BIN)/checkcompose docker-compose.yml docker-compose.cluster.yml

.PHONY: check-kubernetes
check-kubernetes:
	$(COMPILE) build -C scripts/kubernetes -o $(BIN)/checkkubernetes .
	$(BIN)/checkkubernetes scripts/kubernetes docker-compose.yml

.PHONY: check-licences
check-licences:
	$(GO) run -C scripts/sbom . check

# What it compares with is fetched anew each time, hence not a part of `make check`.
.PHONY: scan
scan: ## look for known vulnerabilities in what the product is made of (needs the network, and says so)
	@scripts/scan.sh

.PHONY: digests
digests: ## write the digests of the images that Dockerfile and compose file name (needs the network)
	@scripts/digests.sh

.PHONY: release
release: ## make the files of a release in DATA_DIR/release (VERSION=v1.2.0, ARCH=amd64)
	$(GO) run ./scripts/release -arch $(or $(ARCH),amd64) $(or $(VERSION),$(error say which: VERSION=v1.2.0)) $(DATA_DIR)/release/$(VERSION)-$(or $(ARCH),amd64)

.PHONY: sbom
sbom: web-packages ## write what the product is made of to DATA_DIR/sbom, as CycloneDX, and its licences
	@mkdir -p $(DATA_DIR)/sbom
	$(GO) run -C scripts/sbom . write $(abspath $(DATA_DIR))/sbom
	npm --prefix web sbom --omit=dev --workspaces=false --package-lock-only --sbom-format=cyclonedx > $(DATA_DIR)/sbom/web.json

.PHONY: generate
generate: web-packages ## write the files that follow from others (*.gen.*, migrations/schema.sql, the diagram of pkg/README.md, copies of colours)
	npm --prefix web run --silent generate
	$(GO) run ./scripts/packages
	$(GO) run ./scripts/testdb $(GO) run ./scripts/schema
	$(GO) run ./scripts/settings
	WRITE_TEMPLATES=1 $(GO) test -count=1 -run Register ./pkg/message ./api/outage

.PHONY: fmt
fmt: $(GOLANGCI) web-packages ## format the Go code and the web client
	$(GOLANGCI) fmt ./...
	npm --prefix web run --silent format

# Runs npm ci only where the installed packages differ from the lock.
.PHONY: web-packages
web-packages:
	$(GO) run ./scripts/npminstall web

$(GOLANGCI):
	GOBIN=$(TOOLS) $(COMPILE) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	mv $(TOOLS)/golangci-lint $@

# Lighthouse is a tool of the developer's, kept apart from the client's packages.
LIGHTHOUSE := $(TOOLS)/lighthouse-12
SITE ?= http://localhost:8080

.PHONY: journey
journey: web-packages ## walk from the landing page to paid on a slow network, beside the goals (a running stack; SITE=http://localhost:8080)
	node web/scripts/journey.mjs $(SITE)

.PHONY: lighthouse
lighthouse: $(LIGHTHOUSE) web-packages ## measure the public pages of a running stack (SITE=http://localhost:8080; QUICK=1 measures once, PAGES="/ /pricing")
	node web/scripts/lighthouse.mjs $(LIGHTHOUSE) $(SITE) $(if $(QUICK),--quick) $(PAGES)

$(LIGHTHOUSE):
	npm install --silent --no-audit --no-fund --prefix $@.new lighthouse@12 && mv $@.new $@

.PHONY: linkcheck
linkcheck: ## follow every link of the public pages of a running stack (SITE=http://localhost:8080)
	node web/scripts/linkcheck.mjs $(SITE)

.PHONY: screenshots
screenshots: web-packages ## take the site's pictures and recordings from a running stack (SITE=http://localhost:8080)
	node web/scripts/screenshots.mjs $(SITE)
	node web/scripts/record.mjs $(SITE)
