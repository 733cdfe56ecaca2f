import { getOption } from "@bufbuild/protobuf";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { omitZero } from "../../../proto/options_pb.ts";
import { pluginFolders } from "../../matrix/plugins.ts";
import { generatedMessages, generatedServices, root } from "../../rules/generated.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../../harness/server.ts";
import { KnownClient } from "../known_client.ts";

const guide = readFileSync(`${root}core/guides/other_clients.md`, "utf8");

/** Returns the rows of the table under a heading of the guide. */
function rowsOf(heading: string): string[][] {
  const section = guide.split(/^## /m).find((text) => text.startsWith(heading))!;
  return [...section.matchAll(/^\|(.*)\|$/gm)].slice(2).map(([, row]) =>
    row!.split("|").map((cell) => cell.trim().replace(/^`(.*)`$/, "$1"))
  );
}

let installation: Record<string, string>;
let server: Server;
let admin: KnownClient;
let user: KnownClient;
beforeAll(async () => {
  installation = await installationDirectory(pluginFolders);
  server = await Server.start({ ...installation, ...CHOSEN_KEY });
  admin = await new KnownClient(server.url, "X-Edge-Access-Token").login();
  const { userId } = await admin.data("UserService/createUser", { username: "other", password: "walks in the rain" });
  await admin.data("UserAccessKeyService/createUserAccessKey", { userId });
  const { userAccessKeys: [key] } = await admin.data("UserAccessKeyService/findAllEnabledUserAccessKeys", { userId });
  const login = { type: "user", accessKeyId: key.uniqueId, accessKey: key.secret };
  user = await new KnownClient(server.url, "X-Edge-Access-Token").login(login);
});
afterAll(async () => {
  server.kill();
  await server.ended;
  await removeInstallation(installation);
});

test("the guide lists every field that is absent when it is zero", async () => {
  const omitted = (await generatedMessages()).flatMap(({ name, fields }) =>
    fields.filter((field) => getOption(field, omitZero)).map((field) => `${name}.${field.name}`)
  );
  expect(rowsOf("JSON").map(([field]) => field)).toEqual(omitted.sort());
});

const lists = (await generatedServices()).flatMap((service) =>
  service.methods.filter(({ name, input }) =>
    /^(list|count|findAll|sum)/.test(name) && input.fields.some((field) => field.name === "userId")
  ).map((method) => `${service.name}/${method.name}`)
).sort();

describe("lists without a user", () => {
  test("are all decided in the guide", () => {
    expect(rowsOf("Lists").map(([operation]) => operation!).sort()).toEqual(lists);
  });

  test.each(rowsOf("Lists"))("%s: %s", async (operation, meaning) => {
    const day = { day: "20260101", dayFrom: "20260101", dayTo: "20260101" };
    const { code } = await admin.raw(operation!, JSON.stringify(day));
    expect(code === 200).toBe(meaning !== "refused");
  });
});

/** Checks each difference, by its text in the guide. */
const DIFFERENCES: Readonly<Record<string, () => Promise<void>>> = {
  "errors have codes of their own, not always 400": async () => {
    expect((await admin.raw("ServerService/deleteServer", '{"serverId": 987654}')).code).toBe(404);
  },
  "zero values are present": async () => {
    const { apiNodeId } = await admin.data("APINodeService/createAPINode", { name: "off" });
    expect((await admin.data("APINodeService/findEnabledAPINode", { apiNodeId })).apiNode).toMatchObject({
      ...{ isOn: false, description: "", accessAddrs: [] },
    });
  },
  "users may not manage cache policies": async () => {
    const created = await user.raw("HTTPCachePolicyService/createHTTPCachePolicy", '{"name": "p", "type": "memory"}');
    expect(created.code).toBe(403);
  },
  "users choose no nodes for their sites": async () => {
    const request = { type: "httpProxy", nodeClusterId: 1, includeNodesJSON: [{ nodeId: 1 }] };
    expect(await user.raw("ServerService/createServer", JSON.stringify(request)))
      .toMatchObject({ code: 400, message: expect.stringContaining("includeNodesJSON: must be empty") });
  },
  "users listen on free ports only": async () => {
    const tcpJSON = { isOn: true, listen: [{ protocol: "tcp", portRange: "443" }] };
    const request = { type: "tcpProxy", nodeClusterId: 1, tcpJSON };
    expect(await user.raw("ServerService/createServer", JSON.stringify(request)))
      .toMatchObject({ code: 400, message: expect.stringContaining("tcpJSON.listen[0].portRange") });
  },
  "`countMonths` is ignored": async () => {
    const { planId } = await admin.data("PlanService/createPlan", { name: "free", priceType: "period" });
    const ends = [];
    for (const more of [{ countMonths: 7 }, { countPeriod: 1 }]) {
      const request = { planId, period: "monthly", name: "one", ...more };
      const { userPlanId } = await user.data("UserPlanService/buyUserPlan", request);
      ends.push((await user.data("UserPlanService/findEnabledUserPlan", { userPlanId })).userPlan.dayTo);
    }
    expect(ends[0]).toBe(ends[1]);
  },
  "SRV and CAA values are read back in parts": async () => {
    const { nsClusterId } = await admin.data("NSClusterService/createNSCluster", { name: "dns" });
    const { nsDomainId } = await admin.data("NSDomainService/createNSDomain", { nsClusterId, name: "parts.example" });
    const record = { nsDomainId, name: "@", type: "CAA", value: '0 issue "ca.example.net"', ttl: 600 };
    const { nsRecordId } = await admin.data("NSRecordService/createNSRecord", record);
    const { nsRecord } = await admin.data("NSRecordService/findNSRecord", { nsRecordId });
    expect(nsRecord).toMatchObject({ value: "ca.example.net", caaTag: "issue", caaFlag: 0 });
  },
  "the configuration of a missing rule group is absent": async () => {
    const path = "HTTPFirewallRuleGroupService/findEnabledHTTPFirewallRuleGroupConfig";
    expect(await admin.data(path, { firewallRuleGroupId: 987_654 })).toEqual({});
  },
};

test("the guide lists every difference that is tested", () => {
  const unquoted = Object.keys(DIFFERENCES).map((text) => text.replace(/^`(.*)`$/, "$1"));
  expect(rowsOf("What stays").map(([text]) => text)).toEqual(unquoted);
});

test.each(Object.entries(DIFFERENCES))("%s", async (_text, holds) => await holds());
