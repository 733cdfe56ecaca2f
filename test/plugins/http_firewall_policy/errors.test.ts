import { describe, expect, test } from "vitest";
import { admin, create, rig, useRig } from "./policy_rig.ts";

useRig();

describe("invalid requests are refused", () => {
  test.each([
    ["createHTTPFirewallPolicy", { name: "" }, "name: must not be empty"],
    [
      "createHTTPFirewallPolicy",
      { name: "a", httpFirewallGroupCodes: ["cc"] },
      "httpFirewallGroupCodes[0]: must be one of xss",
    ],
    ["updateHTTPFirewallPolicy", { name: "a", mode: "attack" }, "mode: must be one of defend, observe, bypass"],
    ["updateHTTPFirewallPolicy", { name: "a", LogJSON: { isOn: 1 } }, "LogJSON.isOn: expected true or false"],
    [
      "updateHTTPFirewallPolicy",
      { name: "a", blockOptionsJSON: { statusCode: 9 } },
      "blockOptionsJSON.statusCode: must be 0 or",
    ],
    [
      "updateHTTPFirewallPolicy",
      { name: "a", captchaOptionsJSON: { captchaType: "x" } },
      "captchaOptionsJSON.captchaType: must",
    ],
    [
      "updateHTTPFirewallPolicyGroups",
      { inboundJSON: { groupRefs: [{ groupId: 999 }] } },
      "inboundJSON.groupRefs[0].groupId: rule group 999 does not exist",
    ],
    ["updateHTTPFirewallPolicyGroups", { outboundJSON: [] }, "outboundJSON: expected a JSON object"],
    [
      "updateHTTPFirewallInboundConfig",
      { inboundJSON: { allowListRef: { isOn: true } } },
      "inboundJSON.allowListRef.listId: must be",
    ],
  ])("%s %j", async (operation, request, message) => {
    const httpFirewallPolicyId = Number(await create("refusing"));
    const response = await rig.edgehelm.post(
      `/HTTPFirewallPolicyService/${operation}`,
      { httpFirewallPolicyId, ...request },
      admin,
    );
    expect(response).toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});
