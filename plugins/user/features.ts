import type { UserFeatureDefinition } from "./contract.ts";

/** What a user may be allowed to do in a console; plugins add theirs through UserFeatures. */
export const BUILT_IN_FEATURES: readonly UserFeatureDefinition[] = [
  { code: "server.accessLog", name: "Access logs", description: "See the access logs of own sites", supportPlan: true },
  { code: "server.viewAccessLog", name: "Access log page", description: "Open the access log page", supportPlan: true },
  { code: "server.tcp", name: "TCP proxies", description: "Make TCP sites", supportPlan: false },
  { code: "server.udp", name: "UDP proxies", description: "Make UDP sites", supportPlan: false },
  { code: "server.waf", name: "Firewall", description: "Set up the firewall of own sites", supportPlan: true },
  { code: "finance", name: "Finance", description: "See bills and pay them", supportPlan: false },
  { code: "ns", name: "DNS", description: "Manage own domains", supportPlan: false },
  { code: "plan", name: "Plans", description: "Buy and renew plans", supportPlan: false },
];
