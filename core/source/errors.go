package source

import "fmt"

// PathError says that the directory to read cannot be used. The caller reports insufficient scope on it.
type PathError struct {
	// Problem is what is wrong, such as "no such directory".
	Problem string
	Path    string
	Err     error
}

// Error gives one line that names the path.
func (e *PathError) Error() string { return e.Problem + ": " + e.Path }

// Unwrap gives the cause, if the operating system gave one.
func (e *PathError) Unwrap() error { return e.Err }

// PatternError says that an include or exclude pattern cannot be used. The caller treats it as wrong usage.
type PatternError struct {
	// Option is "include" or "exclude".
	Option  string
	Pattern string
	Problem string
}

// Error names the pattern and what is wrong with it.
func (e *PatternError) Error() string {
	return fmt.Sprintf("%s pattern %q %s", e.Option, e.Pattern, e.Problem)
}

// RevError says that a commit cannot be read. The caller treats it as wrong usage.
type RevError struct {
	Rev     string
	Problem string
	Err     error
}

// Error names the revision and what is wrong with it.
func (e *RevError) Error() string { return fmt.Sprintf("revision %q: %s", e.Rev, e.Problem) }

// Unwrap gives the cause, if there is one.
func (e *RevError) Unwrap() error { return e.Err }

// SkipError says that a listed file could not be read. It is a fault of that file alone: the caller counts it under
// Reason and goes on.
type SkipError struct {
	Path   string
	Reason SkipReason
	Err    error
}

// Error names the file, the reason and the cause.
func (e *SkipError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("read %q: %s", e.Path, e.Reason)
	}
	return fmt.Sprintf("read %q: %s: %v", e.Path, e.Reason, e.Err)
}

// Unwrap gives the cause.
func (e *SkipError) Unwrap() error { return e.Err }
