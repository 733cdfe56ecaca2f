import { expect, test } from "vitest";
import { openDay } from "./day_rig.ts";

test("DNS: the domain of a customer leaves and returns to a node with the state of the customer", async () => {
  await using day = await openDay();
  const { admin } = day;
  const { nsClusterId } = await admin.post("NSClusterService/createNSCluster", {
    name: "eu",
    hosts: ["ns1.edge.test"],
  });
  const { nsNodeId } = await admin.post("NSNodeService/createNSNode", { name: "fra", nodeClusterId: nsClusterId });
  const { nsNode } = await admin.post("NSNodeService/findNSNode", { nsNodeId });
  const node = await day.login("dns", nsNode.uniqueId, nsNode.secret);
  const ada = await day.user("ada");
  const { nsDomainId } = await ada.post("NSDomainService/createNSDomain", { name: "shop.example" });
  await ada.post("NSRecordService/createNSRecord", { nsDomainId, name: "www", type: "A", value: "192.0.2.1" });

  // The node holds what it fetched, and drops what is off or deleted.
  let versions = { domain: 0, record: 0 };
  const held = new Map<string, unknown>();
  const poll = async () => {
    await day.job("ns_domain.publish");
    await day.job("ns_domain.follow");
    const { nsDomains } = await node.post("NSDomainService/listNSDomainsAfterVersion", { version: versions.domain });
    const { nsRecords } = await node.post("NSRecordService/listNSRecordsAfterVersion", { version: versions.record });
    for (const { name, isOn, isDeleted } of [...nsDomains, ...nsRecords]) {
      if (isOn && !isDeleted) held.set(name, true);
      else held.delete(name);
    }
    versions = {
      domain: nsDomains.at(-1)?.version ?? versions.domain,
      record: nsRecords.at(-1)?.version ?? versions.record,
    };
    return [...held.keys()].sort();
  };

  expect(await poll()).toEqual([]);
  const verified = { nsDomainId, status: "verified" };
  await admin.post("NSDomainService/updateNSDomainStatus", verified);
  expect(await poll()).toEqual(["shop.example", "www"]);

  const { user } = await admin.post("UserService/findEnabledUser", { userId: ada.id });
  const turn = (isOn: boolean) => admin.post("UserService/updateUser", { ...user, userId: ada.id, isOn });
  for (let round = 0; round < 2; round++) {
    await turn(false);
    expect(await poll()).toEqual([]);
    await turn(true);
    expect(await poll()).toEqual(["shop.example", "www"]);
  }

  await admin.post("NSDomainService/updateNSDomainStatus", { nsDomainId, status: "forbidden" });
  expect(await poll()).toEqual([]);
  await admin.post("NSDomainService/updateNSDomainStatus", verified);
  await admin.post("UserService/deleteUser", { userId: ada.id });
  expect(await poll()).toEqual([]);
});
