import type { TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ada, bytes, createDomain, createRecord, recordKernel, rpc } from "./rig.ts";

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await recordKernel();
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function values(nsDomainId: bigint, filter = {}) {
  const { nsRecords } = await edgehelm.call(ada, rpc.listNSRecords, { nsDomainId, size: 1000n, ...filter });
  return nsRecords.map(({ name, type, value, isOn }) => `${name} ${type} ${value}${isOn ? "" : " off"}`);
}

test("createNSRecordsWithDomainNames creates records in several domains and replaces old ones on request", async () => {
  const [one, two] = [await createDomain(edgehelm, ada, "one.test"), await createDomain(edgehelm, ada, "two.test")];
  await createRecord(edgehelm, ada, { nsDomainId: one, name: "www", type: "A", value: "192.0.2.9" });
  await createRecord(edgehelm, ada, { nsDomainId: one, name: "www", type: "TXT", value: "stays" });
  const recordsJSON = bytes([{ name: "www", type: "a", value: "192.0.2.1" }, {
    name: "",
    type: "MX",
    value: "mx.test",
  }]);
  const nsDomainNames = ["one.test", "TWO.test."];
  await edgehelm.call(ada, rpc.createNSRecordsWithDomainNames, { nsDomainNames, recordsJSON, removeOld: true });
  expect(await values(one)).toEqual(["@ MX mx.test", "www A 192.0.2.1", "www TXT stays"]);
  expect(await values(two)).toEqual(["@ MX mx.test", "www A 192.0.2.1"]);
  await expect(edgehelm.call(ada, rpc.createNSRecordsWithDomainNames, { nsDomainNames, recordsJSON }))
    .rejects.toMatchObject({ code: 409, message: expect.stringContaining("recordsJSON[0].value") });
  await edgehelm.call(ada, rpc.createNSRecordsWithDomainNames, { nsDomainNames, recordsJSON, removeAll: true });
  expect(await values(one)).toEqual(["@ MX mx.test", "www A 192.0.2.1"]);
});

describe("matching records in several domains", () => {
  test("are changed, turned off and on, and deleted together, or not at all", async () => {
    const [one, two] = [await createDomain(edgehelm, ada, "ch1.test"), await createDomain(edgehelm, ada, "ch2.test")];
    for (const nsDomainId of [one, two]) {
      for (const value of ["192.0.2.1", "192.0.2.2"]) {
        await createRecord(edgehelm, ada, { nsDomainId, name: "www", type: "A", value, ttl: 30 });
      }
    }
    const nsDomainNames = ["ch1.test", "ch2.test"];
    const search = { nsDomainNames, searchValue: "192.0.2.1" };
    await edgehelm.call(ada, rpc.updateNSRecordsWithDomainNames, { ...search, newValue: "192.0.2.7", newName: "api" });
    expect(await values(one)).toEqual(["www A 192.0.2.2", "api A 192.0.2.7"]);
    const duplicate = { nsDomainNames, searchName: "www", newName: "api", newValue: "192.0.2.7" };
    await expect(edgehelm.call(ada, rpc.updateNSRecordsWithDomainNames, duplicate))
      .rejects.toMatchObject({ code: 409, message: expect.stringContaining("newValue") });
    const selection = { nsDomainNames, searchNSRouteCodes: ["default"], searchType: "a" };
    await edgehelm.call(ada, rpc.updateNSRecordsIsOnWithDomainNames, { ...selection, isOn: false });
    expect(await values(two)).toEqual(["www A 192.0.2.2 off", "api A 192.0.2.7 off"]);
    await edgehelm.call(ada, rpc.updateNSRecordsIsOnWithDomainNames, { ...selection, isOn: true });
    await edgehelm.call(ada, rpc.deleteNSRecordsWithDomainNames, { nsDomainNames, searchName: "api" });
    expect([await values(one), await values(two)]).toEqual([["www A 192.0.2.2"], ["www A 192.0.2.2"]]);
  });

  test("are found by any of the routes, however many there are", async () => {
    const nsDomainId = await createDomain(edgehelm, ada, "routes.test");
    const records = [["plain", []], ["china", ["china:province:beijing"]], ["world", ["world:US"]]] as const;
    for (const [name, nsRouteCodes] of records) {
      await createRecord(edgehelm, ada, {
        nsDomainId,
        name,
        type: "A",
        value: "192.0.2.1",
        nsRouteCodes: [...nsRouteCodes],
      });
    }
    const turnOff = async (...routes: readonly string[]) => {
      const unknown = Array.from({ length: 1500 }, (_, index) => `none:${index}`);
      const selection = { nsDomainNames: ["routes.test"], searchNSRouteCodes: [...unknown, ...routes] };
      await edgehelm.call(ada, rpc.updateNSRecordsIsOnWithDomainNames, { ...selection, isOn: false });
      return (await values(nsDomainId)).filter((value) => value.endsWith(" off")).sort();
    };
    expect(await turnOff()).toEqual([]);
    expect(await turnOff("world:US", "world:US")).toEqual(["world A 192.0.2.1 off"]);
    expect(await turnOff("default")).toEqual(["plain A 192.0.2.1 off", "world A 192.0.2.1 off"]);
  });

  test("require search criteria and existing domains", async () => {
    await createDomain(edgehelm, ada, "keep.test");
    await expect(edgehelm.call(ada, rpc.deleteNSRecordsWithDomainNames, { nsDomainNames: ["keep.test"] }))
      .rejects.toMatchObject({ code: 400 });
    const nsDomainNames = ["keep.test", "none.test"];
    await expect(edgehelm.call(ada, rpc.deleteNSRecordsWithDomainNames, { nsDomainNames, searchName: "a" }))
      .rejects.toMatchObject({ code: 404, message: expect.stringContaining("nsDomainNames[1]") });
  });
});

test("importNSRecords imports records of several domains, all or none, up to a limit", async () => {
  const [one, two] = [await createDomain(edgehelm, ada, "im1.test"), await createDomain(edgehelm, ada, "im2.test")];
  const record = { name: "a", type: "A", value: "192.0.2.1" };
  const domainNames = ["im1.test", "im2.test", "im1.test"];
  const nsRecords = domainNames.map((nsDomainName, index) => ({ ...record, nsDomainName, name: `r${index}` }));
  await edgehelm.call(ada, rpc.importNSRecords, { nsRecords });
  expect([await values(one), await values(two)]).toEqual([["r2 A 192.0.2.1", "r0 A 192.0.2.1"], ["r1 A 192.0.2.1"]]);
  const invalidRecords = [{ ...record, nsDomainName: "im2.test", name: "new" }, {
    ...nsRecords[2]!,
    value: "nonsense",
    name: "x",
  }];
  await expect(edgehelm.call(ada, rpc.importNSRecords, { nsRecords: invalidRecords }))
    .rejects.toMatchObject({ code: 400, message: expect.stringMatching(/^nsRecords\[1\]\.value: /) });
  expect(await values(two)).toEqual(["r1 A 192.0.2.1"]);
  const tooMany = Array.from({ length: 5001 }, () => nsRecords[0]!);
  await expect(edgehelm.call(ada, rpc.importNSRecords, { nsRecords: tooMany }))
    .rejects.toMatchObject({ code: 413, reason: "ns_record.too_many" });
});

test("listNSRecords filters, sorts and pages; counts agree", async () => {
  const nsDomainId = await createDomain(edgehelm, ada, "lists.test");
  const nsRecords = Array.from({ length: 2500 }, (_, index) => ({
    nsDomainName: "lists.test",
    name: index % 5 === 0 ? `mail${index}` : `web${String(index).padStart(4, "0")}`,
    type: index % 5 === 0 ? "TXT" : "A",
    value: index % 5 === 0 ? `text 100% ${index}` : `192.0.2.${index % 250}`,
    ttl: index + 1,
  }));
  await edgehelm.call(ada, rpc.importNSRecords, { nsRecords });
  const count = async (filter: object) =>
    Number((await edgehelm.call(ada, rpc.countAllNSRecords, { nsDomainId, ...filter })).count);
  expect(await count({})).toBe(2500);
  expect(await count({ type: "txt" })).toBe(500);
  expect(await count({ keyword: "100%" })).toBe(500);
  expect(await count({ keyword: "WEB00", type: "A" })).toBe(80);
  expect(await count({ keyword: "100_" })).toBe(0);
  expect(await count({ nsRouteCode: "default" })).toBe(2500);
  const first = async (order: object) => (await values(nsDomainId, { size: 1n, ...order }))[0];
  expect(await first({})).toBe("web2499 A 192.0.2.249");
  expect(await first({ nameAsc: true })).toBe("mail0 TXT text 100% 0");
  expect(await first({ nameDesc: true })).toBe("web2499 A 192.0.2.249");
  expect(await first({ typeDesc: true })).toBe("mail2495 TXT text 100% 2495");
  expect(await first({ ttlAsc: true })).toBe("mail0 TXT text 100% 0");
  expect(await first({ ttlDesc: true, keyword: "mail" })).toBe("mail2495 TXT text 100% 2495");
  expect(await first({ offset: 2499n })).toBe("mail0 TXT text 100% 0");
  const named = { nsDomainId, name: "Web0001", type: "a" };
  expect((await edgehelm.call(ada, rpc.findNSRecordWithNameAndType, named)).nsRecord?.value).toBe("192.0.2.1");
  expect((await edgehelm.call(ada, rpc.findNSRecordsWithNameAndType, named)).nsRecords.length).toBe(1);
  expect((await edgehelm.call(ada, rpc.countAllNSRecordsWithName, { ...named, type: "" })).count).toBe(1n);
});
