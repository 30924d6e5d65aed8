// Writes before.json and one file for each edit, all with JSON.stringify.
import { writeFileSync } from "node:fs";

const config = () => ({
  9: "integer keys come first",
  10: [],
  $schema: "https://example.invalid/zcode.json",
  mcp: {
    servers: {
      files: { type: "stdio", command: "npx", args: ["-y", "server-files", "/srv/é 😀"], env: {}, timeoutMs: 60000 },
      remote: { type: "http", url: "https://r.example/mcp?a=1&b=<2>", headers: { "X-\"Q\"": "\\\n\u0001\u2028" } },
    },
  },
  hooks: { enabled: true, events: { Stop: [{ matcher: "*", hooks: [] }] } },
  numbers: [0, -1, 1.5, 1e21, 1e-7, 9007199254740991],
  lone: "\ud800",
  skills: {},
});

const edits = {
  before: () => {},
  "add-member": (c) => { c.mcp.servers.files.enabled = false; },
  "add-server": (c) => { c.mcp.servers["c:\\x/~ é"] = { command: "y", args: ["a", { b: [[], {}] }], env: { K: "\ud800\"" } }; },
  "add-skill": (c) => { c.skills["/home/user/skills/a/SKILL.md"] = { enable: false }; },
  "add-env": (c) => { c.mcp.servers.files.env.ROOT = "/srv"; },
  "add-hook": (c) => { c.hooks.events.Stop[0].hooks.push({ type: "command", command: "x" }); },
  "insert-argument": (c) => { c.mcp.servers.files.args.splice(1, 0, "--quiet"); },
  "replace-arguments": (c) => { c.mcp.servers.files.args = []; },
  "remove-last-member": (c) => { delete c.skills; },
  "remove-first-argument": (c) => { c.mcp.servers.files.args.shift(); },
  "remove-header": (c) => { delete c.mcp.servers.remote.headers["X-\"Q\""]; },
};

for (const [name, edit] of Object.entries(edits)) {
  const c = config();
  edit(c);
  writeFileSync(name + ".json", JSON.stringify(c, null, 2) + "\n");
}
