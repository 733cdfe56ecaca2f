import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { waysOut } from "../../../core/host/vendor/checks/ways_out.ts";
import { root } from "../generated.ts";
import { isHandwritten, projectFiles, sources } from "../sources.ts";

/** The modules that reach other machines past the guarded client, or only look so, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "core/client/client.ts": "the client of the API, which runs elsewhere; its caller chooses the address",
  "core/edge/outbound.ts": "the guarded client on workers",
  "core/host/api_cli/api_document.ts": "the command line, which calls the installation that its user names",
  "core/host/api_cli/session.ts": "the command line, which calls the installation that its user names",
  "core/host/backup/stores/s3_client.ts": "the store of backups, whose address the operator sets in the manifest",
  "core/host/control/control_client.ts": "the socket file of a server on this machine",
  "core/host/doctor/installation_checks.ts": "the database, whose address the operator sets",
  "core/host/doctor/machine_checks.ts": "the resolver of the system",
  "core/host/listen/accept_watch.ts": "the listeners of this process",
  "core/host/outbound/http_exchange.ts": "the guarded client: HTTP over a connection that is open",
  "core/host/outbound/machine_transport.ts": "the guarded client: connections to checked addresses",
  "core/host/outbound/outbound.ts": "the guarded client: the resolver of the system",
  "core/host/vendor/checks/effect_recorder.ts": "watches what plugins open, and opens nothing",
  "core/storage/remote/engine.ts": "the database, whose address the operator sets",
  "core/storage/remote/errors.ts": "the database, whose address the operator sets",
  "core/storage/remote/remote_transaction.ts": "the database, whose address the operator sets",
  "core/storage/remote/streams.ts": "the database, whose address the operator sets",
  "core/storage/remote/write_session.ts": "the database, whose address the operator sets",
  "plugins/access_log_clickhouse/host/client.ts": "the log store, whose address the operator sets in the manifest",
  "plugins/ns_domain/host.ts": "the resolvers that the operator sets, or those of the system",
  "plugins/ns_node/agent/health/check.ts": "health checks of records by nodes; internal ones of users are turned off",
};

/** Packages and modules that reach other machines whatever is imported from them. */
const PACKAGES = /^(?:@clickhouse\/client.*|@libsql\/client.*|node:dgram|node:dns.*|undici|ws)$/;

describe("the check", () => {
  test.each([
    ["const send = () => fetch(url);", ["fetch"]],
    ["const send = (sendIt = globalThis.fetch) => sendIt(url);", ["fetch"]],
    ["new WebSocket(url);", ["WebSocket"]],
    ["await Deno.connect({ port: 25 });", ["Deno.connect"]],
    ['import { connect } from "node:net"; connect(1);', ["connect of node:net"]],
    ['import { connect as open } from "node:tls"; open(1);', ["connect of node:tls"]],
    ['import http from "node:http"; http.get(url);', ["node:http"]],
    ['import * as net from "net"; net.connect(1);', ["node:net"]],
    ['const { request } = await import("node:https");', ["node:https"]],
    ['export { request } from "node:http";', ["request of node:http"]],
  ])("detects %s", async (text, ways) => {
    expect(await waysOut(text)).toEqual(ways);
  });

  test.each([
    "const send = (call: Call) => call.fetch(url);",
    "const send = ({ fetch }: Deps) => fetch(url);",
    "type Send = typeof fetch;",
    'import type { Socket } from "node:net"; export type Peer = Socket;',
    'import { createServer, type Socket } from "node:net"; createServer();',
    'import { createServer } from "node:http"; createServer();',
  ])("accepts %s", async (text) => {
    expect(await waysOut(text)).toEqual([]);
  });
});

test("other machines are reached through the guarded client", async () => {
  const files = projectFiles("core", "plugins").filter((path) => isHandwritten(path) && !path.endsWith("_pb.ts"));
  const found = await Promise.all(files.map(async (path) => {
    const ways = await waysOut(readFileSync(root + path, "utf8"), path.endsWith("x"));
    return ways.map((way) => [path, way] as const);
  }));
  const packages = sources("core", "plugins").flatMap(({ path, runtimeImports, dynamicImports }) =>
    [...runtimeImports, ...dynamicImports].filter((one) => one !== undefined && PACKAGES.test(one))
      .map((one) => [path, one!] as const)
  );
  const all = [...found.flat(), ...packages].filter(([path]) => !/^plugins\/\w+\/app\//.test(path));
  const unknown = all.filter(([path]) => !(path in EXCEPTIONS)).map(([path, way]) => `${path}: ${way}`);
  expect(unknown).toEqual([]);
  const paths = new Set(all.map(([path]) => path));
  expect(Object.keys(EXCEPTIONS).filter((path) => !paths.has(path))).toEqual([]);
});
