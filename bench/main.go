// Command bench measures the product beside its floors in one run and prints a
// table of ratios. A floor is the work that cannot be saved: the bare system
// calls of a lock, of a durable replace, the start of a program that does
// nothing. Product and floor take turns, so that both see the same machine.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"
)

func main() {
	out := flag.String("out", "", "also write the table to this file")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	dir, err := os.MkdirTemp("", "zcode-acp-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var rows []row
	for _, measure := range []func(string) ([]row, error){measureLock, measureWrite, measureStart} {
		list, err := measure(dir)
		if err != nil {
			return err
		}
		rows = append(rows, list...)
	}
	w := io.Writer(os.Stdout)
	if out != "" {
		f, err := os.Create(out)
		if err != nil {
			return err
		}
		defer f.Close()
		w = io.MultiWriter(os.Stdout, f)
	}
	return print(w, rows)
}

// row is one line of the table.
type row struct {
	what           string
	product, floor []time.Duration
	limit          string // where the project should stand
}

// duel runs product and floor in turns.
func duel(what, limit string, n int, product, floor func() error) (row, error) {
	r := row{what: what, limit: limit}
	for i := range n + n/10 {
		p, err := timed(product)
		if err != nil {
			return r, fmt.Errorf("%s: %w", what, err)
		}
		f, err := timed(floor)
		if err != nil {
			return r, fmt.Errorf("%s, floor: %w", what, err)
		}
		if i >= n/10 { // the first tenth warms up
			r.product, r.floor = append(r.product, p), append(r.floor, f)
		}
	}
	return r, nil
}

func timed(do func() error) (time.Duration, error) {
	start := time.Now()
	err := do()
	return time.Since(start), err
}

func quantile(list []time.Duration, q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[int(q*float64(len(sorted)-1))]
}

func print(w io.Writer, rows []row) error {
	fmt.Fprintf(w, "# Measurements\n\nWritten by `go run ./bench -out docs/measurements.md` on %s, %s/%s, %d cores, %s.\n",
		time.Now().Format(time.DateOnly), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	fmt.Fprint(w, "Times are microseconds; product and floor take turns in one run, so the ratios count, not the times.\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)
	fmt.Fprintln(t, "| what\t| product p50\t| p90\t| floor p50\t| p90\t| ratio of p50\t| to be\t|")
	fmt.Fprintln(t, "| ---\t| ---\t| ---\t| ---\t| ---\t| ---\t| ---\t|")
	for _, r := range rows {
		p, f := quantile(r.product, 0.5), quantile(r.floor, 0.5)
		fmt.Fprintf(t, "| %s\t| %d\t| %d\t| %d\t| %d\t| %.2f\t| %s\t|\n", r.what, p.Microseconds(),
			quantile(r.product, 0.9).Microseconds(), f.Microseconds(), quantile(r.floor, 0.9).Microseconds(), float64(p)/float64(f), r.limit)
	}
	return t.Flush()
}
