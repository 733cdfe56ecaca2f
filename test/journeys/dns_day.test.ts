import { expect, test } from "vitest";
import { json, openDay } from "./day_rig.ts";
import { openStream } from "../plugins/ns_node/rig.ts";

test(
  "DNS: a cluster, its node, and the changes of a customer's domain and records that the node receives",
  async () => {
    const records = { txt: [] as string[], ns: ["ns1.edge.test."] };
    const resolver = { txt: async () => records.txt, ns: async () => records.ns, ds: async () => [] };
    await using day = await openDay({ hosts: { ns_domain: resolver } });
    const { admin } = day;

    // The admin creates a cluster and a node, which logs in with its secret.
    const { nsClusterId } = await admin.post("NSClusterService/createNSCluster", {
      name: "eu",
      hosts: ["ns1.edge.test", "ns2.edge.test"],
      email: "dns@edge.test",
    });
    const { nsNodeId } = await admin.post("NSNodeService/createNSNode", { name: "fra", nodeClusterId: nsClusterId });
    expect((await admin.post("NSNodeService/findNSNodeInstallStatus", { nsNodeId })).installStatus)
      .toMatchObject({ isRunning: false, isFinished: false });
    await admin.post("NSNodeService/installNSNode", { nsNodeId });
    expect((await admin.post("NSNodeService/findNSNodeInstallStatus", { nsNodeId })).installStatus)
      .toMatchObject({ isFinished: true, isOk: false, errorCode: "EMPTY_LOGIN" });
    await admin.post("NSNodeService/updateNSNodeIsInstalled", { nsNodeId, isInstalled: true });
    const { nsNode } = await admin.post("NSNodeService/findNSNode", { nsNodeId });
    const node = await day.login("dns", nsNode.uniqueId, nsNode.secret);
    expect(json((await node.post("NSNodeService/findCurrentNSNodeConfig")).nsNodeJSON)).toMatchObject({
      clusterId: nsClusterId,
      hosts: ["ns1.edge.test", "ns2.edge.test"],
      udp: { isOn: true },
    });
    const stream = openStream(day.edgehelm, await node.token());
    expect(await stream.next()).toMatchObject({ code: "connectedAPINode" });
    const nextTask = async () => {
      const message = await stream.next();
      return [message!.code, JSON.parse(new TextDecoder().decode(message!.dataJSON)).types];
    };
    await node.post("NSNodeService/updateNSNodeStatus", { statusJSON: { isActive: true, buildVersion: "1.0.0" } });
    expect((await admin.post("NSNodeService/countAllNSNodesMatch", { nsClusterId, activeState: 1 })).count).toBe(1);

    // A customer adds a domain and verifies it.
    const ada = await day.user("ada");
    const { nsDomainId } = await ada.post("NSDomainService/createNSDomain", { name: "shop.example" });
    expect(await nextTask()).toEqual(["newNodeTask", ["nsDomainChanged"]]);
    const { txt } = await ada.post("NSDomainService/findNSDomainVerifyingInfo", { nsDomainId });
    expect(await ada.post("NSDomainService/verifyNSDomain", { nsDomainId })).toMatchObject({
      isOk: false,
      errorCode: "TXTNotFound",
    });
    records.txt = [txt];
    expect(await ada.post("NSDomainService/verifyNSDomain", { nsDomainId })).toMatchObject({ isOk: true });
    expect(await nextTask()).toEqual(["newNodeTask", ["nsDomainChanged"]]);
    expect(
      (await admin.post("NSDomainService/findVerifiedNSDomainOnCluster", { nsClusterId, name: "shop.example" }))
        .nsDomain,
    ).toMatchObject({ id: nsDomainId, user: { username: "ada" } });

    // The node is notified of new records; invalid records are refused.
    const record = (name: string, type: string, value: string, overrides: object = {}) => ({
      ...{ nsDomainId, name, type, value, ttl: 300 },
      ...overrides,
    });
    const create = "NSRecordService/createNSRecord";
    const { nsRecordId } = await ada.post(create, record("www", "A", "192.0.2.1"));
    expect(await nextTask()).toEqual(["newNodeTask", ["nsRecordChanged"]]);
    await ada.post(create, record("@", "MX", "mail.shop.example", { mxPriority: 10 }));
    expect(await ada.error(create, record("www", "CNAME", "elsewhere.example"))).toMatchObject({ code: 409 });
    expect(await ada.error(create, record("www", "A", "192.0.2.256"))).toMatchObject({ code: 400 });
    const update = { nsRecordId, ...record("www", "A", "192.0.2.9"), isOn: true };
    await ada.post("NSRecordService/updateNSRecord", update);

    // The node fetches the changes since its version.
    const { nsDomains } = await node.post("NSDomainService/listNSDomainsAfterVersion", { version: 0 });
    expect(nsDomains).toMatchObject([{ id: nsDomainId, name: "shop.example", status: "verified" }]);
    const { nsRecords } = await node.post("NSRecordService/listNSRecordsAfterVersion", { version: 0 });
    expect(nsRecords).toMatchObject([{ type: "MX", mxPriority: 10 }, { name: "www", value: "192.0.2.9", ttl: 300 }]);
    const { version } = nsRecords.at(-1);
    expect((await node.post("NSRecordService/listNSRecordsAfterVersion", { version })).nsRecords).toEqual([]);

    // The zone is exported as a file, and a file is imported into another domain.
    const { zoneFile } = await ada.post("NSZoneFileService/exportNSZoneFile", { nsDomainId });
    expect(zoneFile).toMatch(/^www\s+300\s+IN\s+A\s+192\.0\.2\.9$/m);
    const second = await ada.post("NSDomainService/createNSDomain", { name: "shop2.example" });
    const importedZone = "$TTL 600\n@ IN NS ns1.edge.test.\nwww IN A 192.0.2.10\nwww IN AAAA 2001:db8::1\n";
    const imported = await ada.post("NSZoneFileService/importNSZoneFile", { ...second, zoneFile: importedZone });
    expect(imported).toMatchObject({ countProblems: 0, countCreated: 2 });

    // The cluster is in use. The customer is deleted, and the node receives the deletions.
    expect(await admin.error("NSClusterService/deleteNSCluster", { nsClusterId }))
      .toMatchObject({ code: 409, message: expect.stringContaining('domain "shop.example"') });
    await admin.post("UserService/deleteUser", { userId: ada.id });
    await day.job("user.remove_deleted");
    await day.job("ns_domain.follow");
    const changes = await node.post("NSDomainService/listNSDomainsAfterVersion", { version: nsDomains[0].version });
    expect(changes.nsDomains.filter(({ isDeleted }: { isDeleted: boolean }) => isDeleted)).toHaveLength(2);
    expect((await node.post("NSRecordService/listNSRecordsAfterVersion", { version })).nsRecords)
      .toMatchObject(Array(4).fill({ isDeleted: true }));

    // The node is deleted: its stream ends, and its token is revoked.
    await admin.post("NSNodeService/deleteNSNode", { nsNodeId });
    while (await stream.next().catch(() => undefined) !== undefined);
    expect(await node.error("NSNodeService/findCurrentNSNodeConfig")).toMatchObject({ code: 401 });
    await admin.post("NSClusterService/deleteNSCluster", { nsClusterId });
  },
);
