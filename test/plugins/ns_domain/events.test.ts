import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { emittedBy } from "../../core/events/emitted.ts";
import { domainKernel } from "./rig.ts";

const { createNSDomain, updateNSDomainStatus } = NSDomainService.method;
const admin = as.admin();

test("each change of the status by an admin is an event for the owner, and a repeated one is none", async () => {
  await using edgehelm = await domainKernel();
  const { nsDomainId } = await edgehelm.call(as.user(7n), createNSDomain, { name: "shop.test" });
  for (const status of ["verified", "verified", "rejected", "rejected", "none", "forbidden", "forbidden"]) {
    await edgehelm.call(admin, updateNSDomainStatus, { nsDomainId, status });
  }
  const data = { nsDomainId: String(nsDomainId), name: "shop.test" };
  expect(await emittedBy(edgehelm, "ns_domain")).toEqual(
    ["verified", "rejected", "forbidden"].map((name) => ({ name: `ns_domain.${name}`, userId: 7n, data })),
  );
});
