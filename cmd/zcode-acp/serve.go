package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	neturl "net/url"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"zcode-acp/api"
)

const defaultListen = "127.0.0.1:8377"

// serveOptions are the flags of serve.
type serveOptions struct {
	listen    string
	tokenFile string
	hosts     []string
	noAuth    bool
	printURL  bool
}

func newServeCmd(a *app) *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the settings over REST",
		Long: `Serve the settings over REST on this machine until it is stopped. Clients send
the token as Authorization: Bearer, or as ?token=; each home has its own, made
at the first start and kept in a private file. ZCODE_ACP_REMOTE_TOKEN and
--token-file override it.`,
		Example: `  zcode-acp serve
  zcode-acp serve --listen unix:/run/user/1000/zcode-acp.sock
  curl -H "Authorization: Bearer $(zcode-acp serve token show)" \
    http://127.0.0.1:8377/settings/all`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), o) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.listen, "listen", defaultListen, "`ADDR` as host:port, or unix:PATH")
	flags.StringVar(&o.tokenFile, "token-file", "", "`FILE` that holds the token")
	flags.StringArrayVar(&o.hosts, "host", nil, "`NAME` beside loopback under which clients may address it")
	flags.BoolVar(&o.noAuth, "no-auth", false, "ask for no token (loopback only)")
	flags.BoolVar(&o.printURL, "print-url", false, "print the address with the token to stdout")
	cmd.AddCommand(newTokenCmd(a))
	return cmd
}

func (a *app) serve(ctx context.Context, o serveOptions) error {
	if err := a.open(); err != nil {
		return err
	}
	options := api.Options{Log: slog.New(slog.NewTextHandler(a.stderr, nil))}
	var source token
	if !o.noAuth {
		var err error
		if source, err = a.findToken(o.tokenFile); err != nil {
			return err
		}
		a.warnOpen(source)
		options.Token = source.read
	}
	listener, err := listen(ctx, o)
	if err != nil {
		return err
	}
	options.Hosts = allowedHosts(listener.Addr(), o)
	server, err := api.New(a.catalog, options)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	record, err := a.recordServer(listener.Addr())
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer record.remove(a.stderr)
	if err := a.announce(listener.Addr(), o, source); err != nil {
		return errors.Join(err, listener.Close())
	}
	return server.Serve(ctx, listener)
}

// announce says where the server is and where its token can be found.
func (a *app) announce(addr net.Addr, o serveOptions, source token) error {
	address := url(addr)
	fmt.Fprintf(a.stderr, "zcode-acp: serving %s at %s\n", a.layout.Root(), address)
	secret := ""
	if o.noAuth {
		fmt.Fprintln(a.stderr, "zcode-acp: no token is asked for: every program of this machine may change the settings")
	} else {
		fmt.Fprintf(a.stderr, "zcode-acp: the token is in %s\n", source.from)
		value, err := source.read()
		if err != nil {
			return err
		}
		secret = "?token=" + neturl.QueryEscape(value)
	}
	if o.printURL {
		fmt.Fprintf(a.stdout, "%s/settings/all%s\n", address, secret)
	}
	return nil
}

func listen(ctx context.Context, o serveOptions) (net.Listener, error) {
	if path, ok := strings.CutPrefix(o.listen, "unix:"); ok {
		if path == "" || strings.HasPrefix(path, "@") {
			return nil, usage("--listen %s names no socket file: it is unix:PATH", o.listen)
		}
		if o.printURL {
			return nil, usage("--print-url needs an address of the form host:port")
		}
		return listenUnix(ctx, path)
	}
	host, port, err := net.SplitHostPort(o.listen)
	if n, portErr := strconv.Atoi(port); err != nil || portErr != nil || n < 0 || n > 65535 {
		return nil, usage("--listen %s is not of the form host:port or unix:PATH", o.listen)
	}
	if o.noAuth && !isLoopback(host) {
		return nil, usage("--no-auth is possible on loopback only: listen on 127.0.0.1, or use a token")
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", o.listen)
	if err != nil {
		return nil, explainListen(ctx, o.listen, err)
	}
	return listener, nil
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

// listenUnix listens on a socket that only this user can open. A socket that
// nobody answers on is left over from a crash and is replaced.
func listenUnix(ctx context.Context, path string) (net.Listener, error) {
	var dialer net.Dialer
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
		if conn, err := dialer.DialContext(ctx, "unix", path); err == nil {
			return nil, errors.Join(fmt.Errorf("listening on %s: another server answers there: stop it first", path), conn.Close())
		}
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("removing the socket of a server that is gone: %w", err)
		}
	}
	restore := privateUmask()
	defer restore()
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("listening on %s: %w", path, err)
	}
	return listener, nil
}

// allowedHosts are the names under which the server answers beside loopback.
func allowedHosts(addr net.Addr, o serveOptions) []string {
	hosts := make([]string, 0, len(o.hosts)+1)
	for _, name := range o.hosts {
		hosts = append(hosts, strings.ToLower(name))
	}
	if tcp, ok := addr.(*net.TCPAddr); ok && !tcp.IP.IsUnspecified() {
		hosts = append(hosts, tcp.IP.String())
	}
	if host, _, err := net.SplitHostPort(o.listen); err == nil && host != "" {
		hosts = append(hosts, strings.ToLower(host))
	}
	return hosts
}

func url(addr net.Addr) string {
	if addr.Network() == "unix" {
		return "unix:" + addr.String()
	}
	return "http://" + addr.String()
}
