import { getOption } from "@bufbuild/protobuf";
import { allow } from "edgehelm/proto/options_pb.js";
import { describe, expect, test } from "vitest";
import { choicesOf } from "../../../plugins/console/app/api/choices.ts";
import type { Operation } from "../../../plugins/console/app/api/model.ts";
import { referencesOf } from "../../../plugins/console/app/api/references.ts";
import { resourcesOf } from "../../../plugins/console/app/api/resources.ts";
import { filtersOf, isPaged, sortsOf } from "../../../plugins/console/app/pages/list/request.ts";
import { NOUNS } from "../../../plugins/console/app/texts/nouns.ts";
import { generatedServices } from "../../rules/generated.ts";

const operations: Operation[] = (await generatedServices()).flatMap((service) =>
  service.methods.map((method) => ({
    service,
    method,
    allow: getOption(method, allow),
    path: `/${service.name}/${method.localName}`,
  }))
);
const resources = resourcesOf(operations);
const resource = (noun: string) => resources.find((one) => one.noun === noun)!;

/** Services of which the console shows nothing in a list, and where their objects are instead. */
const WITHOUT_LIST = [
  ...["APIAccessToken", "Login", "HelloWorld", "Installation"],
  // in the pages of sites and firewall policies
  ...["Origin", "ReverseProxy", "HTTPFirewallRuleGroup", "HTTPFirewallRuleSet", "ServerDailyStat"],
  // in the pages of domains
  ...["NSRecordHourlyStat"],
  // files are found by their ids
  ...["File", "FileChunk", "NSZoneFile"],
  // have pages of their own
  ...["HTTPAccessLog", "SSLCert", "NodeInstallation"],
  // happen in the background of a page: proofs of orders, and codes by mail
  ...["ACMEAuthentication", "UserEmailVerification", "UserVerifyCode"],
];

describe("the kinds of objects in the console", () => {
  test("are those of every service that lists them", () => {
    const nouns = [...new Set(operations.map(({ service }) => service.name.replace(/Service$/, "")))];
    expect(nouns.filter((noun) => resource(noun) === undefined).sort()).toEqual([...WITHOUT_LIST].sort());
  });

  test("are listed page by page, or whole if that is all there is", () => {
    expect(resource("NSDomain").list.method.localName).toBe("listNSDomains");
    expect(isPaged(resource("NSDomain").list)).toBe(true);
    expect(resource("Node").list.method.localName).toBe("listEnabledNodesMatch");
    expect(resource("NodeRegion").list.method.localName).toBe("findAllEnabledNodeRegions");
    expect(isPaged(resource("NodeRegion").list)).toBe(false);
  });

  test("are filtered and ordered by what the list takes", () => {
    const { list } = resource("NSRecord");
    expect(sortsOf(list).map(({ localName }) => localName)).toContain("nameDesc");
    expect(filtersOf(list).map(({ localName }) => localName)).not.toContain("nameDesc");
    expect(filtersOf(list)[0]!.localName).toBe("keyword");
  });

  test("have names in Chinese", () => {
    expect(resources.map(({ noun }) => noun).filter((noun) => NOUNS.zh[noun] === undefined)).toEqual([]);
  });
});

test("fields refer to what their kind declares, not to what their name suggests", () => {
  const references = referencesOf(operations);
  expect(references.get("pb.CreatePlanRequest.clusterId")).toBe("NodeCluster");
  expect(references.get("pb.CreateNSNodeRequest.nodeClusterId")).toBe("NSCluster");
  expect(references.get("pb.CreateNodeIPAddressRequest.nodeId")).toBeUndefined();
});

test("texts of objects have the values that requests declare", () => {
  const choices = choicesOf(operations);
  expect([...choices.get("pb.Plan.priceType")!]).toEqual(["period", "traffic", "bandwidth"]);
  expect([...choices.get("pb.Server.type")!]).toEqual(["httpProxy", "httpWeb", "tcpProxy", "udpProxy"]);
  expect(choices.get("pb.Plan.name")).toBeUndefined();
});
