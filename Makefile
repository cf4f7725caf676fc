# The commands of this project; `make` without arguments lists them. Needs GNU make 3.81 (macOS) or
# later, and a POSIX sh.

SWIFT = swift
# The oldest Swift that builds the package: keep it in sync with the first line of Package.swift.
SWIFT_WANTED = 6 2

PREFIX = /usr/local
BINDIR = $(DESTDIR)$(PREFIX)/bin
SHARE = $(DESTDIR)$(PREFIX)/share
MANDIR = $(SHARE)/man/man1
# The folders in which the shells look for completions of a command.
BASH_COMPLETION = $(SHARE)/bash-completion/completions/dogwalk
ZSH_COMPLETION = $(SHARE)/zsh/site-functions/_dogwalk
FISH_COMPLETION = $(SHARE)/fish/vendor_completions.d/dogwalk.fish
COMPLETIONS = '$(BASH_COMPLETION)' '$(ZSH_COMPLETION)' '$(FISH_COMPLETION)'

# Release builds use their own folder, so that they and the tests do not replace each other's files.
# The program is a single static file if this machine can link one, with its functions in the order
# of $(SYMBOL_ORDER) if `make release` has written that file.
RELEASE_PATH = .build/release-static
SYMBOL_ORDER = $(RELEASE_PATH)/startup.order
RELEASE_BUILD = DOGWALK_LINKING=$$($(OWN_FOLDER) sh Scripts/linking '$(SWIFT)') \
  DOGWALK_SYMBOL_ORDER=$$(ls "$$PWD/$(SYMBOL_ORDER)" 2>/dev/null) \
  $(SWIFT_BUILD) -c release --scratch-path $(RELEASE_PATH) $(BUILD_FLAGS)
# Additional arguments for `swift build`.
BUILD_FLAGS =
RELEASE = $(RELEASE_PATH)/release

# The same build that a dependent package uses, for measuring the library.
PLAIN_BUILD = $(SWIFT_BUILD) -c release --scratch-path .build/plain

# A release with stores on servers uses its own folder, since it compiles the whole package again.
SERVER_RELEASE_PATH = .build/release-postgresql
SERVER_RELEASE_BUILD = $(SWIFT_BUILD) -c release --traits PostgreSQL --static-swift-stdlib \
  --scratch-path $(SERVER_RELEASE_PATH)
# `make install POSTGRESQL=yes` also installs the program for stores on servers.
POSTGRESQL =

DEMONSTRATION = .build/demonstration
# The folder in which packages are made.
PACKAGES = .build/packages

# Swift keeps caches in the home folder and fails if it cannot write there, so it gets another one.
ifneq ($(shell test -d "$$HOME" && test -w "$$HOME" && echo yes),yes)
  export HOME := $(CURDIR)/.build/home
  $(shell mkdir -p .build/home 2>/dev/null)
endif

# Temporary files are put into a separate folder for each command: in a shared one, another user's
# files may get in the way.
OWN_FOLDER = sh Scripts/with-temporary-folder
SWIFT_TEST = $(OWN_FOLDER) sh Scripts/run-tests $(SWIFT) test
SWIFT_BUILD = $(OWN_FOLDER) $(SWIFT) build

# There is a single debug build, with stores on servers if PostgreSQL's client library is installed.
DEBUG_TEST = $(OWN_FOLDER) sh Scripts/run-tests sh Scripts/swift-debug test
DEBUG_BUILD = $(OWN_FOLDER) sh Scripts/swift-debug build
DEBUG = $$(sh Scripts/swift-debug build --show-bin-path)

FORMATTED = Package.swift Sources Tests Plugins Benchmarks Examples/Package.swift Examples/Sources

# The folder of an installation, in which `make check-release` runs the recorded sessions.
INSTALLED = $(CURDIR)/.build/installed

# The total minutes of `make fuzz` and `make torment`, the parts or tests to run (all if none is
# given), and the seed for random numbers (a random one if none is given).
MINUTES = 5
ONLY =
SEED =

.PHONY: help run build test record lint format docs examples sanitize coverage bench bench-cli bench-documents bench-large bench-server bench-peers release \
  deb formula fuzz torment check check-all check-more check-packages check-pages check-pooler check-release install uninstall clean ready \
  tools-for-bench-cli tools-for-servers tools-for-tests
.NOTPARALLEL:

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

run: ready ## build dogwalk, add a walk to a demonstration store, and list it
	@test -e "$(DEBUG)/dogwalk" || echo 'Building dogwalk: the first build takes some minutes.'
	@$(DEBUG_BUILD) --quiet --product dogwalk
	@rm -rf $(DEMONSTRATION) && mkdir -p $(DEMONSTRATION)
	@export DOGWALK_STORE=$(DEMONSTRATION)/DogWalk.sqlite; program=$(DEBUG)/dogwalk; \
	  for words in 'add Fido 35m yesterday 18:00' 'list'; do \
	    printf '$$ dogwalk %s\n' "$$words"; "$$program" $$words || exit; \
	  done
	@printf '%s\n' '' "To start your own log: make install PREFIX=\$$HOME/.local, then dogwalk add and your dog's name."

build: ready tools-for-servers ## build everything for debugging
	@$(DEBUG_BUILD) --build-tests

test: ready tools-for-servers ## run all tests, with a temporary PostgreSQL server: ONLY=SessionTests for some
	@$(DEBUG_TEST) $(if $(ONLY),--filter '$(ONLY)')

record: ready ## record all sessions again with the program's current output
	@RECORD=1 $(DEBUG_TEST) --filter 'DogWalkCommandsTests.SessionTests'
	@git status --short Tests/Sessions README.md

lint: ready ## check formatting, layers, leftover notes and line lengths
	@status=0; \
	  $(SWIFT) format lint --strict --recursive --parallel $(wildcard $(FORMATTED)) || status=1; \
	  sh Scripts/check-layers || status=1; \
	  sh Scripts/check-columns || status=1; \
	  sh Scripts/version >/dev/null || status=1; \
	  exit $$status

format: ready ## format every Swift file in place
	@$(SWIFT) format --in-place --recursive --parallel $(wildcard $(FORMATTED))

docs: ready ## check that all public declarations are documented, and write a site into .build/docs
	@sh Scripts/install-missing python3
	@$(DEBUG_BUILD)
	@$(OWN_FOLDER) sh Scripts/check-documentation

examples: ready ## build and run the sample programs: each must print what its README shows
	@$(OWN_FOLDER) sh Scripts/check-examples

# Leaks are not checked, since XCTest and the runtime have some of their own.
sanitize: ready ## run the tests under Thread Sanitizer and Address Sanitizer
	@SANITIZER=thread $(SWIFT_TEST) --sanitize=thread --scratch-path .build/thread
	@ASAN_OPTIONS=detect_leaks=0 $(SWIFT_TEST) --sanitize=address --scratch-path .build/address

coverage: ready ## run the tests and show which share of the lines they cover
	@$(SWIFT_TEST) --enable-code-coverage --scratch-path .build/coverage
	@sh Scripts/check-coverage .build/coverage

bench: ready ## compare the library's speed with C on the same tables
	@$(PLAIN_BUILD) --product bench
	@$(OWN_FOLDER) .build/plain/release/bench

# They are compared with Python's modules and libxml2.
bench-documents: ready ## compare document stores with the fastest other readers of these formats
	@$(PLAIN_BUILD) --product bench
	@$(OWN_FOLDER) .build/plain/release/bench documents Benchmarks/documents.py

bench-cli: ready tools-for-bench-cli release ## compare complete commands with the sqlite3 shell
	@$(RELEASE_BUILD) --product bench
	@$(RELEASE_BUILD) --product storetool
	@$(OWN_FOLDER) $(RELEASE)/bench cli $(RELEASE)/dogwalk $(RELEASE)/storetool Models/DogWalk.xcdatamodeld

# The stores, 2 GB, are kept in .build/large for later runs.
bench-large: ready release ## compare fetching a few of 10,000,000 walks with fetching them from 100,000
	@$(RELEASE_BUILD) --product bench
	@$(OWN_FOLDER) $(RELEASE)/bench large $(RELEASE)/dogwalk .build/large

bench-server: ready ## compare a store on a temporary PostgreSQL server with C, and with SQLAlchemy if it is installed
	@$(SWIFT_BUILD) -c release --traits PostgreSQL --scratch-path $(SERVER_RELEASE_PATH)-plain --product bench
	@$(OWN_FOLDER) sh Scripts/with-postgres sh -c \
	  '$(SERVER_RELEASE_PATH)-plain/release/bench server "$$TEST_POSTGRES" Benchmarks/orm.py'

# GRDB is downloaded from its public repository, or taken from a folder with GRDB=FOLDER.
bench-peers: ready ## compare the library with GRDB, which is downloaded
	@$(SWIFT_BUILD) -c release --package-path Benchmarks/peers --scratch-path .build/peers
	@$(OWN_FOLDER) .build/peers/release/peers

release: ready $(SYMBOL_ORDER) ## build a release of dogwalk, ordered by the functions of everyday commands
	@$(RELEASE_BUILD) --product dogwalk

# SwiftPM links again if the arguments of the linker change, but does not check the contents of the
# files that they name, so the old file is removed first.
$(SYMBOL_ORDER): $(shell find Sources -type f) Package.swift Scripts/record-startup
	@sh Scripts/install-missing valgrind python3
	@rm -f $(SYMBOL_ORDER)
	@$(RELEASE_BUILD) --product dogwalk
	@echo 'Recording the functions of everyday commands: about two minutes.'
	@python3 Scripts/record-startup $(RELEASE)/dogwalk > $(RELEASE_PATH)/recording
	@mv $(RELEASE_PATH)/recording $(SYMBOL_ORDER)

# The package contains the files of `make install`, with zsh's completions in Debian's folder.
deb: override DESTDIR = $(PACKAGES)/root
deb: override PREFIX = /usr
deb: override ZSH_COMPLETION = $(SHARE)/zsh/vendor-completions/_dogwalk
deb: release ## make a Debian package of the released program
	@rm -rf '$(DESTDIR)'
	$(install-files)
	@sh Scripts/make-deb '$(DESTDIR)' $(PACKAGES)

formula: ## write a Homebrew formula, and the archive that it names: URL=address of the archive
	@mkdir -p $(PACKAGES)
	@sh Scripts/make-formula $(PACKAGES) '$(URL)'

check-packages: $(if $(shell command -v dpkg-deb),deb) formula ## test the packages, and completions in shells
	@sh Scripts/install-missing python3 bash-completion zsh fish
	@$(MAKE) install DESTDIR= PREFIX='$(CURDIR)/$(PACKAGES)/local'
	@sh Scripts/check-packages $(PACKAGES)
	@python3 Scripts/check-completions $(PACKAGES)/local

fuzz: ready ## fuzz the parsers: MINUTES=5 ONLY=json SEED=1
	@SEED=$(SEED) $(OWN_FOLDER) sh Scripts/fuzz $(MINUTES) $(ONLY)

torment: ready ## inject faults: kills, disk errors, contention, damaged input: MINUTES=5 ONLY=kills SEED=1
	@sh Scripts/install-missing python3 strace
	@$(DEBUG_BUILD) --build-tests
	@$(RELEASE_BUILD) --product dogwalk
	@$(OWN_FOLDER) python3 Scripts/torment/run --minutes $(MINUTES) $(if $(SEED),--seed $(SEED)) \
	  --program $(RELEASE)/dogwalk $(ONLY)

check-pages: ready ## check the page of report --html in a headless browser: KEEP=pages keeps screenshots
	@sh Scripts/install-missing chromium python3
	@$(DEBUG_BUILD) --product dogwalk
	@$(OWN_FOLDER) python3 Scripts/check-pages "$(DEBUG)/dogwalk" $(KEEP)

# Uses the tests that `make check` has built.
check-pooler: ready tools-for-servers ## run the tests of stores on servers through a pooler (pgbouncer)
	@if sh Scripts/install-missing pgbouncer; then \
	  POOLER=yes $(DEBUG_TEST) \
	    --filter 'SessionTests|A store on a server|ServerMigrationTests|ServerUndoLogTests|ServerCheckTests' \
	    --skip 'has no such database|a role that may only read finds'; \
	else echo 'Stores on a server behind a pooler are not tested: pgbouncer is not installed.'; fi

check: lint build test docs ## run the checks that a change has to pass

check-all: ready tools-for-tests tools-for-servers ## run all checks, as an ordinary user and as root: also the release, examples, packages, pages, a pooler, fuzz, torment
	@sh Scripts/check-all

# The additional checks of check-all, which use the tests that `make check` has built.
check-more: check-release examples check-packages check-pages check-pooler
	@$(OWN_FOLDER) sh Scripts/check-package
	@$(MAKE) fuzz MINUTES=3 SEED=1
	@$(MAKE) torment MINUTES=3 SEED=1

# Runs the recorded sessions with the files of `make install`.
check-release: ready
	@rm -rf '$(INSTALLED)'
	@$(MAKE) install DESTDIR= PREFIX='$(INSTALLED)'
	@$(OWN_FOLDER) sh Scripts/check-release '$(INSTALLED)'

install: ready ## install dogwalk (not storetool): PREFIX=/usr/local, POSTGRESQL=yes for stores on servers
	@sh Scripts/check-writable '$(BINDIR)'
	@sh Scripts/check-writable '$(MANDIR)'
	@for file in $(COMPLETIONS); do sh Scripts/check-writable "$$(dirname "$$file")" || exit; done
	@$(RELEASE_BUILD) --product dogwalk
	$(install-files)
	$(if $(POSTGRESQL),$(install-server-program))
	@echo "Installed $(BINDIR)/dogwalk, its manual page, and completions for bash, zsh and fish."

# Installs the last build into the folders above.
define install-files
	@mkdir -p '$(BINDIR)'
	@cp $(RELEASE)/dogwalk $(RELEASE_PATH)/dogwalk && strip $(RELEASE_PATH)/dogwalk
	@install -m 755 $(RELEASE_PATH)/dogwalk '$(BINDIR)/dogwalk'
	@mkdir -p '$(MANDIR)'
	@$(RELEASE_PATH)/dogwalk help --man > $(RELEASE_PATH)/dogwalk.1
	@install -m 644 $(RELEASE_PATH)/dogwalk.1 '$(MANDIR)/dogwalk.1'
	@set -- bash zsh fish; for file in $(COMPLETIONS); do \
	  $(RELEASE_PATH)/dogwalk completions $$1 > $(RELEASE_PATH)/completion || exit; shift; \
	  mkdir -p "$$(dirname "$$file")" && install -m 644 $(RELEASE_PATH)/completion "$$file" || exit; \
	done
endef

# Installs the same commands, built with stores on servers; dogwalk runs this program for those.
define install-server-program
	@sh Scripts/install-missing libpq-fe.h
	@$(SERVER_RELEASE_BUILD) --product dogwalk
	@cp $(SERVER_RELEASE_PATH)/release/dogwalk $(SERVER_RELEASE_PATH)/dogwalk-postgresql && \
	  strip $(SERVER_RELEASE_PATH)/dogwalk-postgresql
	@install -m 755 $(SERVER_RELEASE_PATH)/dogwalk-postgresql '$(BINDIR)/dogwalk-postgresql'
	@echo "Installed $(BINDIR)/dogwalk-postgresql, which dogwalk runs for stores on servers."
endef

uninstall: ## remove the installed files
	@sh Scripts/check-writable '$(BINDIR)'
	@for file in $(COMPLETIONS); do test ! -e "$$file" || \
	  sh Scripts/check-writable "$$(dirname "$$file")" || exit; done
	@rm -f '$(BINDIR)/dogwalk' '$(BINDIR)/dogwalk-postgresql' '$(MANDIR)/dogwalk.1' $(COMPLETIONS)
	@echo "Removed $(BINDIR)/dogwalk. Your walks are kept."

clean: ## remove all build products
	@rm -rf .build

# The requirements for building: a recent Swift, and the headers of SQLite and zlib, which are
# installed if they are missing.
ready:
	$(swift-or-stop)
	@sh Scripts/install-missing sqlite3.h zlib.h

# The requirements for testing stores on servers; if they cannot be installed, these tests are
# skipped with a message.
tools-for-servers:
	@sh Scripts/install-missing libpq-fe.h initdb || true

# The requirements for some tests and sessions, which are skipped otherwise.
tools-for-tests:
	@sh Scripts/install-missing python3 sqlite3 bash-completion zsh fish

tools-for-bench-cli:
	@sh Scripts/install-missing sqlite3 strace

# Stops make with a message, before anything else, if Swift is missing or too old.
swift-or-stop = $(if $(filter yes,$(swift-is-young-enough)),,$(error dogwalk needs Swift \
$(subst $(space),.,$(SWIFT_WANTED)) or later, but \
$(if $(swift-version),only $(swift-version) is installed,it is not installed): download it from https://www.swift.org/install))
swift-version = $(shell $(OWN_FOLDER) $(SWIFT) --version 2>/dev/null | \
  sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
swift-is-young-enough = $(shell echo $(subst ., ,$(swift-version)) $(SWIFT_WANTED) | \
  awk 'NF == 4 && ($$1 > $$3 || ($$1 == $$3 && $$2 >= $$4)) { print "yes" }')
empty =
space = $(empty) $(empty)
