package secrets

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/betterleaks/betterleaks/config"
	"github.com/betterleaks/betterleaks/detect"
	"github.com/betterleaks/betterleaks/logging"
	"github.com/rs/zerolog"
)

// components are silent rules of the library whose finds are secrets nevertheless; it reports them only beside the other
// half of a pair, which is right for an alert and wrong for redaction.
var components = []string{
	"aws-secret-access-key", "alibaba-sts-security-token", "exoscale-api-secret", "ovh-consumer-key", "polymarket-api-secret",
	"polymarket-passphrase",
}

// replaced are rules of the library that ours stand for: the first eats code, the others don't see keys in pieces, or what
// is far from the word that tells.
var replaced = []string{"generic-api-key", "private-key", "kubernetes-secret-yaml"}

// detector is made when a text is first looked at: a run that reads nothing pays nothing.
var detector = sync.OnceValue(newDetector)

// newDetector sets the library up for redaction: no rule waits for another, nothing calls a service, a comment in the text
// switches nothing off, and nothing is logged, since the library's log holds what it found.
func newDetector() *detect.Detector {
	logging.Logger = zerolog.Nop()
	cfg, err := config.Default()
	if err != nil {
		panic(fmt.Sprintf("secrets: the rules of betterleaks cannot be read: %v", err))
	}
	for _, id := range replaced {
		delete(cfg.Rules, id)
		dropRule(cfg, id)
	}
	for id, r := range cfg.Rules {
		r.RequiredRules, r.ValidateExpr = nil, ""
		cfg.Rules[id] = r
	}
	for _, id := range components {
		r, ok := cfg.Rules[id]
		if !ok {
			panic("secrets: betterleaks has no rule " + id + " any more")
		}
		r.SkipReport = false
		cfg.Rules[id] = r
	}
	d := detect.NewDetectorContext(context.Background(), cfg, detect.ValidationOptions{})
	d.IgnoreGitleaksAllow = true
	return d
}

// dropRule takes a rule out of the tables that the library keeps beside the rules.
func dropRule(cfg *config.Config, id string) {
	for word, ids := range cfg.KeywordToRules {
		kept := make([]string, 0, len(ids))
		for _, other := range ids {
			if other != id {
				kept = append(kept, other)
			}
		}
		cfg.KeywordToRules[word] = kept
	}
}

// vendorSpans adds what the library finds near the words that it looks for: at holds the places of those of each reach. It
// gives the text of a secret but not its place in bytes, so that every place where that text occurs is taken; of a short or
// plain one only those inside the match that gave it away.
func vendorSpans(spans []Span, text string, at [][]window) []Span {
	for _, w := range vendorWindows(text, at) {
		for _, f := range detector().DetectString(text[w.start:w.end]) {
			value := f.Secret
			if value == "" || placeholder(value) || value == awsExample {
				continue
			}
			if !Distinctive(value) {
				spans = within(spans, text, f.Match, value, f.RuleID)
				continue
			}
			spans = everywhere(spans, text, value, f.RuleID)
		}
	}
	return spans
}

// within adds the places of value inside those of match.
func within(spans []Span, text, match, value, rule string) []Span {
	for _, m := range everywhere(nil, text, match, rule) {
		for _, s := range everywhere(nil, text[m.Start:m.End], value, rule) {
			spans = append(spans, Span{m.Start + s.Start, m.Start + s.End, rule})
		}
	}
	return spans
}

// everywhere adds the places of value in text. Of a connection string only the password is secret.
func everywhere(spans []Span, text, value, rule string) []Span {
	if value == "" {
		return spans
	}
	if strings.Contains(value, "://") {
		return spans // the rules for URLs see it too and take no more than they must
	}
	for at := 0; ; {
		i := strings.Index(text[at:], value)
		if i < 0 {
			return spans
		}
		spans = append(spans, Span{at + i, at + i + len(value), rule})
		at += i + len(value)
	}
}

// Distinctive tells whether a secret can be looked for without its context and hit nothing else: short ones and plain
// words could be anything.
func Distinctive(v string) bool {
	return len(v) >= 8 && utf8.ValidString(v) && !isWord(v)
}
