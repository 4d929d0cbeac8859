package secrets

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// secretName is a name that has one of secretNames in it.
const secretName = `(?P<name>[\w.-]*(?:` + secretNames + `|[_.-]pass|\bpass)[\w-]*)`

// formats are where a file's format, not its grammar, ties a name to a value.
var formats = []rule{
	{ // <password>…</password>
		name: "assigned-secret", words: passWords, needs: "<",
		re:     lazy(`(?i)<` + secretName + `(?:\s[^<>\n]*)?>\s*(?P<value>[^<>\n]{6,}?)\s*</`),
		accept: secretValue,
	},
	{ // {"key": "password", "value": "…"}, <add key="password" value="…"/>
		name: "assigned-secret", words: passWords, needs: "\"'", before: 1, after: 2,
		re:     lazy(`(?i)\b(?:key|name|id|field|property|option)["']?\s*[:=]\s*["']` + secretName + `["']\s*,?\s*(?:["']?(?:type|sensitive|secret|protected)["']?\s*[:=]\s*["']?\w+["']?\s*,?\s*)?["']?(?:value|val|default|content|text)["']?\s*[:=]\s*["'](?P<value>[^"'\n]{6,})["']`),
		accept: secretValue,
	},
	{ // the same with the value first
		name: "assigned-secret", words: passWords, needs: "\"'", before: 2, after: 1,
		re:     lazy(`(?i)\b(?:value|val)["']?\s*[:=]\s*["'](?P<value>[^"'\n]{6,})["']\s*,?\s*["']?(?:key|name|id|field)["']?\s*[:=]\s*["']` + secretName + `["']`),
		accept: secretValue,
	},
	{ // name: DB_PASSWORD, and value: … on the next line
		name: "assigned-secret", words: passWords, needs: ":", after: 1,
		re:     lazy(`(?i)\b(?:name|key):\s*["']?` + secretName + `["']?\s*\n\s*value:\s*["']?(?P<value>[^\s"'\x60{}$][^\n"'\x60]{5,}?)["']?\s*(?:\n|$)`),
		accept: secretValue,
	},
	{ // a variable of Terraform
		name: "assigned-secret", words: []string{"variable"}, needs: "{", after: 8,
		re:     lazy(`(?i)\bvariable\s+"` + secretName + `"\s*\{[^{}]*?\bdefault\s*=\s*"(?P<value>[^"\n]{6,})"`),
		accept: secretValue,
	},
	{ // an option's default: add_argument("--password", default="…")
		name: "assigned-secret", words: []string{"default"}, needs: "\"'",
		re:     lazy(`(?i)["']-{0,2}` + secretName + `["'][^\n]{0,120}?\bdefault(?:_value)?["']?\s*[=:(]\s*["'](?P<value>[^"'\n]{6,})["']`),
		accept: secretValue,
	},
	{ // a value below its name, folded or in brackets
		name: "assigned-secret", words: passWords, needs: "\n", after: 2,
		re:     lazy(`(?im)` + secretName + `["']?\s*(?:=|:|:=)\s*(?:[>|][+-]?|\(|\\)?[ \t]*\r?\n[ \t]*(?:["'](?P<value>[^"'\n]{8,})["']|(?P<value2>[^\s"'\x60:=(){}\[\]<>,;]{12,}))[ \t]*,?\r?$`),
		accept: func(name, v string) bool { return secretValue(name, v) && random(v) && !codeName.MatchString(v) },
	},
	{ // a row of a table in Markdown
		name: "assigned-secret", words: passWords, needs: "|",
		re:     lazy(`(?i)\|[ \t]*\x60?` + secretName + `\x60?[ \t]*\|[ \t]*\x60?(?P<value>[^|\x60\s]{8,})\x60?[ \t]*\|`),
		accept: func(name, v string) bool { return secretValue(name, v) && random(v) },
	},
	{ // a line of configuration whose value may have any characters
		name: "assigned-secret", words: []string{"pass", "pwd"}, needs: "=:",
		re:     lazy(`(?im)(?:^|[\s/:;{,])(?P<name>[\w.-]*(?:password|passwd|passphrase|pwd|[_.-]pass|\bpass))[ \t]*[:=][ \t]*(?P<value>[^\s"'\x60(){}<>\[\],;][^\s"'\x60(){}<>\[\],;]{5,})[ \t]*(?:[;#,]|\r?$)`),
		accept: func(name, v string) bool { return secretValue(name, v) && (random(v) || humanPassword(v)) },
	},
	{ // the same, quoted, under the short name
		name: "assigned-secret", words: []string{"pass"}, needs: "\"'",
		re:     lazy(`(?:\b|_|\.)(?P<name>(?i:[a-z0-9_.-]*[_.-])?(?i:pass)|[A-Za-z0-9_]*[a-z0-9]Pass)["']?\s*(?:=>|:=|[:=])\s*(?:"(?P<value>[^"\n]{6,})"|'(?P<value2>[^'\n]{6,})')`),
		accept: secretValue,
	},
	{ // the word for a password in other languages
		name:  "assigned-secret",
		words: foreignWords,
		re: lazy(`(?i)(?P<name>` + strings.Join(foreignWords, "|") + `)["']?[\s\x{3000}]*(?:[:=：＝]|=>|是|は|为)[\s\x{3000}]*` +
			`(?:"(?P<value>[^"\n]{6,})"|'(?P<value2>[^'\n]{6,})'|「(?P<value3>[^」\n]{6,})」|(?P<value4>[^\s"'「」,;，；。<>(){}]{6,}))`),
		accept: func(_, v string) bool { return secretValue("", v) },
	},
	{ // ENV NAME value, in a Dockerfile
		name: "assigned-secret", words: []string{"env ", "arg "},
		re:     lazy(`(?im)^\s*(?:ENV|ARG)\s+` + secretName + `[ \t]+["']?(?P<value>[^\s"'$]{6,})`),
		accept: secretValue,
	},
	{ // NAME=value before a command
		name: "assigned-secret", words: passWords, needs: "=",
		re:     lazy(`(?:^|[\s;&|])(?P<name>[A-Z][A-Z0-9_]*(?:PASSWORD|PASSWD|PASS|PWD|SECRET|TOKEN|API_?KEY|ACCESS_?KEY)(?:_[A-Z0-9]+)?)=(?P<value>[^\s"'\x60$;&|()<>]{6,})(?:\s|$)`),
		accept: func(name, v string) bool { return secretValue(name, v) && (random(v) || humanPassword(v)) },
	},
	{ // .npmrc
		name: "npm-token", words: []string{"_authtoken", "_password"},
		re:     lazy(`:_(?:authToken|password)\s*=\s*"?(?P<value>[^\s"$]{8,})`),
		accept: mixedNamed,
	},
	{ // SQL and Groovy have no sign between: password 'value'
		name: "assigned-secret", words: []string{"password"}, needs: "\"'",
		re:     lazy(`(?i)(?:\b|_)(?P<name>(?:store|key)?password)[ \t]+(?:'(?P<value>[^'\s]{6,})'|"(?P<value2>[^"\s]{6,})")`),
		accept: func(_, v string) bool { return mixed("", v) && (random(v) || humanPassword(v)) },
	},
	{ // in a sentence: the password is …
		name: "assigned-secret", words: passWords,
		re:     lazy(`(?i)\b(?P<name>password|passwd|pass|passphrase|api[ _-]?key|access[ _-]?key|token|secret)(?:[ \t]+(?:is|was|now|set to|to|of|for \w+|\w+ is))?:?[ \t]+["'\x60(]?(?P<value>[^\s"'\x60,;()<>{}\[\]]{8,})`),
		accept: func(_, v string) bool { return inProse(strings.TrimRight(v, ".:?")) },
	},
	{ // .netrc
		name: "netrc", words: []string{"machine ", "default "}, after: 3,
		re:     lazy(`\b(?:machine\s+\S+|default)(?:\s+(?:login|account)\s+\S+)+\s+password\s+(?P<value>\S+)`),
		accept: mixedNamed,
	},
	{ // .pgpass
		name: "pgpass", words: []string{":5432:", ":5433:", ":6432:", ":*:"},
		re:     lazy(`(?m)^[\w.*-]+:(?:\d{4,5}|\*):[\w.*-]+:[\w.*-]+:(?P<value>(?:[^\s\\]|\\.)+)[ \t]*\r?$`),
		accept: mixedNamed,
	},
	{ // Docker's and npm's configuration: user:password in base64
		name: "basic-auth", words: []string{"\"auth\"", "_auth"}, needs: "=:",
		re:     lazy(`(?:"auth"\s*:\s*"|\b_auth\s*=\s*"?)(?P<value>[A-Za-z0-9+/_-]{8,}={0,2})`),
		accept: func(_, v string) bool { return pairInBase64(v) },
	},
	{ // the private parts of a JSON Web Key
		name: "private-key", words: []string{`"kty"`}, before: 10, after: 10,
		re: lazy(`"(?:d|p|q|dp|dq|qi|k)"\s*:\s*"(?P<value>[A-Za-z0-9_-]{20,})"`),
	},
	{ // Twilio has no names for its arguments
		name: "twilio-auth-token", words: []string{"twilio"}, after: 1,
		re: lazy(`(?i)twilio[\w.]*\([^()\n]{0,80}["'](?P<value>[0-9a-f]{32})["']`),
	},
}

// foreignWords mean password.
var foreignWords = []string{
	"passwort", "kennwort", "mot de passe", "motdepasse", "mot_de_passe", "contraseña", "contrasena", "clave", "senha", "wachtwoord", "hasło",
	"haslo", "lösenord", "losenord", "parola", "heslo", "jelszó", "salasana", "adgangskode", "пароль", "密码", "密碼", "口令", "パスワード", "暗証", "비밀번호", "암호", "รหัสผ่าน", "şifre", "sifre", "mật khẩu",
	"κωδικός", "סיסמה", "كلمة المرور", "गुप्त",
}

// humanPassword tells whether v has what people put into passwords: letters with digits and other characters.
func humanPassword(v string) bool {
	letters, digits, others := classes(v)
	return len(v) >= 8 && letters > 0 && digits > 0 && others > 0 && strings.ContainsAny(v, "!@#%^&*+?~$")
}

// inProse tells whether a word of a sentence is a secret: what a person or a generator made up, and nothing of code.
func inProse(v string) bool {
	if !credential("", v) || notText.MatchString(v) || codeName.MatchString(v) || strings.ContainsAny(v, "=:/\\|*&") {
		return false
	}
	return humanPassword(v) && random(v) || len(v) >= 20 && random(v) && strings.ContainsAny(v, "0123456789") && !strings.ContainsAny(v, ".-")
}

// pairInBase64 tells whether v is a name, a colon and something more in base64.
func pairInBase64(v string) bool {
	out, err := decode(v)
	return err == nil && strings.Contains(string(out), ":") && utf8.Valid(out) && strings.IndexFunc(string(out), unicode.IsControl) < 0
}

// harmlessPair tells whether v is name:password in base64 with a password that is none, as examples have it.
func harmlessPair(v string) bool {
	out, err := decode(v)
	if err != nil || !utf8.Valid(out) {
		return false
	}
	_, password, ok := strings.Cut(string(out), ":")
	return ok && (placeholder(password) || isWord(password) || prose(password))
}

func decode(v string) ([]byte, error) {
	v = strings.TrimRight(v, "=")
	if strings.ContainsAny(v, "-_") {
		return base64.RawURLEncoding.DecodeString(v)
	}
	return base64.RawStdEncoding.DecodeString(v)
}

// claims tells whether the part of v before the dot is the end of a JSON object in base64, at whichever of four places in
// its alphabet it was cut.
func claims(v string) bool {
	part, _, _ := strings.Cut(v, ".")
	for skip := range min(4, len(part)) {
		out, err := decode(part[skip:])
		if err == nil && strings.Contains(string(out), `":`) && strings.HasSuffix(string(out), "}") {
			return true
		}
	}
	return false
}
