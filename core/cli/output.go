package cli

import (
	"fmt"
	"os"
	"path/filepath"
)

// writeOutput writes a result to standard output, or to a file, whole or not at all.
func (a *app) writeOutput(file string, content []byte) error {
	if file == "" {
		if _, err := a.stdout.Write(content); err != nil {
			return fmt.Errorf("write result: %w", err)
		}
		return nil
	}
	return writeFile(file, content)
}

// writeFile puts content beside the file, makes it durable and renames it over the file. Devices and pipes are written
// to as they are.
func writeFile(file string, content []byte) (err error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return fmt.Errorf("write %s: it is a directory; name a file in it", file)
		}
		return writeThrough(file, content)
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
			err = fmt.Errorf("write %s: %w", file, err)
		}
	}()
	if _, err = tmp.Write(content); err != nil {
		return err
	}
	if err = tmp.Chmod(permissions(file)); err != nil {
		return err
	}
	if err = tmp.Sync(); err != nil {
		return err
	}
	if err = tmp.Close(); err != nil {
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

func writeThrough(file string, content []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	defer f.Close()
	if _, err := f.Write(content); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return nil
}
