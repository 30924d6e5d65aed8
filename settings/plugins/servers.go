package plugins

import (
	"fmt"

	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/jsonedit"
)

// serversFile is where a plugin's MCP servers lie besides those in its manifest.
const serversFile = ".mcp.json"

// maxServers is the most that is listed of one file or object.
const maxServers = 500

// servers lists the MCP servers of the usual file, then those of the manifest,
// objects and paths of files, which replace earlier ones of the same name.
func (f *folder) servers(declared jsonedit.Node) {
	at := map[string]int{}
	if d, err := f.doc(serversFile); err == nil {
		f.addServers(at, f.abs(serversFile), "", d.Root())
	}
	for i, n := range oneOrMore(declared) {
		if n.Kind() != jsonedit.String {
			f.addServers(at, f.plugin.Manifest, pointerOf(declared, i), n)
			continue
		}
		name, ok := inside(n.Text())
		if !ok {
			f.outside(pointerOf(declared, i))
			continue
		}
		if d, err := f.declaredDoc(name, pointerOf(declared, i)); err == nil {
			f.addServers(at, f.abs(name), "", d.Root())
		}
	}
}

// addServers lists the servers of an object, which may hold them directly or
// under "mcpServers"; at tells where those of earlier objects are listed.
func (f *folder) addServers(at map[string]int, file, pointer string, n jsonedit.Node) {
	wrong := func(pointer, reason string) {
		f.report.add(Problem{Plugin: f.plugin.ID, File: file, Pointer: pointer, Reason: reason})
	}
	if n.Kind() != jsonedit.Object {
		wrong(pointer, "must be an object of MCP servers")
		return
	}
	if inner := n.Get("mcpServers"); inner.Kind() == jsonedit.Object {
		n, pointer = inner, pointer+"/mcpServers"
	}
	var servers []jsonedit.Node
	for c := range n.Children() {
		switch {
		case c.Kind() != jsonedit.Object:
			wrong(pointer+jsonedit.Path{c.Key()}.Pointer(), "must be an object: ZCode skips this server")
		case len(servers) == maxServers:
			wrong(pointer, fmt.Sprintf("holds more than %d servers: the rest is left out", maxServers))
			f.listServers(at, servers)
			return
		default:
			servers = append(servers, c)
		}
	}
	f.listServers(at, servers)
}

// listServers masks servers as those of ZCode's own files are masked.
func (f *folder) listServers(at map[string]int, servers []jsonedit.Node) {
	text := []byte(`{"mcpServers":{`)
	for i, n := range servers {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, jsonedit.Quote(n.Key())...)
		text = append(text, ':')
		text = append(text, n.Raw()...)
	}
	d, err := jsonedit.Parse(append(text, "}}"...))
	if err != nil {
		f.problem(serversFile, "", "cannot be listed: "+err.Error())
		return
	}
	list := &f.plugin.Contents.MCPServers
	for i, s := range cliconfig.AgentsServers(d) {
		s = asPlugin(s, servers[i])
		if j, again := at[s.Name]; again {
			(*list)[j] = s
			continue
		}
		at[s.Name] = len(*list)
		*list = append(*list, s)
	}
}

// asPlugin applies the rules for servers of plugins: ZCode knows no old
// spellings there, and overlooks members that it does not know.
func asPlugin(s cliconfig.Server, n jsonedit.Node) cliconfig.Server {
	s.Source, s.Legacy, s.Ignored = "plugin", nil, ""
	if n.Get("env").Kind() != jsonedit.Object {
		s.Env = nil
	}
	if n.Get("headers").Kind() != jsonedit.Object {
		s.Headers = nil
	}
	if on, set := n.Get("enabled").Bool(); set {
		s.Enabled = on
	} else {
		s.Enabled = true
	}
	switch declared := n.Get("type"); {
	case declared.Kind() == jsonedit.String:
		s.Type = declared.Text()
	case n.Get("command").Kind() == jsonedit.String:
		s.Type = "stdio"
	default:
		s.Type = "http"
	}
	if reason := skipped(s.Type, n); reason != "" {
		s.Ignored = "ZCode skips this server: " + reason
	}
	return s
}

// skipped says why ZCode starts no such server of a plugin, "" when it does.
func skipped(transport string, n jsonedit.Node) string {
	switch transport {
	case "stdio":
		if n.Get("command").Text() == "" {
			return `it needs "command" for its type stdio`
		}
		return ""
	case "http", "sse":
		if n.Get("url").Text() == "" {
			return `it needs "url" for its type ` + transport
		}
	default:
		return "its type must be one of http, sse, stdio"
	}
	switch oauth := n.Get("oauth"); {
	case oauth.Kind() != jsonedit.Object:
		return ""
	case oauth.Get("type").Text() == "authorization_code":
		return ""
	case oauth.Get("type").Text() != "client_credentials":
		return "its oauth needs the type authorization_code or client_credentials"
	case oauth.Get("clientId").Text() == "" || oauth.Get("clientSecret").Text() == "":
		return `its oauth needs "clientId" and "clientSecret"`
	}
	return ""
}
