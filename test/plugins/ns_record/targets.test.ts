import { as } from "edgehelm/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { qualifiedValue } from "../../../plugins/ns_record/targets.ts";
import { edgehelm, useKernel, values } from "./node_rig.ts";
import { ada, admin, createDomain, createRecord, rpc } from "./rig.ts";

useKernel();

describe("names in values are kept as written, and fully qualified for nodes", () => {
  let nsDomainId: bigint;
  beforeAll(async () => {
    nsDomainId = await createDomain(edgehelm, admin, "names.test");
  });

  test.each([
    ["CNAME", "www", "www.names.test."],
    ["CNAME", "www.", "www."],
    ["CNAME", "Www.Example.com", "www.example.com."],
    ["CNAME", "bücher.example.", "xn--bcher-kva.example."],
    ["NS", "ns1", "ns1.names.test."],
    ["PTR", "host", "host.names.test."],
    ["MX", "mail", "mail.names.test."],
    ["MX", ".", "."],
    ["SRV", "sip", "sip.names.test."],
    ["HTTPS", "1 web alpn=h2", "1 web.names.test. alpn=h2"],
    ["SVCB", "1 . port=53", "1 . port=53"],
    ["TXT", "www", "www"],
  ])("%s %s", async (type, value, qualified) => {
    const name = `${type}-${[...value].map((character) => character.codePointAt(0)).join("-")}`.slice(0, 60);
    const { id, version, ...record } = await createRecord(edgehelm, admin, { nsDomainId, name, type, value });
    expect(record.value).toBe(value);
    const feed = { version: version - 1n, size: 1n };
    const { nsRecords } = await edgehelm.call(as.dns(1n), rpc.listNSRecordsAfterVersion, feed);
    expect(nsRecords).toMatchObject([{ id, value: qualified }]);
  });

  test("SOA", () => {
    expect(qualifiedValue({ type: "SOA", value: "ns1 hostmaster.a.test 1 2 3 4 5" }, "names.test"))
      .toBe("ns1.names.test. hostmaster.a.test. 1 2 3 4 5");
  });
});

test("the same name written in another way is the same record", async () => {
  const nsDomainId = await createDomain(edgehelm, ada, "same.test");
  const create = (value: string) =>
    edgehelm.call(ada, rpc.createNSRecord, { nsDomainId, name: "a", type: "CNAME", value });
  await create("www");
  for (const value of ["www.same.test", "WWW.same.test."]) {
    await expect(create(value)).rejects.toMatchObject({ reason: "ns_record.duplicate" });
  }
  await create("www.");
  expect(await values(nsDomainId)).toEqual(["a CNAME www.", "a CNAME www"]);
});

test("records are found by a value with and without its final dot", async () => {
  const nsDomainId = await createDomain(edgehelm, ada, "search.test");
  await createRecord(edgehelm, ada, { nsDomainId, name: "a", type: "CNAME", value: "one.test." });
  await createRecord(edgehelm, ada, { nsDomainId, name: "b", type: "CNAME", value: "one.test" });
  for (
    const [searchValue, newValue] of [["one.test", "two.test."], ["two.test", "three.test"], ["three.test.", "x.y"]]
  ) {
    const request = { nsDomainNames: ["search.test"], searchValue: searchValue!, newValue: newValue! };
    await edgehelm.call(ada, rpc.updateNSRecordsWithDomainNames, request);
    expect(await values(nsDomainId)).toEqual([`b CNAME ${newValue}`, `a CNAME ${newValue}`]);
  }
});

test("a name that is too long below the domain is refused", async () => {
  const zone = `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(50)}.test`;
  const nsDomainId = await createDomain(edgehelm, ada, zone);
  const creating = (value: string) =>
    edgehelm.call(ada, rpc.createNSRecord, { nsDomainId, name: "a", type: "CNAME", value });
  await expect(creating("w".repeat(40))).rejects.toMatchObject({ message: expect.stringMatching(/^value: /) });
  await creating("w".repeat(5));
});
