import { describe, expect, test } from "vitest";
import { admin, byPassword, create, edgehelm, grants, login, rpc, useKernel } from "./rig.ts";

useKernel();

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
    [{ nodeId: 10n }, "nodeId: node 10 does not exist"],
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

test.each([
  [rpc.updateNodeGrant, byPassword],
  [rpc.disableNodeGrant, {}],
])("$name does not find a grant that does not exist", async (method, request) => {
  await expect(edgehelm.call(admin, method as typeof rpc.disableNodeGrant, { ...request, nodeGrantId: 9999n }))
    .rejects.toMatchObject({ code: 404, reason: "node_grant.not_found", message: "grant 9999 does not exist" });
  await expect(grants.requireGrant(edgehelm.kernel.systemCall("test"), "nodeGrantId", 9999n))
    .rejects.toMatchObject({ message: "nodeGrantId: grant 9999 does not exist" });
});
