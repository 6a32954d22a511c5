# make help lists the targets. Nothing need be installed but git, Go and make.
SHELL := /bin/sh
.DEFAULT_GOAL := help

GO ?= go
# The root and the run time are one workspace (go.work), which the pattern "work" names. All other modules stand alone: in the
# workspace they would raise client-go for all, and the lowest version would not be tested.
ALONE := GOWORK=off $(GO) -C
NESTED := benchmarks examples/operator runtime/ctrlevents test/browser test/clientgo test/e2e test/golangci tools
RUNTIME := github.com/event-gen/event-gen/runtime
BIN := $(CURDIR)/bin
EVENT_GEN := $(GO) run ./cmd/event-gen
# The race detector needs a C compiler.
CC_FOUND := $(shell command -v $$($(GO) env CC) 2>/dev/null)
RACE := $(if $(CC_FOUND),-race,)
# What only a debugger would read is a quarter of compiling.
LEAN := -gcflags=all=-dwarf=false
# Many tests wait for other programs, so one package more than there are processors is tested at a time.
AT_ONCE := $(shell expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1)
# What is built without the race detector is built with the flags of the tutorial and of the servers, so that the standard library is
# compiled for it once.
TRIMMED := -trimpath $(LEAN)
# Vet, staticcheck and whatever tests build share the packages that the tests are made of: everything is compiled once.
test e2e check: export GOFLAGS := $(strip $(GOFLAGS) $(RACE) $(LEAN))
# A compiler that collects garbage less often is a fifth faster. Tests of memory, and those against servers, have Go's default.
test: export GOGC := $(or $(GOGC),400)
# By default, every program that is built with the race detector sleeps for a second before it ends.
export GORACE := $(or $(GORACE),atexit_sleep_ms=0)
# Linux on amd64 runs programs of 32 bits. Elsewhere they are only compiled and vetted.
RUNS_NARROW := $(filter linux/amd64,$(shell $(GO) env GOHOSTOS)/$(shell $(GO) env GOHOSTARCH))
NARROW := GOFLAGS=$(LEAN) GOOS=linux GOARCH=386 CGO_ENABLED=0 $(GO) test -vet=all $(if $(RUNS_NARROW),,-exec=true)

CATALOGS := examples/catalog.yaml $(wildcard examples/*/catalog.yaml)
# The run time's own, which repeats some of the examples' events, so that it is judged apart from them.
FIXTURE := runtime/internal/fixture/catalog.yaml
# That of examples/operator, in its module.
OPERATOR := internal/events/catalog.yaml

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z][a-z0-9-]*:.*## / { printf "%-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: generate ## generate the example recorders, play a CronJob's life in memory, and show what the compiler catches
	@GO="$(GO)" sh examples/demo.sh

.PHONY: demo-cluster
demo-cluster: generate with-cluster ## the same against a real kube-apiserver and etcd, in both API groups, seen with kubectl
	@$(GO) build -o $(BIN)/controller ./examples/controller
	@$(BIN)/with-cluster -- sh examples/demo-cluster.sh $(BIN)/controller

.PHONY: generate
generate: ## generate the recorders of the example catalogs, and those that the run time is tested with
	$(EVENT_GEN) generate $(CATALOGS)
	$(EVENT_GEN) generate $(FIXTURE)
	@$(GO) build -o $(BIN)/event-gen ./cmd/event-gen
	cd examples/operator && GOWORK=off $(BIN)/event-gen generate --fake $(OPERATOR)

.PHONY: check
check: ## fail if the example recorders are not what their catalogs make, or the catalogs have errors
	$(EVENT_GEN) generate --check $(CATALOGS)
	$(EVENT_GEN) generate --check $(FIXTURE)
	@$(GO) build -o $(BIN)/event-gen ./cmd/event-gen
	cd examples/operator && GOWORK=off $(BIN)/event-gen generate --check --fake $(OPERATOR)
	$(EVENT_GEN) lint $(CATALOGS)
	@tag=$$(git describe --tags --abbrev=0 2>/dev/null); \
	if [ -z "$$tag" ]; then echo "no release tag yet: nothing to compare the catalogs with"; \
	else $(EVENT_GEN) breaking --against="$$tag" $(CATALOGS); fi

.PHONY: test
test: format vet staticcheck unit simulation memory narrow ## formatting, vet, staticcheck, and all tests that need no server

.PHONY: format
format: ## fail if gofmt would change a file
	@unformatted=$$(git ls-files '*.go' | xargs gofmt -l); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi

.PHONY: vet
vet: ## go vet (nested modules are vetted with their tests)
	$(GO) vet work

.PHONY: staticcheck
staticcheck: ## staticcheck, in the version that tools/go.mod pins
	@GOFLAGS="$(TRIMMED)" $(ALONE) tools build -o $(BIN)/staticcheck honnef.co/go/tools/cmd/staticcheck
	$(BIN)/staticcheck work

.PHONY: unit
unit: ## unit, script, golden and compile tests (vet and simulation are targets of their own)
	@$(if $(RACE),,echo "no C compiler found: testing without the race detector")
	$(GO) test $(RACE) -p=$(AT_ONCE) -vet=off -skip='^TestSimulation$$' -timeout=20m work
	$(ALONE) test/clientgo test $(RACE) -vet=all ./...
	$(ALONE) benchmarks test $(RACE) -vet=all ./...
	$(ALONE) runtime/ctrlevents test $(RACE) -vet=all ./...
	$(ALONE) examples/operator test $(RACE) -vet=all ./api/... ./cmd/... ./internal/...

.PHONY: simulation
simulation: ## 10,000 random histories of the correlator and 60 of the broadcaster, from new seeds
	$(GO) test $(RACE) -vet=off -count=1 -run='^TestSimulation$$' -v ./runtime/correlator ./runtime/broadcaster

.PHONY: memory
memory: ## what is held is what is counted, and is given back; the race detector holds memory of its own
	GOGC=100 GOFLAGS="$(TRIMMED)" $(GO) test -count=1 -vet=off -run='TestWhatIsHeldIsCounted|TestMemoryIsGivenBack|TestAnIdleIdentityIsSmall' ./runtime/correlator ./runtime/clientgo

.PHONY: narrow
narrow: ## the run time on 32 bits, where sizes, counters and hashes are narrower (half a minute; CGO and the race detector are off)
	$(NARROW) ./runtime ./runtime/correlator/internal/...
	$(NARROW) -run='TestSimulation|TestNoField|TestAClock' ./runtime/correlator -sim.histories=300

.PHONY: e2e
e2e: with-cluster ## the tests against a real kube-apiserver, etcd and kubectl; builds these once
	GOGC=400 $(BIN)/with-cluster --build-only
	@$(MAKE) --no-print-directory -j2 e2e-half e2e-others

# Most of these tests wait most of the time, so that two processes go through them faster than one. HALF are those of one process.
HALF := ^(TestFaults|TestMillionRepeats|TestRepeatsWatched|TestRepeatsBesidePeers|TestConformance|TestDropIn)$$

.PHONY: e2e-half
e2e-half:
	$(ALONE) test/e2e test $(RACE) -vet=all -count=1 -timeout=20m -run='$(HALF)' .
	$(ALONE) examples/operator test $(RACE) -vet=all -count=1 ./test/...

.PHONY: e2e-others
e2e-others:
	$(ALONE) test/e2e test $(RACE) -vet=all -count=1 -timeout=20m -parallel=3 -skip='$(HALF)' ./...

.PHONY: test-browser
test-browser: ## the documentation page in a real headless Chromium, which is found or installed
	$(ALONE) test/browser test -vet=all -count=1 ./...

.PHONY: test-golangci
test-golangci: ## the analyzer in the real golangci-lint, built with the plugin linked in (minutes)
	$(ALONE) test/golangci test -vet=all -count=1 ./...

.PHONY: mutate
mutate: ## weaken or invert each lint rule in turn; every mutant must make a test fail (minutes)
	$(GO) run ./test/mutate

.PHONY: mutate-correlator
mutate-correlator: ## the same for each condition of the correlator, with a short simulation that is always the same (half an hour)
	$(GO) run ./test/mutate -files='runtime/correlator/*'

.PHONY: mutate-dispatch
mutate-dispatch: ## each clause of the promise that trouble has a scope broken by name, and each condition of the dispatcher (half an hour)
	$(GO) run ./test/mutate -promise
	$(GO) run ./test/mutate -files='runtime/internal/dispatch/*'

.PHONY: mutate-noise
mutate-noise: ## break each rule of interval, note: latest, limits and alsoOn by its name; every mutant must make a test fail (minutes)
	$(GO) run ./test/mutate -noise

.PHONY: bench
bench: ## client-go's recorders and ours on the same work; at rest and beside another process; writes benchmarks/RESULTS.md (12 minutes)
	$(ALONE) benchmarks run .

.PHONY: bench-server
bench-server: ## what the same 100,000 occurrences of all three recorders cost a real kube-apiserver and etcd; writes benchmarks/SERVER.md (a quarter of an hour)
	$(ALONE) test/e2e run ./cmd/server-costs -out $(CURDIR)/benchmarks/SERVER.md

.PHONY: with-cluster
with-cluster: ## build bin/with-cluster, which runs a command beside a real control plane
	@$(ALONE) test/e2e build $(RACE) -o $(BIN)/with-cluster ./cmd/with-cluster

.PHONY: tidy
tidy: ## go mod tidy in all modules; that of the root finds the run time of the tree, released or not
	$(ALONE) runtime mod tidy
	@mkdir -p $(BIN) && cp go.mod $(BIN)/tidy.mod && cp go.sum $(BIN)/tidy.sum
	$(GO) mod edit -replace=$(RUNTIME)=./runtime $(BIN)/tidy.mod
	GOWORK=off $(GO) mod tidy -modfile=$(BIN)/tidy.mod
	$(GO) mod edit -dropreplace=$(RUNTIME) $(BIN)/tidy.mod
	@mv $(BIN)/tidy.mod go.mod && mv $(BIN)/tidy.sum go.sum
	for module in $(NESTED); do $(ALONE) $$module mod tidy || exit 1; done

.PHONY: clean
clean: ## remove what was built (not the servers in the user's cache)
	rm -rf $(BIN)
