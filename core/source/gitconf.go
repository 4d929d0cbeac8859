package source

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// gitConfig is the part of git's configuration that decides what is ignored.
type gitConfig struct {
	// excludesFile is nil where it is not set, which is not the same as set to nothing.
	excludesFile *string
	ignoreCase   bool
	// sha256 is set where object ids have 32 bytes rather than 20.
	sha256 bool
}

func (c *gitConfig) set(key, value string) {
	switch strings.ToLower(key) {
	case "core.excludesfile":
		c.excludesFile = &value
	case "core.ignorecase":
		c.ignoreCase = isTrue(value)
	case "extensions.objectformat":
		c.sha256 = strings.EqualFold(value, "sha256")
	}
}

func isTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on":
		return true
	}
	n, err := strconv.Atoi(value)
	return err == nil && n != 0
}

// askConfig lets git read the configuration, with all its places and includes.
func (g *gitTool) askConfig(ctx context.Context, dir string) (gitConfig, error) {
	var cfg gitConfig
	out, err := g.answer(ctx, dir, "config", "--includes", "-z", "--get-regexp", `^core\.(excludesfile|ignorecase)$`)
	var failed *gitError
	if errors.As(err, &failed) && failed.status == 1 {
		// Nothing is set.
		return cfg, nil
	}
	if err != nil {
		return cfg, err
	}
	for item := range bytes.SplitSeq(out, []byte{0}) {
		key, value, hasValue := strings.Cut(string(item), "\n")
		if !hasValue {
			value = "true"
		}
		cfg.set(key, value)
	}
	return cfg, nil
}

// readConfig reads the configuration without git: the usual files and plain includes.
func readConfig(r *repo) gitConfig {
	var cfg gitConfig
	var files []string
	if !isTrue(os.Getenv("GIT_CONFIG_NOSYSTEM")) {
		files = append(files, envOr("GIT_CONFIG_SYSTEM", "/etc/gitconfig"))
	}
	if global, ok := os.LookupEnv("GIT_CONFIG_GLOBAL"); ok {
		files = append(files, global)
	} else {
		files = append(files, xdgGit("config"))
		if home := homeDir(); home != "" {
			files = append(files, filepath.Join(home, ".gitconfig"))
		}
	}
	if r != nil {
		files = append(files, filepath.Join(r.commonDir, "config"))
	}
	for _, name := range files {
		cfg.readFile(name, 0)
	}
	return cfg
}

func envOr(key, fallback string) string {
	if value := os.Getenv(key); value != "" {
		return value
	}
	return fallback
}

// maxIncludes is how deep configuration files may include each other, as in git.
const maxIncludes = 10

func (c *gitConfig) readFile(file string, depth int) {
	if file == "" || depth > maxIncludes {
		return
	}
	data, err := readSideFile(file)
	if err != nil {
		return
	}
	section := ""
	for _, line := range joinContinued(strings.TrimPrefix(string(data), "\ufeff")) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			var rest string
			section, rest, _ = strings.Cut(line[1:], "]")
			section = strings.ToLower(strings.TrimSpace(section))
			line = strings.TrimSpace(rest)
		}
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		name, raw, hasValue := strings.Cut(line, "=")
		key, value := section+"."+strings.ToLower(strings.TrimSpace(name)), "true"
		if hasValue {
			value = configValue(raw)
		}
		if key == "include.path" {
			path := expandHome(value)
			if !filepath.IsAbs(path) {
				path = filepath.Join(filepath.Dir(file), path)
			}
			c.readFile(path, depth+1)
			continue
		}
		c.set(key, value)
	}
}

// joinContinued gives the lines of a configuration file; one that ends with a backslash goes on in the next.
func joinContinued(text string) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Split(strings.ReplaceAll(text, "\\\n", ""), "\n")
}

// configValue takes quotes, escapes and a comment off a value.
func configValue(raw string) string {
	var b strings.Builder
	quoted, solid := false, 0
	raw = strings.TrimLeft(raw, " \t")
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case c == '"':
			quoted = !quoted
			solid = b.Len()
			continue
		case c == '\\' && i+1 < len(raw):
			i++
			c = raw[i]
			if at := strings.IndexByte("ntb", c); at >= 0 {
				c = "\n\t\b"[at]
			}
		case !quoted && (c == '#' || c == ';'):
			i = len(raw)
			continue
		case !quoted && (c == ' ' || c == '\t'):
			b.WriteByte(c)
			continue
		}
		b.WriteByte(c)
		solid = b.Len()
	}
	return b.String()[:solid]
}
