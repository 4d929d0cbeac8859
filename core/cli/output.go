package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// writeOutput writes a result to standard output, or to a file, whole or not at all.
func (a *app) writeOutput(file string, content []byte) error {
	return a.produce(file, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// produce has a result written to standard output, or to a file, whole or not at all.
func (a *app) produce(file string, write func(io.Writer) error) error {
	if file == "" {
		return write(resultWriter{a.stdout})
	}
	return writeFile(file, write)
}

// resultWriter says of a fault that it was the result that could not be written.
type resultWriter struct{ w io.Writer }

// Write implements io.Writer.
func (r resultWriter) Write(p []byte) (int, error) {
	n, err := r.w.Write(p)
	if err != nil {
		err = fmt.Errorf("write result: %w", err)
	}
	return n, err
}

// writeFile writes beside the file, makes that durable and renames it over the file. Devices and pipes are written to as
// they are. Faults of write itself come back as they are.
func writeFile(file string, write func(io.Writer) error) error {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return fmt.Errorf("write %s: it is a directory; name a file in it", file)
		}
		return writeThrough(file, write)
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	if err := write(tmp); err != nil {
		tmp.Close()
		os.Remove(tmp.Name())
		return err
	}
	if err := settle(tmp, file); err != nil {
		tmp.Close()
		os.Remove(tmp.Name())
		return fmt.Errorf("write %s: %w", file, err)
	}
	return nil
}

// settle puts a temporary file in the place of file.
func settle(tmp *os.File, file string) error {
	if err := tmp.Chmod(permissions(file)); err != nil {
		return err
	}
	if err := tmp.Sync(); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}

// permissions are those of the file that is replaced, else the usual ones.
func permissions(file string) os.FileMode {
	if info, err := os.Stat(file); err == nil {
		return info.Mode().Perm()
	}
	return 0o644
}

func writeThrough(file string, write func(io.Writer) error) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	defer f.Close()
	return write(f)
}
