package treesitter

import (
	"regexp"
	"strings"
)

// predicate is a condition on the text of captures.
type predicate struct {
	op      string
	negated bool
	capture string
	// other is the second capture of #eq?, if its argument is one.
	other string
	words map[string]bool
	re    *regexp.Regexp
}

// argument is an argument of a predicate: a capture or a string.
type argument struct {
	text    string
	capture bool
	offset  int
}

// predicate reads a predicate and keeps it, if it is a condition; directives are left alone.
func (r *queryReader) predicate() error {
	start := r.at
	r.at++
	r.space()
	r.at++ // the number sign
	name := r.word()
	mark := r.peek()
	if mark != '?' && mark != '!' {
		return r.fail(start, "a predicate ends in ? or !")
	}
	r.at++
	args, err := r.arguments(start)
	if err != nil || mark == '!' {
		return err
	}
	p, err := r.condition(name, args, start)
	if err != nil {
		return err
	}
	r.preds = append(r.preds, p)
	return nil
}

func (r *queryReader) arguments(start int) ([]argument, error) {
	var args []argument
	for {
		r.space()
		a := argument{offset: r.at}
		switch c := r.peek(); {
		case c == ')':
			r.at++
			return args, nil
		case c == 0:
			return nil, r.fail(start, "this predicate is not closed")
		case c == '@':
			r.at++
			a.capture, a.text = true, r.word()
		case c == '"':
			var err error
			if a.text, err = r.quoted(); err != nil {
				return nil, err
			}
		default:
			if a.text = r.word(); a.text == "" {
				return nil, r.fail(r.at, "expected a capture or a string")
			}
		}
		args = append(args, a)
	}
}

func (r *queryReader) condition(name string, args []argument, start int) (predicate, error) {
	p := predicate{op: strings.TrimPrefix(name, "not-"), negated: strings.HasPrefix(name, "not-")}
	if len(args) < 2 || !args[0].capture {
		return p, r.fail(start, "#"+name+"? needs a capture and at least one more argument")
	}
	p.capture = args[0].text
	switch p.op {
	case "eq":
		if args[1].capture {
			p.other = args[1].text
			break
		}
		p.words = map[string]bool{args[1].text: true}
	case "any-of":
		p.words = map[string]bool{}
		for _, a := range args[1:] {
			p.words[a.text] = true
		}
	case "match":
		re, err := regexp.Compile(args[1].text)
		if err != nil {
			return p, r.fail(args[1].offset, "bad regular expression: "+err.Error())
		}
		p.re = re
	default:
		return p, r.fail(start, "unknown predicate #"+name+"?")
	}
	return p, nil
}

// holds tells whether the text fulfils the predicate; other is the text of the second capture.
func (p *predicate) holds(text, other string) bool {
	var ok bool
	switch {
	case p.re != nil:
		ok = p.re.MatchString(text)
	case p.other != "":
		ok = text == other
	default:
		ok = p.words[text]
	}
	return ok != p.negated
}
