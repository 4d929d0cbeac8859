package secrets

import (
	"fmt"
	"strings"
	"testing"
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
	letter = lower + upper + digits
)

func TestTheRulesFitTheirTable(t *testing.T) {
	if len(rules) > maxRules {
		t.Errorf("%d rules, and room for %d", len(rules), maxRules)
	}
}

// positives are texts with a secret between before and after.
func positives() map[string][3]string {
	pw := chars(7, 14, letter)
	key := chars(8, 64, letter+"+/")
	return map[string][3]string{
		"aws id":                {`id := "`, "AK" + "IA" + chars(1, 16, upper+"234567"), `"`},
		"aws session id":        {`id := "`, "AS" + "IA" + chars(2, 16, upper+"234567"), `"`},
		"github":                {"token ", "gh" + "p_" + chars(3, 36, letter), " here"},
		"github fine":           {"x(", "github" + "_pat_" + chars(4, 60, letter), ")"},
		"slack":                 {"'", "xo" + "xb-" + chars(5, 12, digits) + "-" + chars(6, 24, letter), "'"},
		"stripe":                {"const k = '", "sk" + "_live_" + chars(9, 24, letter), "';"},
		"openai":                {"", "sk" + "-proj-" + chars(10, 48, letter), ""},
		"gitlab":                {"", "gl" + "pat-" + chars(11, 20, letter), " "},
		"npm":                   {"//registry/:_authToken=", "np" + "m_" + chars(12, 36, letter), ""},
		"google":                {`key: "`, "AI" + "za" + chars(13, 35, letter), `"`},
		"jwt":                   {"", "ey" + "J" + chars(14, 20, letter) + ".ey" + "J" + chars(15, 30, letter) + "." + chars(16, 43, letter), ""},
		"bearer":                {`"Authorization": "Bearer `, chars(17, 32, letter), `"`},
		"url":                   {"postgres://app:", pw, "@db.example.com:5432/app?sslmode=disable"},
		"password in go":        {`const dbPassword = "`, pw, `"`},
		"password short":        {`password = "`, "h0rse" + "!" + "shoe", `"`},
		"typed":                 {`API_TOKEN: str = "`, chars(18, 32, letter), `"`},
		"json":                  {`{"client_secret": "`, chars(19, 32, letter), `"}`},
		"default":               {`os.getenv("API_KEY", "`, chars(20, 32, letter), `")`},
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
		"-----BEGIN PUBLIC KEY-----\n" + chars(32, 64, letter) + "\n-----END PUBLIC KEY-----",
		`password = "changeme"`, `secret: "<your-secret>"`, `api_key = "xxxxxxxxxxxxxxxx"`, `token = "your_token_here"`, `"password": "********"`,
		`const SecretKeyHeader = "X-Secret-Key"`, `tokenType = "authorization_code"`, `password = "[REDACTED]"`,
		`token = config.get("github.token")`, `const TOKEN_EXPIRED = "token has expired, please log in"`, `return "Bearer " + token`,
		`https://example.com/path?x=1`, `jdbc:postgresql://host:5432/db`, `http://localhost:8080/@scope/name`, `git@github.com:owner/name.git`,
		`passwordField = "user_password"`, `def token(self) -> str`, `fn next_token(&mut self) -> Option<Token>`, `secret = var.db_secret`,
		`token := lexer.Token{Kind: "identifier"}`, `pk` + `_live_` + chars(33, 24, letter), "AK" + "IAIOSFODNN7" + "EXAMPLE",
	} {
		if got := Redact(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestAKeyOfSeveralLinesKeepsThem(t *testing.T) {
	body := chars(40, 64, letter) + "\n" + chars(41, 64, letter) + "\n" + chars(42, 20, letter) + "==\n"
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
	v := chars(50, 24, letter)
	if got := Redact(`api_key = "` + v + `"` + "\n// old: " + v); strings.Contains(got, v) {
		t.Errorf("got %q", strings.ReplaceAll(got, v, "<the secret>"))
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

// TestSecretsInMoreForms has one value in the forms that configuration, headers and commands have it in.
func TestSecretsInMoreForms(t *testing.T) {
	password := chars(21, 5, letter) + "#" + chars(22, 5, letter) + "7"
	token := chars(23, 36, letter+digits)
	for _, form := range []string{
		"ENV MYSQL_ROOT_PASSWORD %s", "PGPASSWORD=%s psql -h h", "ALTER USER app PASSWORD '%s';", "login fails with password %s on prod",
		"my password is %s please fix login", `storePassword "%s"`, "mot de passe : %s", "contraseña: %s", "Driver={ODBC};Server=h;Uid=sa;Pwd=%s;",
		`<property name="password" value="%s"/>`, "curl -u app:%s https://h", "apiVersion: v1\nkind: Secret\nstringData:\n  anything: %s\n",
	} {
		checkForm(t, form, password)
	}
	for _, form := range []string{
		`-H "PRIVATE-TOKEN: %s"`, "Cookie: sessionid=%s; a=b", "Set-Cookie: session=%s; HttpOnly", "API_KEY ?= %s", "//registry.example/:_authToken=%s",
		"Authorization: ApiKey %s", "./app --api-key %s", `{"client_secret": "%s"}`, "<apiKey>%s</apiKey>",
	} {
		checkForm(t, form, token)
	}
}

func checkForm(t *testing.T, form, value string) {
	t.Helper()
	if got, want := Redact(fmt.Sprintf(form, value)), fmt.Sprintf(form, Mark); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestASecretInPiecesGoes(t *testing.T) {
	a, b := chars(31, 20, letter+digits), chars(32, 20, letter+digits)
	for _, form := range []string{"api_key = (\"%s\"\n  \"%s\")", "apiKey := \"%s\" +\n\t\"%s\"", "const secret = '%s' + '%s';", "token = \"%s\" \\\n  \"%s\""} {
		if got, want := Redact(fmt.Sprintf(form, a, b)), fmt.Sprintf(form, Mark, Mark); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestWeakPasswordsGo has what people make of the word itself: it is a password, though a bad one.
func TestWeakPasswordsGo(t *testing.T) {
	for _, v := range []string{"p@ss" + "word", "Pa55" + "sword"} {
		checkForm(t, `password = "%s"`, v)
	}
}
