import { definePlugin } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { filesContaining } from "../../harness/files.ts";
import { NodeGrants, NodeGrantSuggestions, NodeGrantUses } from "../../../plugins/node_grant/contract.ts";
import plugin from "../../../plugins/node_grant/plugin.ts";
import { NodeGrantService } from "../../../plugins/node_grant/proto/service_node_grant_pb.ts";

const rpc = NodeGrantService.method;
const admin = as.admin();
const usedBy = new Map<bigint, string[]>();
const suggested: bigint[] = [];
const KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n";
let grants: NodeGrants;

const probe = definePlugin({
  manifest: { name: "probe", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { grants: NodeGrants },
  setup({ deps, contribute }) {
    grants = deps.grants;
    contribute(NodeGrantUses, { referencesTo: async (_call, id, limit) => (usedBy.get(id) ?? []).slice(0, limit) });
    contribute(NodeGrantSuggestions, {
      grantsOf: async (_call, { nodeClusterId }) => nodeClusterId === 5n ? suggested : [],
    });
  },
});

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, probe] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

const byPassword = { name: "rack 1", method: "user", username: "deploy", password: " s3cret of the rack ", su: true };

async function create(request: object): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.createNodeGrant, request)).nodeGrantId;
}

async function login(id: bigint) {
  return await grants.login(edgehelm.kernel.systemCall("test"), id);
}

async function find(nodeGrantId: bigint) {
  return (await edgehelm.call(admin, rpc.findEnabledNodeGrant, { nodeGrantId })).nodeGrant;
}

test("a grant is created, changed from a password to a key, and deleted; its secrets are never returned", async () => {
  const id = await create({ ...byPassword, description: "the old rack", nodeId: 4n });
  const visible = { id, name: "rack 1", method: "user", username: "deploy", su: true, nodeId: 4n };
  expect(await find(id)).toMatchObject({ ...visible, password: "", privateKey: "", passphrase: "" });
  expect(await login(id)).toMatchObject({ method: "user", username: "deploy", password: byPassword.password });

  await edgehelm.call(admin, rpc.updateNodeGrant, { ...byPassword, nodeGrantId: id, name: "rack 2", password: "" });
  expect(await login(id)).toMatchObject({ password: byPassword.password });

  const byKey = { nodeGrantId: id, name: "rack 2", method: "privateKey", privateKey: KEY, passphrase: "open sesame" };
  await edgehelm.call(admin, rpc.updateNodeGrant, byKey);
  const key = { method: "privateKey", username: "root", password: "", privateKey: KEY, passphrase: "open sesame" };
  expect(await login(id)).toEqual({ ...key, su: false });
  await edgehelm.call(admin, rpc.updateNodeGrant, { ...byKey, privateKey: "", passphrase: "" });
  expect(await login(id)).toMatchObject(key);
  await edgehelm.call(admin, rpc.updateNodeGrant, { ...byKey, passphrase: "" });
  expect(await login(id)).toMatchObject({ privateKey: KEY, passphrase: "" });

  const lists = JSON.stringify([
    (await edgehelm.post("/NodeGrantService/listEnabledNodeGrants", {}, admin)).data,
    (await edgehelm.post("/NodeGrantService/findAllEnabledNodeGrants", {}, admin)).data,
    (await edgehelm.post("/NodeGrantService/findEnabledNodeGrant", { nodeGrantId: Number(id) }, admin)).data,
  ]);
  expect(lists).toContain("rack 2");
  expect(lists).not.toContain("PRIVATE KEY");

  usedBy.set(id, ['node cluster "main"']);
  await expect(edgehelm.call(admin, rpc.disableNodeGrant, { nodeGrantId: id }))
    .rejects.toMatchObject({ code: 409, message: `grant ${id} is used by node cluster "main"` });
  usedBy.delete(id);
  await edgehelm.call(admin, rpc.disableNodeGrant, { nodeGrantId: id });
  expect(await find(id)).toBeUndefined();
  expect(await login(id)).toBeUndefined();
});

test("the database contains no secret in clear text", async () => {
  await create({ ...byPassword, password: "PlainTextWouldShow" });
  expect(filesContaining(edgehelm.directory, "rack 1")).not.toEqual([]);
  expect(filesContaining(edgehelm.directory, "PlainTextWouldShow")).toEqual([]);
});

describe("createNodeGrant refuses", () => {
  test.each([
    [{ name: "" }, "name: must not be empty"],
    [{ method: "agent" }, 'method: must be one of user, privateKey, got "agent"'],
    [{ username: "" }, "username: must not be empty"],
    [{ username: "a b" }, "username: must not contain white space"],
    [{ password: "" }, "password: must not be empty, because the method user requires it"],
    [
      { method: "privateKey", privateKey: "" },
      "privateKey: must not be empty, because the method privateKey requires it",
    ],
    [{ method: "privateKey", privateKey: "ssh-rsa AAAA" }, "privateKey: must be a private key in PEM"],
    [{ nodeId: -1n }, "nodeId: must not be negative"],
  ])("%o", async (wrong, message) => {
    await expect(create({ ...byPassword, ...wrong }))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});

test("a grant cannot change to a method whose secret it lacks", async () => {
  const nodeGrantId = await create(byPassword);
  await expect(edgehelm.call(admin, rpc.updateNodeGrant, { ...byPassword, nodeGrantId, method: "privateKey" }))
    .rejects.toMatchObject({ code: 400, reason: "node_grant.secret_missing" });
  expect(await login(nodeGrantId)).toMatchObject({ method: "user", password: byPassword.password });
});

test("lists are newest first, filtered and counted", async () => {
  await using kernel = await testKernel({ plugins: [plugin] });
  for (const [name, username] of [["one", "root"], ["two", "deploy"], ["three", "root"]]) {
    await kernel.call(admin, rpc.createNodeGrant, { ...byPassword, name: name!, username: username! });
  }
  const listNames = async (request: object) =>
    (await kernel.call(admin, rpc.listEnabledNodeGrants, request)).nodeGrants.map(({ name }) => name);
  expect(await listNames({})).toEqual(["three", "two", "one"]);
  expect(await listNames({ offset: 1n, size: 1n })).toEqual(["two"]);
  expect(await listNames({ keyword: "ROOT" })).toEqual(["three", "one"]);
  expect((await kernel.call(admin, rpc.countAllEnabledNodeGrants, {})).count).toBe(3n);
  expect((await kernel.call(admin, rpc.countAllEnabledNodeGrants, { keyword: "depl" })).count).toBe(1n);
});

test("findSuggestNodeGrants returns the suggested grants and skips those that do not exist", async () => {
  const [one, two] = [await create(byPassword), await create(byPassword)];
  suggested.push(one, two, one, 9999n);
  const { nodeGrants } = await edgehelm.call(admin, rpc.findSuggestNodeGrants, { nodeClusterId: 5n });
  expect(nodeGrants.map(({ id }) => id)).toEqual([two, one]);
  expect((await edgehelm.call(admin, rpc.findSuggestNodeGrants, { nodeClusterId: 6n })).nodeGrants).toEqual([]);
});

test("testNodeGrant is unavailable, but checks its request first", async () => {
  const nodeGrantId = await create(byPassword);
  const request = { nodeGrantId, host: "10.0.0.1", port: 22 };
  await expect(edgehelm.call(admin, rpc.testNodeGrant, request)).rejects.toMatchObject({ code: 503 });
  await expect(edgehelm.call(admin, rpc.testNodeGrant, { ...request, port: 0 })).rejects.toMatchObject({ code: 400 });
  await expect(edgehelm.call(admin, rpc.testNodeGrant, { ...request, nodeGrantId: 9999n }))
    .rejects.toMatchObject({ code: 404 });
});

test.each([
  [rpc.updateNodeGrant, byPassword],
  [rpc.disableNodeGrant, {}],
])("$name does not find a grant that does not exist", async (method, request) => {
  await expect(edgehelm.call(admin, method as typeof rpc.disableNodeGrant, { ...request, nodeGrantId: 9999n }))
    .rejects.toMatchObject({ code: 404, reason: "node_grant.not_found", message: "grant 9999 does not exist" });
  await expect(grants.requireGrant(edgehelm.kernel.systemCall("test"), "nodeGrantId", 9999n))
    .rejects.toMatchObject({ message: "nodeGrantId: grant 9999 does not exist" });
});
