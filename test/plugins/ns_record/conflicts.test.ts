import { describe, expect, test } from "vitest";
import { edgehelm, useKernel } from "./node_rig.ts";
import { ada, createDomain, createRecord, rpc } from "./rig.ts";

useKernel();

describe("conflicts", () => {
  test("a CNAME can share a name with CNAMEs, with records of other routes, and with records turned off", async () => {
    const nsDomainId = await createDomain(edgehelm, ada, "cname.test");
    const cname = { nsDomainId, name: "www", type: "CNAME", value: "a.example.com" };
    const first = await createRecord(edgehelm, ada, cname);
    await createRecord(edgehelm, ada, { ...cname, value: "b.example.com", weight: 3 });
    const address = { nsDomainId, name: "www", type: "A", value: "192.0.2.1" };
    await expect(edgehelm.call(ada, rpc.createNSRecord, address))
      .rejects.toMatchObject({ code: 409, reason: "ns_record.beside_cname" });
    const otherRoute = await createRecord(edgehelm, ada, { ...address, nsRouteCodes: ["world:US"] });
    await expect(edgehelm.call(ada, rpc.createNSRecord, { ...cname, nsRouteCodes: ["isp:google", "world:US"] }))
      .rejects.toMatchObject({ reason: "ns_record.beside_others" });
    const off = { nsRecordId: otherRoute.id, name: "www", type: "A", value: "192.0.2.1", isOn: false };
    await edgehelm.call(ada, rpc.updateNSRecord, off);
    await expect(edgehelm.call(ada, rpc.updateNSRecord, { ...off, isOn: true }))
      .rejects.toMatchObject({ reason: "ns_record.beside_cname" });
    const turnOn = { nsDomainNames: ["cname.test"], searchName: "www", searchType: "A", isOn: true };
    await expect(edgehelm.call(ada, rpc.updateNSRecordsIsOnWithDomainNames, turnOn))
      .rejects.toMatchObject({ reason: "ns_record.beside_cname" });
    await edgehelm.call(ada, rpc.updateNSRecord, {
      nsRecordId: first.id,
      name: "www",
      type: "CNAME",
      value: "c.example.com",
      isOn: true,
    });
  });

  test("identical records are refused, regardless of the order of their routes", async () => {
    const nsDomainId = await createDomain(edgehelm, ada, "twice.test");
    const record = { nsDomainId, name: "www", type: "MX", value: "mx.test", mxPriority: 10 };
    await createRecord(edgehelm, ada, { ...record, nsRouteCodes: ["world:US", "isp:google"] });
    await createRecord(edgehelm, ada, { ...record, mxPriority: 20, nsRouteCodes: ["isp:google", "world:US"] });
    const again = { ...record, value: "MX.test.", nsRouteCodes: ["isp:google", "world:US"] };
    await expect(edgehelm.call(ada, rpc.createNSRecord, again))
      .rejects.toMatchObject({ code: 409, reason: "ns_record.duplicate" });
    await expect(edgehelm.call(ada, rpc.createNSRecords, { ...record, names: ["a", "b", "A"] }))
      .rejects.toMatchObject({ reason: "ns_record.duplicate" });
    expect((await edgehelm.call(ada, rpc.countAllNSRecords, { nsDomainId })).count).toBe(2n);
  });
});
