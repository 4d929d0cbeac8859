package secrets

import (
	"strings"
)

// credential accepts what stands where a credential must: everything but what stands for one.
func credential(_, v string) bool { return !placeholder(v) && !reference(v) }

// mixed accepts a credential that is more than one word.
func mixed(_, v string) bool {
	v = strings.TrimRight(v, ",);")
	return len(v) >= shortest && credential("", v) && !isWord(v) && !prose(v) && !identifier(v)
}

// connections are the strings that programs connect with: only the password in them is secret.
var connections = []rule{
	{ // Go's MySQL driver: user:password@tcp(host)/db
		name: "connection-password", words: []string{"@tcp(", "@udp(", "@unix(", "@tcp6("},
		re:     lazy(`\b[\w.-]+:(?P<value>[^\s"'\x60/]+)@(?:tcp6?|udp|unix)\(`),
		accept: credential,
	},
	{ // Oracle: user/password@host
		name: "connection-password", words: []string{"oracle", "sqlplus"},
		re:     lazy(`(?i)(?:oracle:(?:thin|oci8?):|\bsqlplus\s+(?:-\w+\s+)*)[\w.$#-]+/(?P<value>[^\s"'\x60@/]+)@`),
		accept: credential,
	},
	{ // ADO, ODBC, JDBC and libpq: key-value pairs on a line with a host or a user
		name: "connection-password", words: []string{"password", "pwd"}, needs: "=", before: 3,
		re: lazy(`(?i)\b(?:server|data source|host|hostaddr|addr|address|endpoint|driver|dsn|database|dbname|initial catalog|user|user ?id|uid|username)\s*=[^\n]*?[;\s&?"']` +
			`(?P<name>password|pwd)\s*=\s*(?:\{(?P<value>[^}\n]+)\}|'(?P<value2>[^'\n]+)'|(?P<value3>[^\s;&"'{}]+))`),
		accept: mixedNamed,
	},
	{ // the password first
		name: "connection-password", words: []string{"password", "pwd"}, needs: "=",
		re:     lazy(`(?i)\b(?P<name>password|pwd)=(?P<value>[^\s;&"'{}]+);\s*(?:server|data source|host|database|user|uid|encrypt|initial catalog|port)\b[^\n=]*=`),
		accept: mixedNamed,
	},
	{ // a URL joined from strings
		name: "url-password", words: []string{"://"}, after: 2,
		re:     lazy(`://[^\s/:@"'\x60]*:["'\x60]\s*(?:\+|\.|&)?\s*\n?\s*["'\x60](?P<value>[^"'\x60\n@]{4,})["'\x60]\s*(?:\+|\.|&)?\s*\n?\s*["'\x60]@`),
		accept: credential,
	},
	{ // an encoded pair: password%3Dvalue
		name: "parameter", words: []string{"%3d"},
		re:     lazy(`(?i)(?P<name>[\w-]*(?:` + secretNames + `))%3D(?P<value>(?:[^\s%&"'\x60<>]|%[013-9a-f][0-9a-f]|%2[0-57-9a-f])+)`),
		accept: secretValue,
	},
	{ // the second and third part of a JSON Web Token whose first was cut off
		name: "jwt", words: []string{"ijoi", "i6i", "ioi"}, needs: ".",
		re:     lazy(`(?:^|[^\w.-])\.?(?P<value>[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,})`),
		accept: func(_, v string) bool { return claims(v) },
	},
	{ // the head of a key whose rest was cut off
		name:  "cut-key",
		words: []string{"akia", "asia", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "sk_live", "sk-", "npm_", "aiza", "pypi-", "hvs."},
		re: lazy(`(?:\b|_)(?P<value>(?:AKIA|ASIA)[A-Z0-9]{6,15}|(?:gh[pousr]_|github_pat_|glpat-|xox[abp]-|[sr]k_live_|sk-(?:[a-z]+[0-9]*-)*|npm_|AIza|pypi-|hvs\.)[A-Za-z0-9_-]{6,})` +
			`(?:\.{3}|…)`),
		accept: func(_, v string) bool { return !placeholder(v) && random(v) },
	},
}

// mixedNamed is for values whose place says that they are passwords.
func mixedNamed(_, v string) bool { return mixed("", v) }
