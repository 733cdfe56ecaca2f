import { expect, test } from "vitest";
import { filesContaining } from "../../harness/files.ts";
import { admin, byPassword, create, edgehelm, login, rpc, usedBy, useKernel } from "./rig.ts";

const KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n";

useKernel();

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
