import ts from "typescript";
import { describe, expect, test } from "vitest";
import { sources } from "./sources.ts";

/** The identifiers of the callers' roles: who may call is knowledge of the kernel. */
const ALLOWED = ["core/base/call.ts: nodeId"];
/** The module that reads the syntax trees of statements, whose parts Kysely calls nodes. */
const SYNTAX_TREES = "core/storage/change_capture.ts";

/** Returns the words of an identifier, in lower case and joined by `_`. */
function wordsOf(identifier: string): string {
  return identifier.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_").toLowerCase();
}

/** Returns true if an identifier names something of a CDN or of DNS. A lone `node` may be that of a tree. */
function isForeign(identifier: string): boolean {
  const words = wordsOf(identifier);
  if (/(^|_)ns_domain|(^|_)access_log|(^|_)deploy_package/.test(words)) return true;
  return words.replaceAll("_", "").includes("ddos") || words !== "node" && /(^|_)nodes?(_|$)/.test(words);
}

/** Returns the foreign identifiers of a module. */
function foreignIdentifiers(text: string): string[] {
  const found = new Set<string>();
  function visit(node: ts.Node): void {
    if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && isForeign(node.text.replace("#", ""))) {
      found.add(node.text);
    }
    ts.forEachChild(node, visit);
  }
  visit(ts.createSourceFile("module.ts", text, ts.ScriptTarget.Latest, true));
  return [...found];
}

describe("the check", () => {
  test.each([
    "const nodeId = 1;",
    "class NodeHub {}",
    "const KERNEL_NODE_LEASE = 1;",
    "interface Row { readonly nodes: bigint }",
    "class Hub { #openNodes = 1; }",
    "const row = { kernel_node_sessions: 1 };",
    'import { versionsOfNSDomain } from "./x.ts";',
    "function nsDomainField() {}",
    "const httpAccessLogs = [];",
    "type X = DeployPackage;",
    "call.ddosProtectionRule();",
    "new DDoSProtection();",
  ])("finds %s", (text) => expect(foreignIdentifiers(text)).toHaveLength(1));

  test.each([
    "socket.setNoDelay(true);",
    'const folder = "node_modules";',
    'import "node:fs"; // nodeId',
    "tree[node] = next;",
    "const accessLevel = logAccess;",
  ])("accepts %s", (text) => expect(foreignIdentifiers(text)).toEqual([]));
});

test("core names nothing of a CDN or of DNS", () => {
  const found = sources("core").filter(({ path }) => path !== SYNTAX_TREES).flatMap(({ path, text }) =>
    foreignIdentifiers(text).map((identifier) => `${path}: ${identifier}`)
  );
  expect(found).toEqual(ALLOWED);
});
