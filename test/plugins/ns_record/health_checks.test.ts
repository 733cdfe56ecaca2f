import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { edgehelm, useKernel } from "./node_rig.ts";
import { ada, admin, bytes, createDomain, createRecord, rpc } from "./rig.ts";

useKernel();

const CHECK = { isOn: true, port: 22, timeoutSeconds: 0, countUp: 0, countDown: 0 };

test.each([
  ["of a user at a public address", ada, "A", "203.0.113.9", CHECK],
  ["of a user at a private address", ada, "A", "10.0.0.1", { isOn: false }],
  ["of a user at the metadata service", ada, "A", "169.254.169.254", { isOn: false }],
  ["of a user at a loopback address", ada, "AAAA", "::1", { isOn: false }],
  ["of a user at a mapped private address", ada, "AAAA", "::ffff:10.0.0.1", { isOn: false }],
  ["of a user that is no address", ada, "TXT", "10.0.0.1", CHECK],
  ["of the installation at a private address", admin, "A", "10.0.0.1", CHECK],
])("the health check of a record %s, as nodes receive it", async (_of, owner, type, value, expected) => {
  const nsDomainId = await createDomain(edgehelm, owner, `d${crypto.randomUUID().slice(0, 8)}.test`);
  await edgehelm.call(admin, NSDomainService.method.updateNSDomainStatus, { nsDomainId, status: "verified" });
  const { id: nsRecordId, version } = await createRecord(edgehelm, owner, { nsDomainId, name: "a", type, value });
  const update = { nsRecordId, nsRecordHealthCheckJSON: bytes(CHECK) };
  await edgehelm.call(owner, rpc.updateNSRecordHealthCheck, update);
  const feed = { version, size: 1n };
  const { nsRecords } = await edgehelm.call(as.dns(1n), rpc.listNSRecordsAfterVersion, feed);
  expect(nsRecords).toMatchObject([{ id: nsRecordId, isDeleted: false }]);
  expect(JSON.parse(new TextDecoder().decode(nsRecords[0]!.healthCheckJSON))).toEqual(expected);
});
