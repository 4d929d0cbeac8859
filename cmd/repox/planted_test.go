package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// family is a kind of secret: a line as it stands in a file, and the part of it that must not leave.
type family struct {
	name, text, value string
	// token: the value is known by itself, so that it can stand in a name.
	token bool
}

// drawn gives n characters of an alphabet, always the same for a seed.
func drawn(seed uint32, n int, alphabet string) string {
	out := make([]byte, n)
	for i := range out {
		seed = seed*1664525 + 1013904223
		out[i] = alphabet[int(seed>>16)%len(alphabet)]
	}
	return string(out)
}

const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	mixed   = letters + "0123456789"
	capital = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	hexa    = "0123456789abcdef"
)

// families are put together here, so that none stands in this file.
func families() []family {
	password := func(seed uint32) string { return drawn(seed, 7, mixed) + "!" + drawn(seed+1, 6, mixed) + "7q" }
	url := func(scheme string, seed uint32, rest string) family {
		v := drawn(seed, 15, mixed) + "4"
		return family{name: scheme, text: scheme + "://app:" + v + "@db.internal" + rest, value: v}
	}
	named := func(name, format string, v string) family {
		return family{name: name, text: fmt.Sprintf(format, v), value: v}
	}
	token := func(name, prefix string, seed uint32, n int, alphabet string) family {
		v := prefix + drawn(seed, n, alphabet)
		return family{name: name, text: "use " + v + " for it", value: v, token: true}
	}
	pair := base64.StdEncoding.EncodeToString([]byte("deploy:" + password(70)))
	return []family{
		token("aws", "AKI"+"A", 1, 16, capital), token("github", "gh"+"p_", 2, 36, mixed), token("gitlab", "glp"+"at-", 3, 20, mixed),
		token("slack", "xox"+"b-2041"+"77315-", 4, 24, mixed), token("stripe", "sk_"+"live_", 5, 24, mixed), token("npm", "np"+"m_", 6, 36, mixed),
		token("google", "AI"+"za", 7, 35, mixed), token("anthropic", "sk-"+"ant-api03-", 8, 93, mixed),
		token("jwt", "ey"+"J", 9, 30, mixed),
		url("postgres", 20, ":5432/shop"), url("redis", 21, ":6379/0"), url("amqp", 22, "/vhost"), url("mongodb", 23, "/admin"), url("https", 24, "/x.git"),
		named("libpq", "host=db.internal user=app password=%s dbname=shop", password(30)),
		named("jdbc", "jdbc:sqlserver://db.internal:1433;user=app;password=%s;encrypt=true", password(32)),
		named("odbc", "Driver={SQL Server};Server=db.internal;Uid=app;Pwd=%s;", password(34)),
		named("bearer", "Authorization: Bearer %s", drawn(40, 40, mixed)), named("basic", "Authorization: Basic %s", pair),
		named("curl", "curl -u deploy:%s https://api.internal/v1", password(42)),
		named("assigned", "db_password = '%s'", password(44)), named("yaml", "password: %s", password(46)),
		named("json", `{"client_secret": "%s"}`, drawn(48, 32, hexa)), named("netrc", "machine api.internal login deploy password %s", password(50)),
		named("npmrc", "//registry.internal/:_authToken=%s", drawn(52, 36, mixed)), named("docker", `{"auths": {"registry.internal": {"auth": "%s"}}}`, pair),
		named("sentence", "the password is %s for now", password(56)),
	}
}

// planted is a repository with a secret of each family in every place where it can stand.
type planted struct {
	dir      string
	families []family
	key      string // the body of a private key of many lines
	goal     string
}

func newPlanted(t *testing.T) *planted {
	t.Helper()
	p := &planted{dir: t.TempDir(), families: families()}
	// Every token stands with something before and after it; a JWT is known by its two parts.
	for i := range p.families {
		if f := &p.families[i]; f.name == "jwt" {
			f.value = "ey" + "J" + drawn(9, 30, mixed) + ".ey" + "J" + drawn(10, 60, mixed) + "." + drawn(11, 43, mixed)
			f.text, f.token = "cookie: session="+f.value, false
		}
	}
	for i := range 26 {
		p.key += drawn(uint32(100+i), 64, mixed+"+/") + "\n"
	}
	var goSource, python, script, rust, env, notes, package_ strings.Builder
	goSource.WriteString("package planted\n\n")
	for i, f := range p.families {
		fmt.Fprintf(&goSource, "// Marker%d says %s\nconst Marker%d = `%s`\n\nfunc Use%d(a string) string { return a + `%s` }\n\n", i, f.text, i, f.text, i, f.text)
		fmt.Fprintf(&python, "# %s\nMARKER_%d = r\"\"\"%s\"\"\"\n\ndef use_%d(a=r'''%s'''):\n    \"\"\"%s\"\"\"\n    return a\n\n", f.text, i, f.text, i, f.text, f.text)
		fmt.Fprintf(&script, "/** %s */\nexport const marker%d = `%s`;\nexport function use%d(a: string = `%s`): string { return a }\n", f.text, i, f.text, i, f.text)
		fmt.Fprintf(&rust, "/// %s\npub const MARKER_%d: &str = r#\"%s\"#;\n", f.text, i, f.text)
		fmt.Fprintf(&notes, "- %s\n", f.text)
		fmt.Fprintf(&env, "%s\n", f.text)
		if f.token && !strings.Contains(f.value, "-") {
			fmt.Fprintf(&goSource, "func Get_%s() {}\n\n", f.value)
			fmt.Fprintf(&python, "def get_%s():\n    pass\n\n", f.value)
		}
		if f.token {
			p.write(t, "at-"+f.value+"/inner.go", "package inner\n\n// Inner says "+f.text+"\nfunc Inner() {}\n")
			p.write(t, "named_"+f.value+".py", "def named():\n    pass\n")
		}
	}
	fmt.Fprintf(&package_, "{\"name\": \"planted\", \"dependencies\": {\n")
	for i, f := range p.families {
		if strings.Contains(f.text, "://") && !strings.Contains(f.text, `"`) {
			fmt.Fprintf(&package_, "  \"dep%d\": \"git+%s\",\n", i, f.text)
			fmt.Fprintf(&script, "import dep%d from \"%s\";\n", i, f.text)
		}
	}
	package_.WriteString("  \"last\": \"1.0.0\"\n}}\n")
	// A snippet of at most 20 lines begins or ends inside of the key, wherever it is cut.
	block := "-----BEGIN RSA PRIVATE " + "KEY-----\n" + p.key + "-----END RSA PRIVATE " + "KEY-----"
	fmt.Fprintf(&goSource, "// OpenVault opens the vault with the key of the deployment.\nfunc OpenVault(vault string) string {\n\tkey := `%s`\n\treturn vault + key\n}\n", block)
	fmt.Fprintf(&goSource, "\nconst vaultKeyOfDeployment = %q\n", block)
	p.write(t, "planted.go", goSource.String())
	p.write(t, "planted.py", python.String())
	p.write(t, "src/planted.ts", script.String())
	p.write(t, "src/lib.rs", rust.String())
	p.write(t, ".env", env.String())
	p.write(t, "NOTES.md", notes.String())
	p.write(t, "package.json", package_.String())
	p.write(t, "go.mod", "module example.org/planted\n\ngo 1.24\n")
	p.write(t, "Cargo.toml", "[package]\nname = \"planted\"\nversion = \"0.1.0\"\ndescription = '''"+p.families[9].text+"'''\n")
	p.write(t, "deploy.pem", block+"\n")
	p.write(t, "broken_"+p.families[1].value+".go", "package x\n\nfunc broken( {\n")
	goal := []string{"open the vault of the deployment, Marker0"}
	for _, f := range p.families {
		goal = append(goal, f.text)
	}
	p.goal = strings.Join(goal, "\n")
	p.commit(t)
	return p
}

func (p *planted) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// commit makes a history whose messages, author and branch hold secrets.
func (p *planted) commit(t *testing.T) {
	t.Helper()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = p.dir
		author := "Dev " + p.families[0].value
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_AUTHOR_NAME="+author, "GIT_AUTHOR_EMAIL=d@example.org",
			"GIT_COMMITTER_NAME="+author, "GIT_COMMITTER_EMAIL=d@example.org")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "fix-"+p.families[1].value)
	git("add", "-A", "-f")
	git("commit", "-q", "-m", "Open the vault of the deployment")
	for i, f := range p.families {
		p.write(t, "planted.py", fmt.Sprintf("# change %d\ndef use():\n    pass\n", i))
		git("commit", "-q", "-a", "-m", "open the vault: "+f.text+"\n\nBecause "+f.text)
	}
}

// leaks names the families of which a piece is in b.
func (p *planted) leaks(b []byte) []string {
	var out []string
	holds := func(value string) bool {
		const run = 12
		for i := 0; i+run <= len(value); i++ {
			if bytes.Contains(b, []byte(value[i:i+run])) {
				return true
			}
		}
		return len(value) < run && bytes.Contains(b, []byte(value))
	}
	for _, f := range p.families {
		if holds(f.value) {
			out = append(out, f.name)
		}
	}
	for i, line := range strings.Fields(p.key) {
		if holds(line) {
			out = append(out, fmt.Sprintf("line %d of the private key", i+1))
		}
	}
	return out
}

// TestNothingPlantedLeaves greps every output, cache file, log and report of runs over a repository with a secret of each
// family in every place.
func TestNothingPlantedLeaves(t *testing.T) {
	p := newPlanted(t)
	work := t.TempDir()
	cache, reports := filepath.Join(work, "cache"), filepath.Join(work, "reports")
	brief := filepath.Join(work, "brief.yaml")
	// The goal stands outside of the file, so that its lines need no quotes.
	pipeline := fmt.Sprintf("version: 1\nsource: {path: %q}\nlanguages: [go, typescript, javascript, rust, python]\nstages:\n  - extract\n  - {use: goal, with: {goal: \"${GOAL}\"}}\n  - redact\n  - %s\n",
		p.dir, filepath.Join(binaries, "stage-brief"))
	if err := os.WriteFile(brief, []byte(pipeline), 0o644); err != nil {
		t.Fatal(err)
	}
	debug := []string{"--log-level", "debug"}
	for _, args := range [][]string{
		{"index", "build", p.dir},
		{"map", p.dir, "--budget", "32000", "--timings"}, {"map", p.dir, "--format", "markdown"}, {"map", p.dir, "--format", "json", "--budget", "32000"},
		{"map", p.dir, "--no-cache", "--focus", p.families[1].value},
		{"tags", p.dir}, {"tags", p.dir, "--format", "ctags"}, {"tags", p.dir, "--no-cache"},
		{"run", brief, "--timings"}, {"run", brief}, {"run", brief, "--no-cache"},
		{"index", "status", p.dir, "--format", "json"}, {"index", "refresh", p.dir},
	} {
		cmd := exec.Command(filepath.Join(binaries, "repox"), append(args, debug...)...)
		cmd.Env = append(os.Environ(), "REPOX_CACHE_DIR="+cache, "GOAL="+p.goal)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%q: %v\n%s", args[:2], err, out)
		}
		if found := p.leaks(out); found != nil {
			t.Errorf("%q prints %q", args, found)
			if testing.Verbose() {
				t.Logf("%s", out)
			}
		}
	}
	stored := grep(t, p, cache)
	if !bytes.Contains(stored, []byte("OpenVault")) {
		t.Error("the cache cannot be read, or holds nothing of the repository: what it holds was not looked at")
	}
	if _, err := os.Stat(reports); err == nil {
		grep(t, p, reports)
	}
}

// grep looks for what was planted in the names and bytes of all files below dir, and gives the bytes.
func grep(t *testing.T, p *planted, dir string) []byte {
	t.Helper()
	var all []byte
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		all = append(all, b...)
		if found := p.leaks(append([]byte(path), b...)); found != nil {
			t.Errorf("%s holds %q", path, found)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
