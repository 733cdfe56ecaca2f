import { expect, test } from "vitest";
import { json, openDay } from "./day_rig.ts";
import { openStream } from "../plugins/ns_node/rig.ts";

test(
  "DNS: a cluster, its node, a customer's domain and records, and what the node hears of them",
  { timeout: 120_000 },
  async () => {
    const answers = { txt: [] as string[], ns: ["ns1.edge.test."] };
    const resolver = { txt: async () => answers.txt, ns: async () => answers.ns };
    await using day = await openDay({ hosts: { ns_domain: resolver } });
    const { admin } = day;

    // a cluster, and a machine that logs in with what it was given
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
    const node = await day.enter("dns", nsNode.uniqueId, nsNode.secret);
    expect(json((await node.post("NSNodeService/findCurrentNSNodeConfig")).nsNodeJSON)).toMatchObject({
      clusterId: nsClusterId,
      hosts: ["ns1.edge.test", "ns2.edge.test"],
      udp: { isOn: true },
    });
    const stream = openStream(day.edgehelm, await node.token());
    expect(await stream.next()).toMatchObject({ code: "connectedAPINode" });
    const told = async () => {
      const message = await stream.next();
      return [message!.code, JSON.parse(new TextDecoder().decode(message!.dataJSON)).types];
    };
    await node.post("NSNodeService/updateNSNodeStatus", { statusJSON: { isActive: true, buildVersion: "1.0.0" } });
    expect((await admin.post("NSNodeService/countAllNSNodesMatch", { nsClusterId, activeState: 1 })).count).toBe(1);

    // a customer brings a domain and proves that it is theirs
    const ada = await day.user("ada");
    const { nsDomainId } = await ada.post("NSDomainService/createNSDomain", { name: "shop.example" });
    expect(await told()).toEqual(["newNodeTask", ["nsDomainChanged"]]);
    const { txt } = await ada.post("NSDomainService/findNSDomainVerifyingInfo", { nsDomainId });
    expect(await ada.post("NSDomainService/verifyNSDomain", { nsDomainId })).toMatchObject({
      isOk: false,
      errorCode: "TXTNotFound",
    });
    answers.txt = [txt];
    expect(await ada.post("NSDomainService/verifyNSDomain", { nsDomainId })).toMatchObject({ isOk: true });
    expect(await told()).toEqual(["newNodeTask", ["nsDomainChanged"]]);
    expect(
      (await admin.post("NSDomainService/findVerifiedNSDomainOnCluster", { nsClusterId, name: "shop.example" }))
        .nsDomain,
    ).toMatchObject({ id: nsDomainId, user: { username: "ada" } });

    // records; what cannot stand in a zone is refused, and the node is told of the rest
    const record = (name: string, type: string, value: string, more: object = {}) => ({
      ...{ nsDomainId, name, type, value, ttl: 300 },
      ...more,
    });
    const create = "NSRecordService/createNSRecord";
    const { nsRecordId } = await ada.post(create, record("www", "A", "192.0.2.1"));
    expect(await told()).toEqual(["newNodeTask", ["nsRecordChanged"]]);
    await ada.post(create, record("@", "MX", "mail.shop.example", { mxPriority: 10 }));
    expect(await ada.refused(create, record("www", "CNAME", "elsewhere.example"))).toMatchObject({ code: 409 });
    expect(await ada.refused(create, record("www", "A", "192.0.2.256"))).toMatchObject({ code: 400 });
    const update = { nsRecordId, ...record("www", "A", "192.0.2.9"), isOn: true };
    await ada.post("NSRecordService/updateNSRecord", update);

    // the node pulls what it does not have yet
    const { nsDomains } = await node.post("NSDomainService/listNSDomainsAfterVersion", { version: 0 });
    expect(nsDomains).toMatchObject([{ id: nsDomainId, name: "shop.example", status: "verified" }]);
    const { nsRecords } = await node.post("NSRecordService/listNSRecordsAfterVersion", { version: 0 });
    expect(nsRecords).toMatchObject([{ type: "MX", mxPriority: 10 }, { name: "www", value: "192.0.2.9", ttl: 300 }]);
    const { version } = nsRecords.at(-1);
    expect((await node.post("NSRecordService/listNSRecordsAfterVersion", { version })).nsRecords).toEqual([]);

    // the zone goes out as a file, and comes into another domain
    const { zoneFile } = await ada.post("NSZoneFileService/exportNSZoneFile", { nsDomainId });
    expect(zoneFile).toMatch(/^www\s+300\s+IN\s+A\s+192\.0\.2\.9$/m);
    const second = await ada.post("NSDomainService/createNSDomain", { name: "shop2.example" });
    const more = "$TTL 600\n@ IN NS ns1.edge.test.\nwww IN A 192.0.2.10\nwww IN AAAA 2001:db8::1\n";
    const imported = await ada.post("NSZoneFileService/importNSZoneFile", { ...second, zoneFile: more });
    expect(imported).toMatchObject({ countProblems: 0, countCreated: 2 });

    // the cluster is in use; the customer leaves, and the node hears that all of it is gone
    expect(await admin.refused("NSClusterService/deleteNSCluster", { nsClusterId }))
      .toMatchObject({ code: 409, message: expect.stringContaining('domain "shop.example"') });
    await admin.post("UserService/deleteUser", { userId: ada.id });
    await day.job("user.remove_deleted");
    await day.job("ns_domain.follow");
    const gone = await node.post("NSDomainService/listNSDomainsAfterVersion", { version: nsDomains[0].version });
    expect(gone.nsDomains.filter((one: { isDeleted: boolean }) => one.isDeleted)).toHaveLength(2);
    expect((await node.post("NSRecordService/listNSRecordsAfterVersion", { version })).nsRecords)
      .toMatchObject(Array(4).fill({ isDeleted: true }));

    // the machine is taken away: its stream ends, and so does its token
    await admin.post("NSNodeService/deleteNSNode", { nsNodeId });
    while (await stream.next().catch(() => undefined) !== undefined);
    expect(await node.refused("NSNodeService/findCurrentNSNodeConfig")).toMatchObject({ code: 401 });
    await admin.post("NSClusterService/deleteNSCluster", { nsClusterId });
  },
);
