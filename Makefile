# The way in. Each target brings what it needs; what is up to date is left alone.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup tools build test test-all test-fast test-jvm test-python test-settings test-jena6 clean-clone fuzz streams mutants bench profile release docs demo chaos storm storm-fuseki peers rules clean

VENV := .venv
PYTHON := $(VENV)/bin/python
# Spark, JPype and Gradle all go by JAVA_HOME, so that they run on the same JDK.
WITH_JAVA := JAVA_HOME="$$(scripts/java-home)" && export JAVA_HOME &&
GRADLE := $(WITH_JAVA) gradle --quiet

help: ## Shows this
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup: tools $(VENV)/.ready ## Brings JDK 17, Gradle and the Python environment .venv where they are missing

tools:
	@scripts/setup-tools

$(VENV)/.ready: requirements-dev.txt python/pyproject.toml conformance/pyproject.toml | tools
	@echo "Making $(VENV) ..."
	@"$$(scripts/python)" -m venv $(VENV)
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable python --editable conformance
	@touch $@

build: setup build/.built ## Makes the jars, and puts the bundle into the Python package

# What the jars are made of. Gradle would find out by itself that nothing changed, but takes seconds for it.
BUILT_FROM := $(shell find jvm proto -type f -not -path 'jvm/src/test/*') build.gradle settings.gradle gradle.properties \
	requirements-dev.txt scripts/generate_stubs.py python/src/jellybridge/_version.py LICENSE NOTICE
ifeq ($(wildcard python/src/jellybridge/jars/jellybridge-bundle-*.jar),)
.PHONY: build/.built
endif

build/.built: $(BUILT_FROM) $(VENV)/.ready
	@$(GRADLE) assemble
	@touch $@

# moto, a server of S3, which asks for other versions than the development environment has.
build/s3/.ready: requirements-s3.txt $(VENV)/.ready
	@rm -rf build/s3 && mkdir -p build/s3
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --target build/s3/site -r requirements-s3.txt
	@touch $@

# What tests start many JVMs from.
build/.archives: build/.built tests/class_archives.py
	@$(WITH_JAVA) $(PYTHON) tests/class_archives.py
	@touch $@

test: ## Runs what a change may break, in 20 minutes
	@"$$(scripts/python)" scripts/suite.py push

test-all: ## Runs every part of the suite and says its minutes; PART="kafka hdfs" runs these
	@"$$(scripts/python)" scripts/suite.py all $(PART)

# Tests write to a folder that goes when they end. Those of make test-all write to the disk, as users do.
scratch = folder=$$(scripts/scratch) && trap 'rm -rf "$$folder"' EXIT && export TMPDIR="$$folder" &&

# $(call junit,ARGUMENTS) runs JUnit tests, then says which failed and which took longest.
reports = $${JELLYBRIDGE_REPORTS:-build/reports/junit}
junit = rm -rf "$(reports)"; $(GRADLE) junit $(1) && failed=0 || failed=1; \
	$(PYTHON) scripts/junit_report.py "$(reports)"; exit $$failed

test-jvm: setup $(if $(FULL)$(filter S3%,$(TESTS)),build/s3/.ready) ## Runs the JUnit tests; TESTS="NQuadsParserTest ArchitectureTest" these classes, FULL=1 the long ones, JENA=6 those of Jena on Jena 6
	@$(if $(FULL),,$(scratch)) tests=$(if $(TESTS),-Ptests=$$($(PYTHON) scripts/test_class.py $(TESTS))); \
		$(call junit,$$tests $(if $(JENA),-Pjena=$(JENA)) $(if $(FULL),-Pfull))

test-fast: build ## Runs what needs neither Spark nor a server nor long, in three minutes
	@$(scratch) ( $(call junit,-Pfast) )
	@$(scratch) $(WITH_JAVA) $(PYTHON) -m pytest --durations 10 tests/test_package.py tests/jpype \
		-k "conformance or doctests or vectors or pipes or capture or test_log"

# Without Spark and with it, in processes of their own: where Spark runs, its JVM is the one that is used.
pytest = JENA=$(JENA) $(PYTHON) -m pytest --durations 15
report = $${JELLYBRIDGE_REPORTS:+--junitxml=$$JELLYBRIDGE_REPORTS/$(1).xml}
spread = --numprocesses 2 --dist loadfile

test-python: build build/.archives $(if $(filter s3 documents,$(PART)),build/s3/.ready) ## Runs the Python tests; ARGS="-k bundle" hands arguments to pytest, PART=kafka runs a part of test-all
	@$(if $(PART),,$(scratch)) $(WITH_JAVA) $(if $(ARGS),$(pytest) $(ARGS), \
		status=0; $(foreach folder,tests/jpype tests,$(pytest) $(folder) $(if $(PART),--part $(PART)) $(spread) $(if $(filter 6,$(JENA)),-k fuseki) \
			$(call report,$(notdir $(folder))) || { [ $$? = 5 ] || status=1; }; ) exit $$status)

test-settings: build build/.archives ## Runs the tests of Spark under each profile of tests/profiles.py; PROFILE=kryo under one
	@$(WITH_JAVA) $(PYTHON) tests/profiles.py $(PROFILE)

test-jena6: build build/.archives ## Runs the tests of Jena on Jena 6, which needs a JDK 21 or newer
	@status=0; for part in test-jvm "test-python PART=" "test-python PART=jena6"; do $(MAKE) --no-print-directory $$part JENA=6 || status=1; done; exit $$status

# What `make` brings is enough: no home, no caches but those of the registries.
clean-clone: ## Clones the last commit into an empty folder with an empty home, and runs the README's two commands there
	@scripts/clean-clone

fuzz: setup ## Fuzzes the readers, guided by coverage, for ten minutes; SECONDS=60 for one
	@$(GRADLE) fuzz -PfuzzSeconds=$(or $(SECONDS),600)

mutants: setup ## Changes the code an instruction at a time, and lists what no test notices; ROOM=wire, codec, apply, log or sync, or CLASSES=sync.Lease* TESTS=sync.LeaseTest
	@$(GRADLE) mutants$(if $(CLASSES),-some '-PmutantClasses=$(CLASSES)' $(if $(TESTS),'-PmutantTests=$(TESTS)'),$(if $(ROOM),-$(ROOM))) \
		>build/mutants.log || { tail -40 build/mutants.log; exit 1; }
	@$(PYTHON) scripts/surviving_mutants.py build/reports/mutants $(if $(CLASSES),some,$(ROOM))

streams: setup ## Compares the readers with protobuf's own on generated streams; N=30000 of them
	@$(GRADLE) streams -Pstreams=$(or $(N),30000)

bench: build ## Measures speed against the peers, and draws the chart of README.md; QUICK=1 in ten minutes, ONLY=read one group, DATA=FOLDER with releases
	@$(GRADLE) benchClasspath
	@$(WITH_JAVA) $(PYTHON) benchmarks/run.py $(if $(QUICK),--quick) $(if $(ONLY),--only $(ONLY)) $(if $(DATA),--data "$(DATA)")

profile: build ## Profiles the benchmarks of the codec, into benchmarks/PROFILE.md, in about five minutes
	@$(GRADLE) benchClasspath
	@$(WITH_JAVA) $(PYTHON) benchmarks/profile_codec.py

release: build ## Makes what would be uploaded, in build/release: wheel, sdist, and a Maven repository
	@$(WITH_JAVA) scripts/release

DOCS := build/docs-venv

docs: $(DOCS)/.ready ## Builds the documentation site, in build/docs; needs no network once its generator is installed
	@NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/mkdocs build --strict --quiet
	@echo "build/docs/index.html"

# The generator stays apart from the development environment.
$(DOCS)/.ready: requirements-docs.txt
	@rm -rf $(DOCS) && "$$(scripts/python)" -m venv $(DOCS)
	@$(DOCS)/bin/pip install --quiet --disable-pip-version-check -r requirements-docs.txt
	@touch $@

demo: build ## Runs the main job on an example; DATA=FOLDER runs it on the snapshots in there
	@$(WITH_JAVA) $(PYTHON) examples/demo.py $(if $(DATA),--data "$(DATA)")

chaos: build $(if $(S3),build/s3/.ready) ## Kills syncs, servers and writers of logs at random moments and checks that nothing is lost; KILLS=50 of each kind, S3=1 writers to a bucket
	@$(GRADLE) storm -Pkills=$(or $(KILLS),50) $(if $(S3),-Pbucket)
	@$(if $(S3),,$(WITH_JAVA) $(PYTHON) tests/chaos.py --kills $(or $(KILLS),50))

storm: build ## Has 1,000 subscribers and 100 publishers on the server of gRPC, then kills it in mid-publish; KILLS=20 times
	@$(WITH_JAVA) $(PYTHON) tests/grpc_storm.py --kills $(or $(KILLS),20)

storm-fuseki: build ## Kills a primary Fuseki, its replicas and a follower KILLS=30 times while 16 clients write, and measures rates and lag
	@$(WITH_JAVA) $(PYTHON) tests/fuseki_storm.py --kills $(or $(KILLS),30)

PEERS := build/peers

peers: build $(PEERS)/.ready ## Compares what is read with what rdflib and Oxigraph read, over the RDF files that Python packages ship
	@$(WITH_JAVA) $(PYTHON) scripts/peers.py
	@$(WITH_JAVA) $(PYTHON) -m pytest --quiet tests/test_rdflib_patches.py

# The source archives hold the test data; the parsers stay apart from the development environment.
$(PEERS)/.ready: requirements-peers.txt $(VENV)/.ready
	@rm -rf $(PEERS) && mkdir -p $(PEERS)/packages
	@$(PYTHON) -m pip download --quiet --disable-pip-version-check --no-deps --no-binary rdflib,pyshacl,prov \
		--dest $(PEERS)/packages -r requirements-peers.txt
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --target $(PEERS)/site -c requirements-peers.txt rdflib pyoxigraph
	@touch $@

rules: ## Writes docs/rules.md anew, from the comments in codec/Rule.java
	@"$$(scripts/python)" scripts/rules_page.py >docs/rules.md

clean: ## Removes what the build made; .venv stays
	@rm -rf build .gradle python/src/jellybridge/jars python/src/jellybridge/proto python/LICENSE python/NOTICE
