import type { UserFeatureDefinition } from "./contract.ts";

/** The built-in console features; plugins contribute more through UserFeatures. */
export const BUILT_IN_FEATURES: readonly UserFeatureDefinition[] = [
  {
    code: "server.accessLog",
    name: "Access logs",
    description: "View the access logs of own sites",
    supportPlan: true,
  },
  { code: "server.viewAccessLog", name: "Access log page", description: "Open the access log page", supportPlan: true },
  { code: "server.tcp", name: "TCP proxies", description: "Create TCP sites", supportPlan: false },
  { code: "server.udp", name: "UDP proxies", description: "Create UDP sites", supportPlan: false },
  { code: "server.waf", name: "Firewall", description: "Configure the firewall of own sites", supportPlan: true },
  { code: "finance", name: "Finance", description: "View and pay bills", supportPlan: false },
  { code: "ns", name: "DNS", description: "Manage own domains", supportPlan: false },
  { code: "plan", name: "Plans", description: "Buy and renew plans", supportPlan: false },
];
