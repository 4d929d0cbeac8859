package secrets

// headers are those of HTTP and of mail that carry credentials.
var headers = []rule{
	{
		name: "cookie", words: []string{"cookie"}, needs: "=",
		re:     lazy(`(?i)\b(?:set-)?cookie["']?\s*[:=,]\s*["'\x60]?[^\n]*?\b(?P<name>[\w.-]*(?:sess|sid|auth|token|jwt|csrf|remember)[\w.-]*)=(?P<value>[^\s;"'\x60]{12,})`),
		accept: func(_, v string) bool { return credential("", v) && random(v) },
	},
	{
		name: "authorization", words: []string{"authorization"}, needs: "=",
		re:     lazy(`(?i)\bauthorization["']?\s*[:=,]\s*["'\x60]?[\w-]+\s[^\n]*?\b(?:response|signature|oauth_signature|oauth_token|mac)=\\?["']?(?P<value>[^\s"'\\,;]{16,})`),
		accept: func(_, v string) bool { return credential("", v) && random(v) },
	},
	{ // a header in quotes: "PRIVATE-TOKEN: value"
		name: "authorization", words: secretWords, needs: ":",
		re:     lazy(`(?i)["'\x60](?P<name>[\w-]*(?:` + secretNames + `)[\w-]*):\s*(?P<value>[^\s"'\x60,;{}<>()]{12,})["'\x60]`),
		accept: func(name, v string) bool { return secretValue(name, v) && random(v) },
	},
}
