import { as, type TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { domainKernel } from "./rig.ts";

const service = NSDomainService.method;
const [admin, ada, bob] = [as.admin(), as.user(1n), as.user(2n)];

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await domainKernel();
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function create(caller: typeof admin, name: string, nsClusterId = 1n): Promise<bigint> {
  return (await edgehelm.call(caller, service.createNSDomain, { name, nsClusterId })).nsDomainId;
}

function setStatus(nsDomainId: bigint, status: string) {
  return edgehelm.call(admin, service.updateNSDomainStatus, { nsDomainId, status });
}

function turn(caller: typeof admin, nsDomainId: bigint, isOn: boolean) {
  const owner = caller === admin ? { nsClusterId: 1n, userId: 1n } : {};
  return edgehelm.call(caller, service.updateNSDomain, { nsDomainId, isOn, ...owner });
}

const FORBIDDEN = { code: 409, reason: "ns_domain.name_forbidden" };

describe("finding 10: what an admin forbade stays forbidden", () => {
  test("a forbidden domain cannot be created again after its owner deleted it", async () => {
    const nsDomainId = await create(ada, "bad.test");
    await setStatus(nsDomainId, "forbidden");
    await edgehelm.call(ada, service.deleteNSDomain, { nsDomainId });
    await expect(create(ada, "bad.test")).rejects.toMatchObject(FORBIDDEN);
    await expect(create(ada, "BAD.test.", 2n)).rejects.toMatchObject(FORBIDDEN);
    await expect(create(ada, "www.bad.test")).rejects.toMatchObject(FORBIDDEN);
    await expect(create(bob, "bad.test", 3n)).rejects.toMatchObject(FORBIDDEN);
    await expect(edgehelm.call(bob, service.createNSDomains, { nsClusterId: 1n, names: ["good.test", "a.b.bad.test"] }))
      .rejects.toMatchObject({ ...FORBIDDEN, message: expect.stringContaining("names[1]") });
    await create(bob, "notbad.test");
    await create(bob, "test.test");
  });

  test("deleting by name does not help either", async () => {
    const nsDomainId = await create(ada, "byname.test");
    await setStatus(nsDomainId, "forbidden");
    await edgehelm.call(ada, service.deleteNSDomains, { names: ["byname.test"] });
    await expect(create(ada, "byname.test")).rejects.toMatchObject(FORBIDDEN);
  });

  test("an admin allows the name again by creating the domain", async () => {
    const nsDomainId = await create(ada, "again.test");
    await setStatus(nsDomainId, "forbidden");
    await edgehelm.call(ada, service.deleteNSDomain, { nsDomainId });
    const before = (await edgehelm.call(admin, service.countAllNSDomains, { status: "none" })).count;
    await edgehelm.call(admin, service.createNSDomain, { name: "again.test", nsClusterId: 2n, userId: 1n });
    await create(ada, "again.test");
    expect((await edgehelm.call(admin, service.countAllNSDomains, { status: "none" })).count).toBe(before + 1n);
  });

  test("an admin allows the name again by the status of a domain that exists", async () => {
    const nsDomainId = await create(ada, "status.test");
    await setStatus(nsDomainId, "forbidden");
    await expect(create(bob, "status.test", 2n)).rejects.toMatchObject(FORBIDDEN);
    await setStatus(nsDomainId, "none");
    await create(bob, "status.test", 2n);
  });
});

describe("finding 10: what an admin turned off stays off", () => {
  test("its owner cannot turn it on or create it again, and an admin can", async () => {
    const nsDomainId = await create(ada, "off.test");
    await turn(ada, nsDomainId, false);
    await turn(ada, nsDomainId, true);
    await turn(admin, nsDomainId, false);
    await expect(turn(ada, nsDomainId, true)).rejects.toMatchObject({ code: 403, reason: "ns_domain.off_by_admin" });
    await turn(ada, nsDomainId, false);
    await expect(create(bob, "off.test", 2n)).rejects.toMatchObject(FORBIDDEN);
    await turn(admin, nsDomainId, true);
    await turn(ada, nsDomainId, false);
    await turn(ada, nsDomainId, true);
    await turn(admin, nsDomainId, false);
    await edgehelm.call(ada, service.deleteNSDomain, { nsDomainId });
    await expect(create(ada, "off.test")).rejects.toMatchObject(FORBIDDEN);
  });

  test("a change by an admin that leaves it off stays a decision of its owner", async () => {
    const nsDomainId = await create(ada, "own-off.test");
    await turn(ada, nsDomainId, false);
    await turn(admin, nsDomainId, false);
    await turn(ada, nsDomainId, true);
  });
});
