package secrets

import (
	"math"
	"strings"
	"unicode"
)

// secretValue judges the text that is assigned to a name that sounds secret. It is a secret unless it is plainly something
// else: an identifier, a reference to where the secret is, a placeholder, prose, a hash that is called one.
func secretValue(name, v string) bool {
	switch {
	case harmlessName(name), placeholder(v), reference(v), isWord(v), prose(v), notText.MatchString(v), namesake(name, v):
		return false
	}
	letters, digits, others := classes(v)
	switch {
	case letters > 0 && digits > 0, letters > 0 && others > 0 && !symbolic(v), digits > 0 && others > 0:
		return !identifier(v) && !(digits+others == len(v) && len(v) < 8)
	case letters == len(v):
		return len(v) >= 16 && random(v)
	}
	return false
}

var (
	harmless = lazy(`(?i)(?:hash|checksum|digest|sha\d|md5|integrity|public|_?name|_?id|_?type|_?url|_?uri|_?path|_?file|_?dir|_?field|_?header|_?prefix|_?pattern|_?regex|_?format|_?env|_?var|_?label|_?title|_?hint|_?error|_?message|_?help|_?count|_?limit|_?length|_?size|_?ttl|_?expiry|_?expires|_?ref|_?policy|_?rule|_?kind|_?class|_?version|tokenizer|_?arn)$`)
	// otherWords hold a telling name by accident.
	otherWords = lazy(`(?i)secretar|secreti|tokeni[sz]|passwordless`)
)

// notText is what no secret looks like: a number in hex, escapes for characters, verbs of a format, a host with its port,
// what follows a string that has just ended.
var notText = lazy(`^[-+]?0x[0-9a-fA-F]{1,16}$|\\[xu][0-9a-fA-F]{2}.*\\[xu][0-9a-fA-F]{2}|%[dsvq].*%[dsvq]|^(?:localhost|[\w-]+(?:\.[\w-]+)+):\d{1,5}$|^[+,);]\s*\w`)

// codeName is a name or a path of names, any of which may end in digits. In code that stands without quotes it is no value.
var codeName = lazy(`^[A-Za-z_$]+[0-9]{0,4}(?:(?:\.|::|->)[A-Za-z_$]+[0-9]{0,4})*$`)

// namesake tells whether v is a name in code that begins with its own: "encryptionKey": "encryptionKey1024".
func namesake(name, v string) bool {
	name = name[strings.LastIndexByte(name, '.')+1:]
	return len(name) > 0 && len(v) >= len(name) && strings.EqualFold(v[:len(name)], name) && codeName.MatchString(v)
}

func harmlessName(name string) bool {
	return harmless.MatchString(name) || otherWords.MatchString(name)
}

var (
	envLookup = lazy(`(?i)getenv|environ|process\.env|env\[|env\(|\$\{|\$\(|\{\{|%\(|<%|#\{|\$[A-Z_]+\b|^%[A-Z_]+%$`)
	pointer   = lazy(`^(?i)(?:op|vault|ssm|secretsmanager|keyring|file|https?|ref|env|doppler|akv|gcp-secret|sops|awssm|keychain)(?:\+\w+)?:(?://|secret)|^arn:|^(?i)projects/.*/secrets/`)
	pathName  = lazy(`^(?:~|\.{1,2})?/[\w./-]+$|^[\w.-]+(?:/[\w.-]+)+\.\w{1,5}$|^[\w-]+\.(?:pem|key|txt|json|ya?ml|crt|env|toml)$`)
)

// reference tells whether v says where a value comes from instead of being it.
func reference(v string) bool {
	return envLookup.MatchString(v) || pointer.MatchString(v) || pathName.MatchString(v)
}

// fillers are what stands where a secret is to be filled in, or was masked.
var fillers = lazy(`(?i)^(?:<.*>|\[.*\]|\{.*\}|\*+|x+|\.+|-+|_+|0+|…+)$|x{6,}|\*{4,}|\.{3,}|change[_-]?(?:me|it|this)|replace[_-]?(?:me|this|with)|placeholder|example[_-]?(?:key|token|secret|password)?$|^(?:your|my|the|some|a|test|dummy|fake|sample|insert|enter|put)[_-]|^(?:password|passwd|secret|token|none|null|nil|undefined|true|false|todo|tbd|redacted|hidden|masked|unset|empty|default)$|^(?:user|pass|pwd|password|secret|token|login|test)[_-]?\d{0,4}$|not[_-]?(?:a[_-]?)?(?:real|secret)|_here$|-here$`)

// placeholder tells whether v stands for a secret that somebody is to fill in, or has been masked already.
func placeholder(v string) bool {
	return strings.Contains(v, Mark) || fillers.MatchString(v) || sameCharacter(v)
}

// repeatedRun is how often one character must follow itself for a mask.
const repeatedRun = 8

// sameCharacter tells whether v has one character over and over.
func sameCharacter(v string) bool {
	run, last := 0, rune(-1)
	for _, r := range v {
		if r != last {
			run, last = 0, r
		}
		if run++; run >= repeatedRun {
			return true
		}
	}
	return false
}

// isWord tells whether v is one plain word, in one case.
func isWord(v string) bool {
	upper, lower := 0, 0
	for i, r := range v {
		switch {
		case unicode.IsUpper(r) && i > 0:
			upper++
		case unicode.IsLower(r):
			lower++
		case i > 0:
			return false
		}
	}
	return (upper == 0 || lower == 0) && len(v) < 16
}

var identifierShape = lazy(`^[A-Za-z_$][A-Za-z_$]*(?:[.:_-]{1,2}[A-Za-z_$][A-Za-z_$]*[0-9]?)*(?:\(\))?$`)

// identifier tells whether v is a name or a path of names, without digits but at the end of a part.
func identifier(v string) bool { return identifierShape.MatchString(v) && !random(v) }

// prose tells whether v is a sentence: words with spaces between.
func prose(v string) bool {
	fields := strings.Fields(v)
	words := 0
	for _, f := range fields {
		if isWord(strings.Trim(f, `.,:;!?()'"%`)) {
			words++
		}
	}
	return len(fields) > 1 && words*2 >= len(fields)
}

// symbolic tells whether v is letters joined by single separators only: a key in a table, a header, a file name.
func symbolic(v string) bool {
	return identifierShape.MatchString(v) || strings.IndexFunc(v, func(r rune) bool {
		return !unicode.IsLetter(r) && !strings.ContainsRune("-_./: ", r)
	}) < 0
}

func classes(v string) (letters, digits, others int) {
	for i := range len(v) {
		switch c := v[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
			letters++
		default:
			others++
		}
	}
	return letters, digits, others
}

// random tells whether v looks drawn at random: many different characters for its length, with digits or changes of case
// inside. Words joined together have neither.
func random(v string) bool {
	if len(v) < 8 {
		return false
	}
	letters, digits, _ := classes(v)
	changes := 0
	for i := 1; i < len(v); i++ {
		a, b := kindOf(v[i-1]), kindOf(v[i])
		if a != b && !(a == 'A' && b == 'a') {
			changes++
		}
	}
	if digits == 0 && float64(changes) < 0.25*float64(len(v)) {
		return false
	}
	return letters+digits > 0 && entropy(v) >= 2.7 && float64(changes) >= 0.12*float64(len(v))
}

func kindOf(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return '0'
	case c >= 'a' && c <= 'z':
		return 'a'
	case c >= 'A' && c <= 'Z':
		return 'A'
	}
	return '.'
}

// entropy is Shannon's, in bits for each byte.
func entropy(v string) float64 {
	var count [256]int
	for i := range len(v) {
		count[v[i]]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(v))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}
