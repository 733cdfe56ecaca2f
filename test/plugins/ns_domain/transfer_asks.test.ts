import { as, TestClock, type TestKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { emittedBy } from "../../core/events/emitted.ts";
import { countRows } from "../../harness/table_rows.ts";
import { domainKernel } from "./rig.ts";

const service = NSDomainService.method;
const admin = as.admin();
const ada = as.user(7n);
const eve = as.user(9n);
const DAY = 86_400;

/** An installation in which a domain is verified for user 8. */
async function heldKernel(clock = new TestClock()) {
  const resolver = { txt: async () => [], ns: async () => ["ns1.edge.test"], ds: async () => [] };
  const edgehelm = await domainKernel({ resolver, clock });
  const request = { name: "shop.test", nsClusterId: 1n, userId: 8n };
  const { nsDomainId: held } = await edgehelm.call(admin, service.createNSDomain, request);
  return { edgehelm, clock, held };
}

const asksOf = async (edgehelm: TestKernel) =>
  (await emittedBy(edgehelm, "ns_domain")).filter(({ name }) => name === "ns_domain.transfer_asked")
    .map(({ userId, data }) => ({ userId, ...data }));

test("who adds a domain that is verified for another owner is an event for that owner, once a day", async () => {
  const { edgehelm, clock, held } = await heldKernel();
  await using _ = edgehelm;
  const add = (caller: typeof ada) => edgehelm.call(caller, service.createNSDomain, { name: "shop.test" });
  const { nsDomainId } = await add(ada);
  const ask = { userId: 8n, nsDomainId: String(held), name: "shop.test" };
  expect(await asksOf(edgehelm)).toEqual([{ ...ask, newNSDomainId: String(nsDomainId) }]);
  await edgehelm.call(ada, service.deleteNSDomain, { nsDomainId });
  await add(ada);
  expect(await asksOf(edgehelm)).toHaveLength(1);
  const { nsDomainId: other } = await add(eve);
  expect((await asksOf(edgehelm)).slice(1)).toEqual([{ ...ask, newNSDomainId: String(other) }]);

  clock.advance(DAY - 1);
  await edgehelm.kernel.runJob("ns_domain.forget_asks");
  const verify = () => edgehelm.call(eve, service.verifyNSDomain, { nsDomainId: other });
  expect(await verify()).toMatchObject({ errorCode: "TransferRequired" });
  expect(await asksOf(edgehelm)).toHaveLength(2);
  clock.advance(1);
  for (let time = 0; time < 3; time++) expect(await verify()).toMatchObject({ errorCode: "TransferRequired" });
  expect(await asksOf(edgehelm)).toHaveLength(3);
  clock.advance(DAY);
  const asks = () => countRows(edgehelm, "ns_domain", "nsDomainTransferAsks");
  expect(await asks()).toBe(2);
  await edgehelm.kernel.runJob("ns_domain.forget_asks");
  expect(await asks()).toBe(0);
  await verify();
  expect(await asksOf(edgehelm)).toHaveLength(4);
});

test("several domains at once are an event for each that is verified for another owner", async () => {
  const { edgehelm } = await heldKernel();
  await using _ = edgehelm;
  await edgehelm.call(as.user(8n), service.createNSDomain, { name: "unproved.test" });
  const names = ["free.test", "shop.test", "unproved.test"];
  const { nsDomainIds } = await edgehelm.call(ada, service.createNSDomains, { names });
  expect(await asksOf(edgehelm)).toMatchObject([{ name: "shop.test", newNSDomainId: String(nsDomainIds[1]) }]);
});

test("a domain that is not created is no event", async () => {
  const { edgehelm } = await heldKernel();
  await using _ = edgehelm;
  const names = ["shop.test", "shop.test", "no spaces"];
  await expect(edgehelm.call(ada, service.createNSDomains, { names })).rejects.toMatchObject({ code: 400 });
  await expect(edgehelm.call(as.user(8n), service.createNSDomain, { name: "shop.test" }))
    .rejects.toMatchObject({ reason: "ns_domain.name_taken" });
  await expect(edgehelm.call(admin, service.createNSDomain, { name: "shop.test", nsClusterId: 1n }))
    .rejects.toMatchObject({ reason: "ns_domain.verified_elsewhere" });
  expect(await asksOf(edgehelm)).toEqual([]);
});
