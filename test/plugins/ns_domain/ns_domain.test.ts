import { as, type TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { domainKernel } from "./rig.ts";

const service = NSDomainService.method;
const admin = as.admin();
const ada = as.user(7n);
const bob = as.user(8n);

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await domainKernel();
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function find(nsDomainId: bigint) {
  return (await edgehelm.call(admin, service.findNSDomain, { nsDomainId })).nsDomain;
}

describe("createNSDomain", () => {
  test("normalizes the name and creates an unverified domain of the calling user", async () => {
    const { nsDomainId } = await edgehelm.call(ada, service.createNSDomain, { name: "Bücher.Example.", userId: 8n });
    expect(await find(nsDomainId)).toMatchObject({
      name: "xn--bcher-kva.example",
      userId: 7n,
      status: "none",
      isOn: true,
      nsCluster: { id: 1n },
      user: { username: "user7" },
    });
  });

  test.each(["", "com", "1.2.3.4", "a..com", "-a.com", "a.com:80", "u@a.com", "a_b.com", `${"a".repeat(64)}.com`])(
    "refuses the name %j",
    async (name) => {
      const result = edgehelm.call(ada, service.createNSDomain, { name });
      await expect(result).rejects.toMatchObject({ code: 400, message: expect.stringContaining("name: ") });
    },
  );

  test("allows a name once per owner and verified once per cluster", async () => {
    await edgehelm.call(admin, service.createNSDomain, { name: "one.test", nsClusterId: 1n });
    await edgehelm.call(ada, service.createNSDomain, { name: "one.test" });
    await expect(edgehelm.call(ada, service.createNSDomain, { name: "ONE.test" }))
      .rejects.toMatchObject({ code: 409, reason: "ns_domain.name_taken" });
    await expect(edgehelm.call(admin, service.createNSDomain, { name: "one.test", nsClusterId: 1n, userId: 9n }))
      .rejects.toMatchObject({ code: 409, reason: "ns_domain.verified_elsewhere" });
    await edgehelm.call(admin, service.createNSDomain, { name: "one.test", nsClusterId: 2n, userId: 9n });
  });

  test("refuses a user's domain whose name is forbidden on the cluster", async () => {
    const { nsDomainId } = await edgehelm.call(ada, service.createNSDomain, { name: "bad.test" });
    await edgehelm.call(admin, service.updateNSDomainStatus, { nsDomainId, status: "forbidden" });
    await expect(edgehelm.call(bob, service.createNSDomain, { name: "bad.test" }))
      .rejects.toMatchObject({ reason: "ns_domain.name_forbidden" });
  });
});

describe("createNSDomains", () => {
  test("returns ids in the order of the names, or creates no domain", async () => {
    const names = Array.from({ length: 300 }, (_, index) => `many${index}.test`);
    const { nsDomainIds } = await edgehelm.call(ada, service.createNSDomains, { names });
    expect((await find(nsDomainIds[299]!))?.name).toBe("many299.test");
    const result = edgehelm.call(ada, service.createNSDomains, { names: ["new.test", "many3.test"] });
    await expect(result).rejects.toMatchObject({ message: expect.stringContaining("names[1]") });
    expect((await edgehelm.call(ada, service.existNSDomains, { names: ["new.test", "many3.test"] })).existingNames)
      .toEqual(["many3.test"]);
  });

  test("refuses a name that is listed twice", async () => {
    await expect(edgehelm.call(ada, service.createNSDomains, { names: ["t.test", "T.test."] }))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining("names[1]") });
  });
});

test("the domain of another user is not found and cannot be changed", async () => {
  const { nsDomainId } = await edgehelm.call(ada, service.createNSDomain, { name: "hers.test" });
  expect((await edgehelm.call(bob, service.findNSDomain, { nsDomainId })).nsDomain).toBeUndefined();
  const refused = { code: 404, reason: "ns_domain.not_found" };
  await expect(edgehelm.call(bob, service.updateNSDomain, { nsDomainId })).rejects.toMatchObject(refused);
  await expect(edgehelm.call(bob, service.deleteNSDomain, { nsDomainId })).rejects.toMatchObject(refused);
  await expect(edgehelm.call(bob, service.findNSDomainVerifyingInfo, { nsDomainId })).rejects.toMatchObject(refused);
  await expect(edgehelm.call(bob, service.verifyNSDomain, { nsDomainId })).rejects.toMatchObject(refused);
});

test("every change assigns the next version, and listNSDomainsAfterVersion returns deleted domains", async () => {
  const { nsDomainId } = await edgehelm.call(ada, service.createNSDomain, { name: "feed.test" });
  const version = (await find(nsDomainId))!.version;
  await edgehelm.call(admin, service.updateNSDomainTSIG, { nsDomainId, tsigJSON: bytes({ isOn: true }) });
  await edgehelm.call(ada, service.deleteNSDomains, { names: ["feed.test"] });
  const { nsDomains } = await edgehelm.call(as.dns(), service.listNSDomainsAfterVersion, { version });
  expect(nsDomains).toMatchObject([{ id: nsDomainId, version: version + 2n, isDeleted: true }]);
  expect(await find(nsDomainId)).toBeUndefined();
});

test("the records health check is stored with its defaults and checked against its limits", async () => {
  const { nsDomainId } = await edgehelm.call(ada, service.createNSDomain, { name: "health.test" });
  const update = (check: object) =>
    edgehelm.call(ada, service.updateNSDomainRecordsHealthCheck, {
      nsDomainId,
      nsDomainRecordsHealthCheckJSON: bytes(check),
    });
  await update({ isOn: true });
  const found = await edgehelm.call(ada, service.findNSDomainRecordsHealthCheck, { nsDomainId });
  expect(JSON.parse(new TextDecoder().decode(found.nsDomainRecordsHealthCheckJSON)))
    .toEqual({ isOn: true, port: 80, timeoutSeconds: 5, countUp: 1, countDown: 3 });
  await expect(update({ port: 70_000 })).rejects.toMatchObject({ code: 400 });
});

function bytes(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
