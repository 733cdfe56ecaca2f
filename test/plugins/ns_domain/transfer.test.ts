import { definePlugin } from "edgehelm";
import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { NSDomainTransferListeners } from "../../../plugins/ns_domain/contract.ts";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { emittedBy } from "../../core/events/emitted.ts";
import { domainKernel } from "./rig.ts";

const service = NSDomainService.method;
const admin = as.admin();
const ada = as.user(7n);

test.each([true, false])(
  "finding 5: a second owner gets a verified name by the TXT value only (requireTXT %s)",
  async (requireTXT) => {
    const values: string[] = [];
    const transfers: unknown[] = [];
    const listener = definePlugin({
      manifest: {
        name: "listener",
        version: "1.0.0",
        kernel: "^1",
        services: [],
        tables: [],
        contributes: ["ns_domain.transfers"],
      },
      setup: ({ contribute }) =>
        contribute(NSDomainTransferListeners, {
          transferred: async (_call, transfer) => void transfers.push(transfer),
        }),
    });
    const resolver = { txt: async () => values, ns: async () => ["ns1.edge.test"], ds: async () => [] };
    await using edgehelm = await domainKernel({ resolver, config: { requireTXT }, plugins: [listener] });
    const request = { name: "shop.test", nsClusterId: 1n, userId: 8n };
    const { nsDomainId: first } = await edgehelm.call(admin, service.createNSDomain, request);
    const { nsDomainId: second } = await edgehelm.call(ada, service.createNSDomain, { name: "shop.test" });
    const statusOf = async (nsDomainId: bigint) =>
      (await edgehelm.call(admin, service.findNSDomain, { nsDomainId })).nsDomain?.status;
    const statuses = async () => [await statusOf(first), await statusOf(second)];
    const verify = () => edgehelm.call(ada, service.verifyNSDomain, { nsDomainId: second });

    expect(await verify()).toMatchObject({ isOk: false, errorCode: "TransferRequired" });
    const info = await edgehelm.call(ada, service.findNSDomainVerifyingInfo, { nsDomainId: second });
    expect(info).toMatchObject({ requireTXT: true, txt: expect.stringMatching(/^\w{32}$/) });
    for (const found of [[], ["another value"]]) {
      values.splice(0, values.length, ...found);
      const refusal = await verify();
      expect(refusal).toMatchObject({ isOk: false, errorCode: "TransferRequired" });
      expect(refusal.errorMessage).toContain("_edgehelm-verify.shop.test");
      expect(await statuses()).toEqual(["verified", "none"]);
    }
    expect(transfers).toEqual([]);

    values.splice(0, values.length, info.txt);
    expect(await verify()).toMatchObject({ isOk: true });
    expect(await statuses()).toEqual(["none", "verified"]);
    const transfer = { name: "shop.test", nsDomainId: second, userId: 7n, previousId: first, previousUserId: 8n };
    expect(transfers).toEqual([transfer]);
    const passed = { nsDomainId: String(first), name: "shop.test", newNSDomainId: String(second) };
    expect(await emittedBy(edgehelm, "ns_domain")).toEqual([
      { name: "ns_domain.transfer_asked", userId: 8n, data: passed },
      { name: "ns_domain.verified", userId: 7n, data: { nsDomainId: String(second), name: "shop.test" } },
      { name: "ns_domain.transferred", userId: 8n, data: passed },
    ]);
  },
);

test("a name that becomes verified for another owner during the DNS queries is not taken without the TXT value", async () => {
  let duringQueries = () => Promise.resolve();
  const resolver = {
    txt: async () => [],
    ns: () => duringQueries().then(() => ["ns1.edge.test"]),
    ds: async () => [],
  };
  await using edgehelm = await domainKernel({ resolver, config: { requireTXT: false } });
  const create = async (caller: typeof admin) =>
    (await edgehelm.call(caller, service.createNSDomain, { name: "shop.test", nsClusterId: 1n })).nsDomainId;
  const [first, second] = [await create(as.user(8n)), await create(ada)];
  duringQueries = async () => {
    await edgehelm.call(admin, service.updateNSDomainStatus, { nsDomainId: first, status: "verified" });
  };
  expect(await edgehelm.call(ada, service.verifyNSDomain, { nsDomainId: second }))
    .toMatchObject({ isOk: false, errorCode: "TransferRequired" });
  expect((await edgehelm.call(admin, service.findNSDomain, { nsDomainId: first })).nsDomain?.status).toBe("verified");
});
