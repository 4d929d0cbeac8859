package secrets

import (
	"slices"
	"strings"
)

// rule finds one kind of secret.
type rule struct {
	name string
	// words: one of them, in lower case, must occur. needs: one of these characters too, if there are any.
	words []string
	needs string
	re    *pattern
	// accept decides on a match: name is the group "name" and value the group "value", where the pattern has them. Nil
	// accepts all.
	accept func(name, value string) bool
	// lines: a value of several lines is a span on each of them.
	lines bool
	// before and after are how many lines above and below that of a word a match may reach; whole is for any number.
	before, after int
	whole         bool
}

// search adds the spans of the rule in the windows where its words occur.
func (r *rule) search(spans []Span, text string, at []window) []Span {
	if len(at) == 0 {
		return spans
	}
	if r.whole {
		return r.find(spans, text)
	}
	for _, w := range widen(text, at, r.before, r.after) {
		part := text[w.start:w.end]
		if r.needs != "" && !strings.ContainsAny(part, r.needs) {
			continue
		}
		n := len(spans)
		spans = r.find(spans, part)
		for i := range spans[n:] {
			spans[n+i].Start += w.start
			spans[n+i].End += w.start
		}
	}
	return spans
}

// find adds the spans of the rule: the group "value" of each match or, without one, the match. What follows a value may
// begin the next match, and so may what follows the name of one that was not accepted: `f(&password, "password", …)`.
func (r *rule) find(spans []Span, text string) []Span {
	name := r.re.SubexpIndex("name")
	for at := 0; at < len(text); {
		m := r.re.FindStringSubmatchIndex(text[at:])
		if m == nil {
			return spans
		}
		for i := range m {
			if m[i] >= 0 {
				m[i] += at
			}
		}
		start, end := r.value(m)
		label, next := "", max(end, at+1)
		if name > 0 && m[2*name] >= 0 {
			label = text[m[2*name]:m[2*name+1]]
		}
		value := text[start:end]
		switch {
		case start == end, strings.Contains(value, Mark) && !r.lines, r.accept != nil && !r.accept(label, value):
			if label != "" {
				next = max(m[2*name+1], at+1)
			}
		case r.lines:
			spans = lineSpans(spans, text, start, end, r.name)
		default:
			spans = append(spans, Span{start, end, r.name})
		}
		at = next
	}
	return spans
}

// value gives the first group whose name begins with value and that took part in a match: a pattern may have one for
// each kind of quote.
func (r *rule) value(m []int) (start, end int) {
	for i, n := range r.re.SubexpNames() {
		if strings.HasPrefix(n, "value") && m[2*i] >= 0 {
			return m[2*i], m[2*i+1]
		}
	}
	return m[0], m[1]
}

// lineSpans makes a span of each line between start and end that has anything on it.
func lineSpans(spans []Span, text string, start, end int, name string) []Span {
	for start < end {
		stop := end
		if i := strings.IndexByte(text[start:end], '\n'); i >= 0 {
			stop = start + i
		}
		line := text[start:stop]
		trimmed := strings.TrimSpace(line)
		if trimmed != "" && !strings.Contains(trimmed, Mark) {
			at := start + strings.Index(line, trimmed)
			spans = append(spans, Span{at, at + len(trimmed), name})
		}
		start = stop + 1
	}
	return spans
}

// token makes a rule for values that a well-known prefix gives away. They stand alone or after an underscore.
func token(name, pattern string, words ...string) rule {
	re := lazy(`(?:\b|_)(?P<value>` + pattern + `)`)
	return rule{name: name, words: words, re: re, accept: func(_, v string) bool { return !placeholder(v) }}
}

// rules, from the certain to the heuristic. Formats are those that the issuers document.
var rules = slices.Concat(general, headers, connections, commands, formats)

var general = []rule{
	{
		name: "private-key", words: []string{"private key"}, lines: true, whole: true,
		re: lazy(`-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?P<value>(?s:.*?))(?:-----END|\z)`),
		accept: func(_, v string) bool {
			return keyBody.MatchString(v)
		},
	},
	{
		name: "aws-access-key-id", words: []string{"akia", "asia", "abia", "acca"},
		re:     lazy(`(?:\b|_)(?P<value>(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16})(?:\b|_)`),
		accept: func(_, v string) bool { return v != awsExample && !placeholder(v[4:]) },
	},
	token("github-token", `gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}`, "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
	token("gitlab-token", `gl(?:pat|dt|rt|ptt|ft|soat|cbt|agent|imt)-[A-Za-z0-9_.-]{16,}`, "gl"),
	token("slack-token", `xox[abceoprs]-[A-Za-z0-9-]{10,}|xapp-[0-9]-[A-Za-z0-9-]{10,}`, "xox", "xapp-"),
	token("webhook", `(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks)/[A-Za-z0-9/+_-]{20,}`, "hooks.slack.com", "/api/webhooks"),
	token("stripe-key", `[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,}`, "sk_", "rk_", "whsec_"),
	{
		name: "sk-key", words: []string{"sk-"}, re: lazy(`\bsk-(?:[a-z0-9]+-)*[A-Za-z0-9_-]{20,}`),
		accept: func(_, v string) bool { return !placeholder(v) && random(v[3:]) },
	},
	token("npm-token", `npm_[A-Za-z0-9]{30,}`, "npm_"),
	token("pypi-token", `pypi-[A-Za-z0-9_-]{40,}`, "pypi-"),
	token("google-key", `AIza[A-Za-z0-9_-]{30,}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,}`, "aiza", "gocspx-", "ya29."),
	token("jwt", `eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`, "eyj"),
	token("sendgrid-key", `SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`, "sg."),
	token("hugging-face-token", `hf_[A-Za-z0-9]{30,}`, "hf_"),
	token("digitalocean-token", `do[opr]_v1_[a-f0-9]{40,}`, "_v1_"),
	token("shopify-token", `shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`, "shp"),
	token("vault-token", `hv[sbr]\.[A-Za-z0-9_-]{20,}`, "hvs.", "hvb.", "hvr."),
	token("age-key", `AGE-SECRET-KEY-1[A-Z0-9]{50,}`, "age-secret-key-1"),
	token("vendor-token", `(?:dapi[a-f0-9]{32}|tskey-[a-z]+-[A-Za-z0-9-]{16,}|lin_api_[A-Za-z0-9]{32,}|ATATT3x[A-Za-z0-9_=-]{20,}|dckr_pat_[A-Za-z0-9_-]{20,}|rubygems_[a-f0-9]{40,}|sbp_[a-f0-9]{32,}|sb_secret_[A-Za-z0-9_-]{16,}|PMAK-[a-f0-9]{20,}-[a-f0-9]{20,}|key-[a-f0-9]{32}|glc_[A-Za-z0-9+/=]{32,}|glsa_[A-Za-z0-9_]{32,}|sntrys_[A-Za-z0-9+/=_]{40,}|nfp_[A-Za-z0-9]{32,}|phx_[A-Za-z0-9]{32,}|ntn_[A-Za-z0-9]{32,}|gsk_[A-Za-z0-9]{32,}|r8_[A-Za-z0-9]{32,}|xai-[A-Za-z0-9]{32,}|pplx-[A-Za-z0-9]{32,}|figd_[A-Za-z0-9_-]{32,}|cfut_[A-Za-z0-9_-]{32,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{30,})`,
		"dapi", "tskey-", "lin_api_", "atatt3x", "dckr_pat_", "rubygems_", "sbp_", "sb_secret_", "pmak-", "key-", "glc_", "glsa_", "sntrys_", "nfp_", "phx_", "ntn_", "gsk_", "r8_", "xai-", "pplx-", "figd_", "cfut_", ":aa"),
	{ // name:password in base64
		name: "authorization", words: []string{"basic "},
		re:     lazy(`(?i)\bbasic\s+(?P<value>[A-Za-z0-9+/_-]{8,}={0,2})`),
		accept: func(_, v string) bool { return pairInBase64(v) && !harmlessPair(v) },
	},
	{
		name: "authorization", words: []string{"bearer", "authorization"},
		re:     lazy(`(?i)\b(?:bearer|(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:token|apikey)?)\s+["']?(?P<value>[A-Za-z0-9._~+/-]{12,}=*)`),
		accept: func(_, v string) bool { return !placeholder(v) && random(v) && !codeName.MatchString(v) },
	},
	{
		name: "url-password", words: []string{"://"},
		re:     lazy(`\b[A-Za-z][A-Za-z0-9+.-]*://(?P<name>[^\s/?#:@"'` + "`" + `<>]*):(?P<value>[^\s/?#@"'` + "`" + `<>]+)@[^\s"']`),
		accept: func(_, v string) bool { return len(v) >= shortest && credential("", v) },
	},
	{
		name: "assigned-secret", words: secretWords, needs: "\"'`", after: 1,
		re: lazy(`(?i)(?P<name>[\w.-]*(?:` + secretNames + `)[\w-]*)["'\x60]?\]?\s*(?::\s*(?:&?(?:'static )?(?:str|string|String|bytes|char)(?:\s*\|\s*\w+)?\s*=\s*)?|=>|:=|\?=|==?=?)\s*\(?\s*[bru@]?` +
			`(?:"(?P<value>(?:[^"\\\n]|\\.){6,})"|'(?P<value2>(?:[^'\\\n]|\\.){6,})'|\x60(?P<value3>[^\x60\n]{6,})\x60)`),
		accept: secretValue,
	},
	{
		name: "assigned-secret", words: secretWords, needs: "=:",
		re: lazy(`(?im)^\s*(?:export\s+|set\s+|env\s+)?(?P<name>[\w.-]*(?:` + secretNames + `)[\w-]*)\s*(?:[:?+]?=|:)\s*(?P<value>[^\s"'\x60#;,(){}<>\[\]]{8,})\s*$`),
		accept: func(name, v string) bool {
			return secretValue(name, v) && random(v) && !(strings.Contains(v, ".") && codeName.MatchString(v))
		},
	},
	{ // a name and a value as two arguments
		name: "assigned-secret", words: passWords, needs: ",",
		re: lazy(`(?i)["'\x60](?:--?)?` + secretName + `["'\x60][ \t]*,[ \t]*[bru@]?(?:"(?P<value>[^"\\\n]{6,})"|'(?P<value2>[^'\\\n]{6,})'|\x60(?P<value3>[^\x60\n]{6,})\x60)`),
		accept: func(name, v string) bool {
			return secretValue(name, v) && (len(v) >= 16 || passwordName.MatchString(name))
		},
	},
	{
		name: "parameter", words: append([]string{"sig"}, secretWords...), needs: "=",
		re:     lazy(`(?i)[?&;"'\s](?P<name>[\w-]*(?:` + secretNames + `|` + parameterNames + `))=(?P<value>[^\s&;"'\x60<>,(){}$]{8,})(?:[&;"'\s]|$)`),
		accept: func(name, v string) bool { return secretValue(name, v) && random(v) },
	},
	{
		name: "sql-password", words: []string{"identified"}, needs: "'",
		re:     lazy(`(?i)\bidentified\s+(?:with\s+\S+\s+)?by\s+'(?P<value>[^'\n]+)'`),
		accept: func(_, v string) bool { return !placeholder(v) && !reference(v) },
	},
	{
		name: "password-hash", words: []string{"$2", "$6$", "$apr1$", "$5$", "$1$", "$argon2"},
		re: lazy(`\$(?:2[abxy]?\$\d\d|apr1|[156]|argon2\w*\$v=\d+\$[\w=,]+)\$(?P<value>[A-Za-z0-9./$+=-]{20,})`),
	},
}

// parameterNames are further names, of parameters in queries and connection strings.
const parameterNames = `sig|signature|accountkey|sharedaccesskey|x-amz-signature|authcode`

// secretNames is what a name has that holds a secret.
const secretNames = `password|passwd|passphrase|passcode|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|account[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key|credential`

// secretWords are what secretNames begin with or, for those with a key in them, all their spellings.
var secretWords = []string{
	"password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "credential",
	"apikey", "api_key", "api-key", "accesskey", "access_key", "access-key", "authkey", "auth_key", "auth-key",
	"accountkey", "account_key", "account-key", "privatekey", "private_key", "private-key",
	"encryptionkey", "encryption_key", "encryption-key", "signingkey", "signing_key", "signing-key",
}

// passWords are secretWords and the short one.
var passWords = append([]string{"pass"}, secretWords...)

// keyBody is what the body of a private key looks like, with real or written line feeds.
var keyBody = lazy(`[A-Za-z0-9+/=]{16,}`)

// passwordName is a name for what people type, which may be short.
var passwordName = lazy(`(?i)pass|pwd`)

// shortest is the length in bytes below which a password is an example.
const shortest = 6

// awsExample is the key id of AWS's own documentation. It opens nothing, and signatures in many tests are computed from it.
const awsExample = "AKIA" + "IOSFODNN7" + "EXAMPLE"
