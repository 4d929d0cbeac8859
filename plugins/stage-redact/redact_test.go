package redact

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/model"
)

// No secret stands in this file: values are put together here, of characters drawn by a small generator.

// chars gives n characters of an alphabet, always the same for a seed.
func chars(seed uint32, n int, alphabet string) string {
	out := make([]byte, n)
	for i := range out {
		seed = seed*1664525 + 1013904223
		out[i] = alphabet[int(seed>>16)%len(alphabet)]
	}
	return string(out)
}

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
	mixed  = lower + upper + digits
)

func TestTheDeclarationsAreSound(t *testing.T) {
	if err := sdk.Validate(New()); err != nil {
		t.Error(err)
	}
	if len(rules) > 64 {
		t.Errorf("%d rules do not fit into a word", len(rules))
	}
}

// positives are texts with a secret between before and after.
func positives() map[string][3]string {
	pw := chars(7, 14, mixed)
	key := chars(8, 64, mixed+"+/")
	return map[string][3]string{
		"aws id":                {`id := "`, "AK" + "IA" + chars(1, 16, upper+"234567"), `"`},
		"aws session id":        {`id := "`, "AS" + "IA" + chars(2, 16, upper+"234567"), `"`},
		"github":                {"token ", "gh" + "p_" + chars(3, 36, mixed), " here"},
		"github fine":           {"x(", "github" + "_pat_" + chars(4, 60, mixed), ")"},
		"slack":                 {"'", "xo" + "xb-" + chars(5, 12, digits) + "-" + chars(6, 24, mixed), "'"},
		"stripe":                {"const k = '", "sk" + "_live_" + chars(9, 24, mixed), "';"},
		"openai":                {"", "sk" + "-proj-" + chars(10, 48, mixed), ""},
		"gitlab":                {"", "gl" + "pat-" + chars(11, 20, mixed), " "},
		"npm":                   {"//registry/:_authToken=", "np" + "m_" + chars(12, 36, mixed), ""},
		"google":                {`key: "`, "AI" + "za" + chars(13, 35, mixed), `"`},
		"jwt":                   {"", "ey" + "J" + chars(14, 20, mixed) + ".ey" + "J" + chars(15, 30, mixed) + "." + chars(16, 43, mixed), ""},
		"bearer":                {`"Authorization": "Bearer `, chars(17, 32, mixed), `"`},
		"url":                   {"postgres://app:", pw, "@db.example.com:5432/app?sslmode=disable"},
		"password in go":        {`const dbPassword = "`, pw, `"`},
		"password short":        {`password = "`, "h0rse" + "!" + "shoe", `"`},
		"typed":                 {`API_TOKEN: str = "`, chars(18, 32, mixed), `"`},
		"json":                  {`{"client_secret": "`, chars(19, 32, mixed), `"}`},
		"default":               {`os.getenv("API_KEY", "`, chars(20, 32, mixed), `")`},
		"shell":                 {"export DB_PASSWORD=", pw, "\nnext"},
		"key on one line":       {`k = "-----BEGIN PRI` + `VATE KEY-----`, `\n` + key + `\n`, `-----END PRI` + `VATE KEY-----"`},
		"key without an end":    {"-----BEGIN RSA PRI" + "VATE KEY-----\n", key, ""},
		"a key id within words": {"backup_", "AK" + "IA" + chars(21, 16, upper+"234567"), "_old.txt"},
	}
}

func TestSecretsGoAndTheRestStays(t *testing.T) {
	for name, c := range positives() {
		want := c[0] + Mark + c[2]
		if got := Redact(c[0] + c[1] + c[2]); got != want {
			t.Errorf("%s: got %q, want %q", name, strings.ReplaceAll(got, c[1], "<the secret>"), want)
		}
		if again := Redact(want); again != want {
			t.Errorf("%s: again gives %q", name, again)
		}
	}
}

func TestWhatIsNoSecretStays(t *testing.T) {
	for _, text := range []string{
		`token: string = props.token`, `password = os.getenv("X")`, `password: process.env.PASSWORD`, `const token = "${TOKEN}"`,
		`func Sign(key ed25519.PrivateKey, msg []byte) []byte`, `type PrivateKey struct`, `testRSA2048PrivateKey := parse(pem)`,
		"sha256:" + chars(30, 64, "0123456789abcdef"), `passwordHash := sha256.Sum256(password)`,
		"-----BEGIN PUBLIC KEY-----\n" + chars(32, 64, mixed) + "\n-----END PUBLIC KEY-----",
		`password = "changeme"`, `secret: "<your-secret>"`, `api_key = "xxxxxxxxxxxxxxxx"`, `token = "your_token_here"`, `"password": "********"`,
		`const SecretKeyHeader = "X-Secret-Key"`, `tokenType = "authorization_code"`, `password = "[REDACTED]"`,
		`token = config.get("github.token")`, `const TOKEN_EXPIRED = "token has expired, please log in"`, `return "Bearer " + token`,
		`https://example.com/path?x=1`, `jdbc:postgresql://host:5432/db`, `http://localhost:8080/@scope/name`, `git@github.com:owner/name.git`,
		`passwordField = "user_password"`, `def token(self) -> str`, `fn next_token(&mut self) -> Option<Token>`, `secret = var.db_secret`,
		`token := lexer.Token{Kind: "identifier"}`, `pk` + `_live_` + chars(33, 24, mixed), "AK" + "IAIOSFODNN7" + "EXAMPLE",
	} {
		if got := Redact(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestAKeyOfSeveralLinesKeepsThem(t *testing.T) {
	body := chars(40, 64, mixed) + "\n" + chars(41, 64, mixed) + "\n" + chars(42, 20, mixed) + "==\n"
	text := "a\n-----BEGIN EC PRI" + "VATE KEY-----\n" + body + "-----END EC PRI" + "VATE KEY-----\nb\n"
	want := "a\n-----BEGIN EC PRI" + "VATE KEY-----\n" + strings.Repeat(Mark+"\n", 3) + "-----END EC PRI" + "VATE KEY-----\nb\n"
	if got := Redact(text); got != want {
		t.Errorf("got %q", got)
	}
	if again := Redact(want); again != want {
		t.Errorf("again gives %q", again)
	}
}

func TestAValueFoundOnceGoesEverywhere(t *testing.T) {
	v := chars(50, 24, mixed)
	if got := Redact(`api_key = "` + v + `"` + "\n// old: " + v); strings.Contains(got, v) {
		t.Errorf("got %q", strings.ReplaceAll(got, v, "<the secret>"))
	}
}

// sections runs the stage.
func sections(t *testing.T, s *model.Selection, f *model.Findings) (*model.Selection, *model.Findings) {
	t.Helper()
	m, err := sdk.NewModel(map[string]proto.Message{model.SectionSelection: s, model.SectionFindings: f})
	if err != nil {
		t.Fatal(err)
	}
	if err := New().Run(context.Background(), sdk.Config{}, m); err != nil {
		t.Fatal(err)
	}
	var selection model.Selection
	var findings model.Findings
	if err := m.Result(model.SectionSelection, &selection); err != nil {
		t.Fatal(err)
	}
	if err := m.Result(model.SectionFindings, &findings); err != nil {
		t.Fatal(err)
	}
	return &selection, &findings
}

// Every string of the sections is given a secret; none may be left, whatever fields there are.
func TestEveryStringIsVisited(t *testing.T) {
	v := "gh" + "p_" + chars(60, 36, mixed)
	s := &model.Selection{Hidden: map[string]uint64{v: 1}, Files: []*model.SelectedFile{{
		Path: []byte("a/" + v + "/b\xff.go"), Language: v, TotalDefinitions: 1,
		Definitions: []*model.SelectedDefinition{{Name: v, Kind: v, Scope: v, Signature: v, Doc: "x " + v, LineStart: 7}},
	}}}
	f := &model.Findings{Findings: []*model.Finding{{Kind: "risk", Code: v, Message: v, Path: []byte(v), Field: v}}}
	selection, findings := sections(t, s, f)
	for _, m := range []proto.Message{selection, findings} {
		b, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), v[4:12]) {
			t.Error("a secret is left")
		}
	}
	if got, want := string(selection.Files[0].Path), "a/"+Mark+"/b\xff.go"; got != want {
		t.Errorf("path %q, want %q", got, want)
	}
	if findings.Findings[0].Kind != "risk" {
		t.Errorf("the findings of others are gone: %v", findings)
	}
	for _, x := range findings.Findings[1:] {
		if x.Code != "redacted_secret" || x.Kind != model.FindingRedaction || x.Field == "" {
			t.Errorf("finding %v", x)
		}
		if x.Field == "signature" && (x.Line != 7 || string(x.Path) != "a/"+Mark+"/b\xff.go") {
			t.Errorf("finding %v", x)
		}
	}
}

func TestASecretIsTakenOutOfOtherStringsToo(t *testing.T) {
	v := chars(61, 24, mixed)
	s := &model.Selection{Files: []*model.SelectedFile{{Path: []byte("a.go"), Definitions: []*model.SelectedDefinition{
		{Signature: `const apiKey = "` + v + `"`}, {Doc: "rotated from " + v},
	}}}}
	selection, findings := sections(t, s, &model.Findings{})
	if d := selection.Files[0].Definitions[1].Doc; d != "rotated from "+Mark {
		t.Errorf("doc is not clean")
	}
	if len(findings.Findings) != 2 {
		t.Errorf("%d findings, want 2", len(findings.Findings))
	}
}

func TestWithoutSecretsNothingChanges(t *testing.T) {
	s := &model.Selection{TotalFiles: 1, Files: []*model.SelectedFile{{Path: []byte("a.go"), Definitions: []*model.SelectedDefinition{{Name: "Token", Signature: "type Token string"}}}}}
	f := &model.Findings{Findings: []*model.Finding{{Kind: "limitation", Code: "parse_error"}}}
	selection, findings := sections(t, s, f)
	if !proto.Equal(s, selection) || !proto.Equal(f, findings) {
		t.Errorf("got %v, %v", selection, findings)
	}
}

// hostile are texts of one repeated piece each, which patterns that backtrack would choke on.
func hostile(size int) map[string]string {
	out := map[string]string{}
	for name, unit := range map[string]string{
		"assignments": "a=", "names": "password", "keys": "-----BEGIN PRI" + "VATE KEY-----\n", "base64": "eyJhbGciOi", "urls": "http://a:b", "quotes": `token="`,
	} {
		out[name] = strings.Repeat(unit, size/len(unit))
	}
	return out
}

func TestHostileTextsKeepTheirLines(t *testing.T) {
	for name, text := range hostile(8 << 10) {
		t.Run(name, func(t *testing.T) {
			once := Redact(text)
			if strings.Count(once, "\n") != strings.Count(text, "\n") || Redact(once) != once {
				t.Error("lines were lost, or a second pass finds more")
			}
		})
	}
}

// BenchmarkHostile has the same texts in two sizes: the speed per byte must not depend on the size.
func BenchmarkHostile(b *testing.B) {
	for _, size := range []int{8 << 10, 64 << 10} {
		for name, text := range hostile(size) {
			b.Run(fmt.Sprintf("%s/%dKiB", name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					Redact(text)
				}
			})
		}
	}
}

func FuzzRedact(f *testing.F) {
	for _, c := range positives() {
		f.Add(c[0] + c[1] + c[2])
	}
	f.Add("password = \"\xff\x00abc123\"")
	f.Fuzz(func(t *testing.T, text string) {
		once := Redact(text)
		if strings.Count(once, "\n") != strings.Count(text, "\n") {
			t.Errorf("the number of lines changed")
		}
		if twice := Redact(once); twice != once {
			t.Errorf("not idempotent")
		}
	})
}

func BenchmarkFind(b *testing.B) {
	text := `func (s *Server) authenticate(ctx context.Context, token string) (*Session, error)`
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Find(text)
	}
}
