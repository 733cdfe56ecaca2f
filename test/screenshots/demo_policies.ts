import type { Post } from "./demo.ts";

/** Adds a cache policy and a firewall policy with rules of several kinds. */
export async function policies(post: Post): Promise<void> {
  await cachePolicy(post);
  await firewallPolicy(post);
}

async function cachePolicy(post: Post): Promise<void> {
  const { httpCachePolicyId } = await post("HTTPCachePolicyService/createHTTPCachePolicy", {
    ...{ isOn: true, name: "Files of sites", type: "file", optionsJSON: { dir: "/opt/cache" } },
  });
  const found = await post("HTTPCachePolicyService/findEnabledHTTPCachePolicyConfig", { httpCachePolicyId });
  const json = found.httpCachePolicyJSON;
  const [first] = (typeof json === "string" ? JSON.parse(atob(json)) : json).cacheRefs;
  const isRequest = true;
  await post("HTTPCachePolicyService/updateHTTPCachePolicyRefs", {
    httpCachePolicyId,
    refsJSON: [first, {
      ...{ isOn: true, key: "${host}${requestPath}", life: { count: 15, unit: "minute" }, methods: ["GET", "HEAD"] },
      simpleCond: { type: "url-prefix", isRequest, param: "${requestPath}", operator: "prefix", value: "/blog/" },
    }, {
      ...{
        isOn: false,
        key: "${host}${requestURI}",
        minSize: { count: 4, unit: "kb" },
        maxSize: { count: 2, unit: "gb" },
      },
      conds: {
        ...{ isOn: true, connector: "or" },
        groups: [{
          ...{ isOn: true, connector: "and" },
          conds: [
            { isRequest, param: "${header.Accept-Language}", operator: "prefix", value: "de" },
            { isRequest, param: "${arg.preview}", operator: "eq", value: "1", isReverse: true },
          ],
        }],
      },
    }],
  });
}

async function firewallPolicy(post: Post): Promise<void> {
  const { httpFirewallPolicyId } = await post("HTTPFirewallPolicyService/createHTTPFirewallPolicy", {
    ...{ isOn: true, name: "Sites", httpFirewallGroupCodes: ["xss", "sqlInjection", "lfi"] },
  });
  const { firewallRuleGroupId } = await post("HTTPFirewallRuleGroupService/createHTTPFirewallRuleGroup", {
    ...{ isOn: true, name: "Shop", description: "Scanners and too many requests" },
  });
  for (
    const set of [{
      ...{ name: "scanners", isOn: true, connector: "or" },
      rules: [
        { isOn: true, param: "${requestURI}", operator: "match", value: "^/(wp-admin|phpmyadmin)" },
        { isOn: true, param: "${userAgent}", operator: "contains any", value: "sqlmap\nnikto\nmasscan" },
      ],
      actions: [{ code: "log" }, { code: "block", options: { statusCode: 403, timeout: 600 } }],
    }, {
      ...{ name: "too many requests", isOn: true, connector: "and" },
      rules: [{
        ...{ isOn: true, param: "${cc2}", operator: "gt", value: "300" },
        checkpointOptions: { keys: ["${remoteAddr}", "${requestPath}"], period: 60 },
      }, { isOn: true, param: "${header.X-Partner}", operator: "neq string", value: "clinic" }],
      actions: [{ code: "captcha", options: { captchaType: "oneClick", life: 600 } }],
    }]
  ) {
    await post("HTTPFirewallRuleGroupService/addHTTPFirewallRuleGroupSet", {
      ...{ firewallRuleGroupId, firewallRuleSetConfigJSON: set },
    });
  }
  const found = await post("HTTPFirewallPolicyService/findEnabledHTTPFirewallPolicy", { httpFirewallPolicyId });
  const { inboundJSON: json } = found.httpFirewallPolicy;
  const inbound = typeof json === "string" ? JSON.parse(atob(json)) : json;
  await post("HTTPFirewallPolicyService/updateHTTPFirewallPolicyGroups", {
    ...{ httpFirewallPolicyId },
    inboundJSON: { ...inbound, groupRefs: [{ isOn: true, groupId: firewallRuleGroupId }, ...inbound.groupRefs] },
  });
}
