import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CliRig, cliRig } from "./rig.ts";

let rig: CliRig;
beforeAll(async () => {
  rig = await cliRig(["user", "ns_cluster", "ns_domain", "ns_record", "ns_route", "file", "file_chunk", "hello_world"]);
  await rig.login();
});
afterAll(() => rig[Symbol.asyncDispose]());

async function printed(...args: string[]): Promise<string> {
  const { code, output } = await rig.run(...args);
  expect({ code, output }).toMatchObject({ code: 0 });
  return output;
}

async function json(...args: string[]): Promise<unknown> {
  return JSON.parse(await printed(...args, "-o", "json"));
}

describe("calling an operation", () => {
  test("flags are the fields of the request, in any spelling", async () => {
    const cluster = ["NSClusterService", "createNSCluster", "--name", "eu", "--hosts", "ns1.example.net"];
    const { nsClusterId } = await json(...cluster, "--hosts", "ns2.example.net") as { nsClusterId: number };
    expect(await json("ns-cluster", "find-ns-cluster", "--ns-cluster-id", `${nsClusterId}`)).toMatchObject({
      nsCluster: { name: "eu", hosts: ["ns1.example.net", "ns2.example.net"] },
    });
    const request = await rig.file("request.json", JSON.stringify({ nsClusterId, name: "replaced.example" }));
    const created = ["NSDomainService", "createNSDomain", "--request", `@${request}`, "--name", "example.com"];
    const { nsDomainId } = await json(...created) as { nsDomainId: number };
    const tsig = ["NSDomainService", "updateNSDomainTSIG", "--nsDomainId", `${nsDomainId}`, "--tsigJSON"];
    await printed(...tsig, '{"isOn": true}');
    const { tsigJSON } = await json("NSDomainService", "findNSDomainTSIG", "--nsDomainId", `${nsDomainId}`) as {
      tsigJSON: string;
    };
    expect(atob(tsigJSON)).toBe('{"isOn":true}');
  });

  test("bytes come from a file", async () => {
    const { fileId } = await json("FileService", "createFile", "--filename", "a.txt", "--size", "5") as {
      fileId: number;
    };
    const path = await rig.file("a.txt", "hello");
    const chunk = ["FileChunkService", "createFileChunk", "--fileId", `${fileId}`, "--data", `@${path}`];
    const { fileChunkId } = await json(...chunk) as { fileChunkId: number };
    expect(await json("FileChunkService", "downloadFileChunk", "--fileChunkId", `${fileChunkId}`))
      .toMatchObject({ fileChunk: { data: btoa("hello") } });
  });

  test("a list is a table, JSON or YAML, one page or all", async () => {
    const { nsClusterId } = await json("NSClusterService", "createNSCluster", "--name", "many") as {
      nsClusterId: number;
    };
    const names = Array.from({ length: 501 }, (_, index) => ["--names", `d${index}.test`]).flat();
    await printed("NSDomainService", "createNSDomains", "--nsClusterId", `${nsClusterId}`, ...names);
    const list = ["NSDomainService", "listNSDomains", "--nsClusterId", `${nsClusterId}`];
    const table = (await printed(...list, "--size", "2")).trim().split("\n");
    expect(table).toHaveLength(3);
    expect(table[0]).toMatch(/^id +name +isOn/);
    expect(table[1]).toMatch(/^\d+ +d500\.test +true/);
    expect(await printed(...list, "--size", "1", "-o", "yaml")).toMatch(/^nsDomains:\n {2}- id: \d+\n {4}name: d500/);
    expect(await json(...list, "--all")).toMatchObject({ nsDomains: { length: 501 } });
  });

  test("an integer beyond 2^53 keeps every digit", async () => {
    expect(await json("HelloWorldService", "sayHello", "--id", "9007199254740993", "--name", "Ada"))
      .toEqual({ result: "hello, Ada (9007199254740993)" });
  });
});

test("help lists what the installation serves, plugins of others included", async () => {
  expect((await printed("services")).split("\n")).toContain("HelloWorldService");
  expect(await printed("HelloWorldService")).toMatch(/^sayHello +\S/);
  const help = await printed("HelloWorldService", "sayHello", "--help");
  expect(help).toContain("--id <integer>");
  expect(help).toContain("May be called by: admin");
});

test("help marks what is deprecated", async () => {
  const help = await printed("NSRecordService", "createNSRecord", "--help");
  expect(help).toMatch(/--nsRouteIds <integer> +\(may be repeated\) \(deprecated\)/);
  expect(help).toMatch(/--nsRouteCodes <text> +\(may be repeated\) (?!\(deprecated)/);
});

test.each([
  [2, "--id: must be an integer, got", ["HelloWorldService", "sayHello", "--id", "seven"]],
  [2, "Did you mean --name?", ["HelloWorldService", "sayHello", "--nam", "Ada"]],
  [2, 'has no operation "sayBye"', ["HelloWorldService", "sayBye"]],
  [2, 'has no operation "say-helo", did you mean "sayHello"?', ["HelloWorldService", "say-helo"]],
  [2, 'serves no service "HelloWordService", did you mean "HelloWorldService"?', ["HelloWordService", "x"]],
  [2, 'serves no service "NoSuchService"', ["NoSuchService", "x"]],
  [2, 'cannot read "/no/such/file"', ["FileChunkService", "createFileChunk", "--data", "@/no/such/file"]],
  [2, 'profile "other" does not exist', ["--profile", "other", "services"]],
  [3, "kernel.invalid_field", ["NSClusterService", "createNSCluster", "--name", ""]],
  [4, "ns_domain.not_found", ["NSDomainService", "deleteNSDomain", "--nsDomainId", "99999"]],
])("exits with %d and says: %s", async (code, text, args) => {
  const result = await rig.run(...args);
  expect(result.output).toContain(text);
  expect(result.code).toBe(code);
});

test("shells complete services, operations and flags without asking the server", async () => {
  await printed("services");
  const complete = async (...words: string[]) => (await printed("__complete", ...words)).trim().split("\n");
  expect(await complete("HelloW")).toEqual(["HelloWorldService"]);
  expect(await complete("doc")).toEqual(["doctor"]);
  expect(await complete("HelloWorldService", "say")).toEqual(["sayHello"]);
  expect(await complete("HelloWorldService", "sayHello", "--n")).toEqual(["--name"]);
  for (const shell of ["bash", "zsh", "fish"]) expect(await printed("completion", shell)).toContain("__complete");
});
