# make help lists the targets. Nothing need be installed but git, Go and make.
SHELL := /bin/sh
.DEFAULT_GOAL := help

GO ?= go
# The root and the run time are one workspace (go.work), which the pattern "work" names. All other
# modules stand alone: in the workspace they would raise client-go for all, and the lowest version
# would not be tested.
ALONE := GOWORK=off $(GO) -C
NESTED := benchmarks examples/operator runtime/ctrlevents test/browser test/clientgo test/corpora test/e2e test/golangci test/monitoring tools
RUNTIME := github.com/event-gen/event-gen/runtime
BIN := $(CURDIR)/bin
EVENT_GEN := $(GO) run ./cmd/event-gen
WITH_CLUSTER := $(ALONE) test/e2e run ./cmd/with-cluster
# The race detector needs a C compiler.
CC_FOUND := $(shell command -v $$($(GO) env CC) 2>/dev/null)
RACE := $(if $(CC_FOUND),-race,)
# By default, every program that is built with the race detector sleeps for a second before it ends.
export GORACE := $(or $(GORACE),atexit_sleep_ms=0)
# A compiler that collects garbage less often is a fifth faster. The tests that measure memory
# (full) have Go's default.
demo test check race generate release-check: export GOGC := $(or $(GOGC),400)
# Sizes, counters and hashes are narrower on 32 bits. Linux on amd64 runs such programs. Elsewhere
# they are only compiled and vetted.
RUNS_NARROW := $(filter linux/amd64,$(shell $(GO) env GOHOSTOS)/$(shell $(GO) env GOHOSTARCH))
NARROW := GOOS=linux GOARCH=386 CGO_ENABLED=0 $(GO) test $(if $(RUNS_NARROW),,-exec=true)
# The packages that start goroutines, or whose tests do.
CONCURRENT = ./runtime/sink/memory/ $(shell git grep -lE '^[[:space:]]+go [a-zA-Z]|[.]Go.func' -- '*.go' ':!*/testdata/*' ':!cmd' $(NESTED:%=':!%') \
	| sed 's,[^/]*$$,,; s,^,./,' | sort -u)

CATALOGS := examples/catalog.yaml $(wildcard examples/*/catalog.yaml)
# The run time's own, which repeats some of the examples' events, so that it is judged apart from
# them.
FIXTURE := runtime/internal/fixture/catalog.yaml
# That of examples/operator, in its module.
OPERATOR := internal/events/catalog.yaml

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z][a-z0-9-]*:.*## / { printf "%-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## generate the recorders of a CronJob's catalog, play its life in memory, and show what the compiler catches
	$(EVENT_GEN) generate examples/catalog.yaml
	@GO="$(GO)" sh examples/demo.sh

.PHONY: demo-cluster
demo-cluster: ## the same against a real kube-apiserver and etcd, in both API groups, seen with kubectl
	@$(GO) build -o $(BIN)/controller ./examples/controller
	@$(WITH_CLUSTER) -- sh $(CURDIR)/examples/demo-cluster.sh $(BIN)/controller

# CMD is passed as a variable of the environment, so that its quotes and dollars reach the shell. CMD
# sees neither the variables of this make nor GOWORK=off.
.PHONY: with-cluster
with-cluster: export FOLDER := $(or $(PWD),$(CURDIR))
with-cluster: export COMMAND := $(value CMD)
with-cluster: ## CMD='go run ./cmd' runs a command of yours beside a real kube-apiserver and etcd, in the folder where you call make -C CLONE
	@test -n "$$COMMAND" || { echo "with-cluster: expected a command, as in: make -C $(CURDIR) with-cluster CMD='go run ./cmd'" >&2; exit 2; }
	@$(ALONE) test/e2e build -o $(BIN)/with-cluster ./cmd/with-cluster
	@cd "$$FOLDER" && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES -u CMD -u FOLDER -u COMMAND -u GORACE $(BIN)/with-cluster -- sh -c "$$COMMAND"

.PHONY: test
test: ## gofmt, vet and the tests of the workspace that take a minute or two; what a contributor breaks by accident
	@unformatted=$$(git ls-files '*.go' | xargs gofmt -l); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(GO) test -short -vet=all $(TESTFLAGS) work

.PHONY: verify
verify: check full race modules e2e ## all else that must hold before a change lands

.PHONY: check
check: ## staticcheck; the example recorders are what their catalogs make, and the catalogs have no errors
	$(ALONE) tools build -o $(BIN)/staticcheck honnef.co/go/tools/cmd/staticcheck
	$(BIN)/staticcheck work
	@$(GO) build -o $(BIN)/event-gen ./cmd/event-gen
	$(BIN)/event-gen generate --check $(CATALOGS)
	$(BIN)/event-gen generate --check $(FIXTURE)
	cd examples/operator && GOWORK=off $(BIN)/event-gen generate --check $(OPERATOR)
	$(BIN)/event-gen lint $(CATALOGS)
	@tag=$$(git describe --tags --abbrev=0 2>/dev/null); \
	if [ -z "$$tag" ]; then echo "no release tag yet: nothing to compare the catalogs with"; \
	else $(BIN)/event-gen breaking --against="$$tag" $(CATALOGS); fi

.PHONY: full
full: ## the tests of the workspace without -short: all scripts, full simulations, memory, the tutorial; the run time on 32 bits
	$(GO) test -count=1 -vet=off -timeout=30m work
	$(NARROW) -short -count=1 ./runtime ./runtime/correlator/...

.PHONY: race
race: ## the race detector: packages that start goroutines, and two scripts of the command
	@$(if $(RACE),,echo "no C compiler found: testing without the race detector")
	$(GO) test $(RACE) -short -count=1 -vet=off $(CONCURRENT)
	$(GO) test $(RACE) -short -count=1 -vet=off -run='^TestScripts$$/^(generate|scanfindings)$$' ./cmd/event-gen

.PHONY: modules
modules: ## the nested modules that need no server, with newer versions of Kubernetes' libraries
	$(ALONE) test/clientgo test -count=1 -vet=all ./...
	$(ALONE) benchmarks test -count=1 -vet=all ./...
	$(ALONE) runtime/ctrlevents test $(RACE) -count=1 -vet=all ./...
	$(ALONE) runtime/ctrlevents test -count=1 -vet=all -modfile=versions/v0.24.mod ./...
	$(ALONE) runtime/ctrlevents test -count=1 -vet=all -modfile=versions/latest.mod ./...
	$(ALONE) examples/operator test -count=1 -vet=all ./api/... ./cmd/... ./internal/...
	$(ALONE) test/monitoring test -count=1 -vet=all ./...

.PHONY: e2e
e2e: ## the tests against a real kube-apiserver, etcd and kubectl; builds these once; KUBERNETES=1.35 or 1.36: other versions
	$(WITH_CLUSTER) --build-only
	$(ALONE) test/e2e test -count=1 -vet=all -timeout=30m ./...
	$(ALONE) examples/operator test -count=1 -vet=all ./test/...

.PHONY: generate
generate: ## generate the recorders of the example catalogs, and those that the run time is tested with
	@$(GO) build -o $(BIN)/event-gen ./cmd/event-gen
	$(BIN)/event-gen generate $(CATALOGS)
	$(BIN)/event-gen generate $(FIXTURE)
	cd examples/operator && GOWORK=off $(BIN)/event-gen generate $(OPERATOR)

.PHONY: bench
bench: ## client-go's recorders and ours on the same work; writes benchmarks/RESULTS.md, chart.svg and a table of README.md (20 minutes, on an idle machine; EVENT_GEN_BUSY=1: on any); SERVER=1: on a real server
ifdef SERVER
	EVENT_GEN_SERVER_COSTS=$(CURDIR)/benchmarks/SERVER.md $(ALONE) test/e2e test -count=1 -timeout=1h -run='^TestServerCosts$$' .
else
	@mkdir -p $(BIN)
	$(ALONE) benchmarks test -run '^Test' -count=1 -v . >$(BIN)/bench.txt
	$(ALONE) benchmarks test -run '^$$' -bench . -count=5 -timeout=60m . >>$(BIN)/bench.txt
	$(ALONE) benchmarks run ./chart $(BIN)/bench.txt
endif

.PHONY: soak
soak: ## FOR=10m the operator and a broadcaster on a real server in random trouble, from a SEED; REPORT=docs/soak.md also writes a picture
	$(WITH_CLUSTER) --build-only
	$(ALONE) test/e2e run ./cmd/soak -for=$(or $(FOR),10m) -seed=$(or $(SEED),0) -report='$(if $(REPORT),$(abspath $(REPORT)),)'

.PHONY: fuzz
fuzz: ## all fuzz targets, each for TIME=1m; TARGET=FuzzRead: those of this name; keeps some of the inputs found as corpora
	test/fuzz.sh $(or $(TIME),1m) '$(or $(TARGET),.)'

.PHONY: release-check
release-check: ## whether VERSION=v0.1.0 could be released from HEAD: what users do, from a module proxy; assets in bin/VERSION
	$(GO) run ./test/release -version=$(VERSION)

.PHONY: rows
rows: ## compares what scan and migrate do in 41 public repositories with docs/evidence; by hand or at night; ONLY='lws keda', UPDATE=1 writes
	$(ALONE) test/corpora run . rows $(if $(UPDATE),-update) $(ONLY)

.PHONY: ablate
ablate: ## what each part of the tools for existing code pays: its lines, and the rows that it changes; an hour; ONLY and UPDATE as for rows
	$(ALONE) test/corpora run . ablate $(if $(UPDATE),-update) $(ONLY)

.PHONY: knockout
knockout: ## switches off one rule of the correlator after the other: a test must fail for each (a quarter of an hour); RULE='words': those only
	$(GO) run ./test/knockout $(RULE)

.PHONY: tidy
tidy: ## go mod tidy in all modules; that of the root finds the run time of the tree, released or not
	$(ALONE) runtime mod tidy
	@mkdir -p $(BIN) && cp go.mod $(BIN)/tidy.mod && cp go.sum $(BIN)/tidy.sum
	$(GO) mod edit -replace=$(RUNTIME)=./runtime $(BIN)/tidy.mod
	GOWORK=off $(GO) mod tidy -modfile=$(BIN)/tidy.mod
	$(GO) mod edit -dropreplace=$(RUNTIME) $(BIN)/tidy.mod
	@mv $(BIN)/tidy.mod go.mod && mv $(BIN)/tidy.sum go.sum
	for module in $(NESTED); do $(ALONE) $$module mod tidy || exit 1; done
	for version in v0.24 latest; do $(ALONE) runtime/ctrlevents mod tidy -modfile=versions/$$version.mod || exit 1; done
