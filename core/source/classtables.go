package source

import "strings"

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

var (
	// vendorDirs are the names under which package managers and habit keep other people's code.
	vendorDirs  = wordSet("vendor vendors node_modules third_party third-party thirdparty bower_components jspm_packages .yarn site-packages")
	vendorFiles = wordSet("gradlew gradlew.bat mvnw mvnw.cmd .pnp.cjs .pnp.js .pnp.loader.mjs")

	testDirs = wordSet("test tests __tests__ __test__ __mocks__ __snapshots__ __fixtures__ testdata spec specs e2e cypress test_data unittests")

	docDirs  = wordSet("doc docs documentation man")
	docExts  = wordSet("md mdx markdown rst adoc asciidoc org textile pod rdoc wiki tex")
	docNames = wordSet("readme license licence copying notice authors contributors changelog changes history install todo contributing security code_of_conduct maintainers news thanks patents copyright unlicense")

	configExts  = wordSet("json jsonc json5 yaml yml toml ini cfg conf properties xml plist env editorconfig gradle tf tfvars hcl nix cmake mod sum work lock bazel bzl")
	configNames = wordSet("makefile gnumakefile justfile taskfile dockerfile containerfile vagrantfile procfile jenkinsfile gemfile rakefile podfile brewfile build workspace cmakelists.txt pipfile " +
		".gitignore .gitattributes .gitmodules .gitconfig .dockerignore .repoxignore .npmignore .eslintignore .prettierignore .mailmap .npmrc .nvmrc .node-version .python-version .ruby-version .tool-versions codeowners go.mod go.work setup.py manifest.in py.typed")

	lockFiles = wordSet("package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock cargo.lock poetry.lock uv.lock pdm.lock pipfile.lock gemfile.lock composer.lock go.sum go.work.sum deno.lock flake.lock gopkg.lock mix.lock pubspec.lock podfile.lock")

	sourceExts = wordSet("go py pyi pyx pyw rs ts tsx mts cts js jsx mjs cjs vue svelte astro " +
		"c h cc cpp cxx hh hpp hxx inl m mm java kt kts scala sc groovy clj cljs cljc cs fs fsi fsx vb swift dart zig nim v d " +
		"rb erb php pl pm t lua r jl hs lhs ml mli elm ex exs erl hrl lisp cl el scm rkt sh bash zsh fish ksh ps1 psm1 bat cmd awk tcl " +
		"sql proto thrift graphql gql capnp fbs css scss sass less styl html htm xhtml asm s f f90 f95 for pas pp ada adb ads vhd vhdl sv svh cu cl glsl hlsl wgsl frag vert metal sol cob cbl coffee wat ipynb")
)
