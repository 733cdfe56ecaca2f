import { as, stub, type TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import plugin from "../../../plugins/ns_key/plugin.ts";
import { NSKeyService } from "../../../plugins/ns_key/proto/service_ns_key_pb.ts";
import { NSNodes } from "../../../plugins/ns_node/contract.ts";
import { domainKernel } from "../ns_domain/rig.ts";

const rpc = NSKeyService.method;
const admin = as.admin();

let edgehelm: TestKernel;
beforeAll(async () => {
  const nodes = stub(NSNodes, { followedCluster: async ({ caller }) => caller.role === "dns" ? caller.nodeId : 0n });
  edgehelm = await domainKernel({ plugins: [plugin], stubs: [nodes] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function createDomain(name: string): Promise<bigint> {
  return (await edgehelm.call(admin, NSDomainService.method.createNSDomain, { name, nsClusterId: 1n })).nsDomainId;
}

const keysAfter = async (node: bigint, version = 0n) =>
  (await edgehelm.call(as.dns(node), rpc.listNSKeysAfterVersion, { version })).nsKeys;

test("keys are created, changed, moved and deleted with their domain, and nodes receive the changes", async () => {
  const nsDomainId = await createDomain("keys.test");
  const request = { nsDomainId, name: "Transfer.keys.test.", algo: "HMAC-SHA256", secretType: "base64" };
  const { nsKeyId } = await edgehelm.call(admin, rpc.createNSKey, request);
  const { nsKey } = await edgehelm.call(admin, rpc.findNSKey, { nsKeyId });
  expect(nsKey).toMatchObject({
    name: "transfer.keys.test",
    algo: "hmac-sha256.",
    secretType: "base64",
    isOn: true,
    nsDomain: { id: nsDomainId, name: "keys.test" },
  });
  expect(atob(nsKey!.secret).length).toBe(32);
  const update = { nsKeyId, name: "transfer.keys.test", algo: "hmac-sha512.", isOn: true };
  await edgehelm.call(admin, rpc.updateNSKey, update);
  const { nsKeys } = await edgehelm.call(admin, rpc.listNSKeys, { nsDomainId });
  expect(nsKeys).toMatchObject([{ id: nsKeyId, algo: "hmac-sha512.", secret: nsKey!.secret, secretType: "base64" }]);
  await edgehelm.call(admin, rpc.updateNSKey, { ...update, secret: "open sesame", secretType: "clear" });
  expect(await keysAfter(1n, nsKey!.version)).toMatchObject([{ id: nsKeyId, secret: "open sesame", isDeleted: false }]);
  await expect(edgehelm.call(admin, rpc.updateNSKey, { ...update, secretType: "base64" }))
    .rejects.toMatchObject({ code: 400, message: expect.stringMatching(/^secret: /) });

  const move = { nsDomainId, nsClusterId: 2n, isOn: true };
  await edgehelm.call(admin, NSDomainService.method.updateNSDomain, move);
  await edgehelm.kernel.runJob("ns_domain.follow");
  expect(await keysAfter(2n)).toMatchObject([{ id: nsKeyId, secret: "open sesame" }]);
  await edgehelm.call(admin, NSDomainService.method.deleteNSDomain, { nsDomainId });
  expect((await edgehelm.call(admin, rpc.findNSKey, { nsKeyId })).nsKey).toBeUndefined();
  await edgehelm.kernel.runJob("ns_domain.follow");
  expect(await keysAfter(2n)).toMatchObject([{ id: nsKeyId, secret: "", isDeleted: true }]);
});

test("the database contains no secret in clear text", async () => {
  const nsDomainId = await createDomain("sealed.test");
  const secret = "a very secret text";
  await edgehelm.call(admin, rpc.createNSKey, {
    nsDomainId,
    name: "k.test",
    algo: "hmac-sha1.",
    secret,
    secretType: "clear",
  });
  const { rows } = await edgehelm.engine.scan(
    { sql: "select secret from nsKeys where name = 'k.test'", scope: { owner: "ns_key", tables: new Set(["nsKeys"]) } },
    [],
    Date.now() + 5000,
  );
  expect(JSON.stringify(rows)).toMatch(/v1\./);
  expect(JSON.stringify(rows)).not.toContain("secret text");
});

test("a name is unique in a domain, and errors of invalid requests name the field", async () => {
  const nsDomainId = await createDomain("once.test");
  const request = { nsDomainId, name: "a.test", algo: "hmac-sha256.", secretType: "base64" };
  const { nsKeyId } = await edgehelm.call(admin, rpc.createNSKey, request);
  await expect(edgehelm.call(admin, rpc.createNSKey, { ...request, name: "A.test." }))
    .rejects.toMatchObject({ code: 409, reason: "ns_key.name_taken" });
  for (
    const [field, wrong] of [
      ["algo", { algo: "md5" }],
      ["name", { name: "" }],
      ["name", { name: "a b" }],
      ["secret", { secret: "not base64!" }],
      ["secretType", { secretType: "hex" }],
      ["nsZoneId", { nsZoneId: 1n }],
      ["nsDomainId", { nsDomainId: 0n }],
    ] as const
  ) {
    await expect(edgehelm.call(admin, rpc.createNSKey, { ...request, ...wrong }))
      .rejects.toMatchObject({ code: 400, message: expect.stringMatching(`^${field}: `) });
  }
  expect((await edgehelm.call(admin, rpc.countAllNSKeys, { nsDomainId })).count).toBe(1n);
  await edgehelm.call(admin, rpc.deleteNSKey, { nsKeyId });
  await edgehelm.call(admin, rpc.createNSKey, request);
  await expect(edgehelm.call(admin, rpc.deleteNSKey, { nsKeyId })).rejects.toMatchObject({ code: 404 });
});
