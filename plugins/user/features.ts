import type { UserFeatureDefinition } from "./contract.ts";

/** The features of sites that the other API knows besides: code, name, and what users configure. */
const SITE_FEATURES = [
  ["script", "Scripts", "scripts"],
  ["optimization", "Page optimization", "the optimization of pages"],
  ["uam", "Visitor checks", "checks of visitors under attack"],
  ["webp", "WebP", "the conversion of images to WebP"],
  ["cc", "Request floods", "the protection from request floods"],
  ["acme", "Automatic certificates", "automatic certificates"],
  ["auth", "Access control", "the access control"],
  ["websocket", "WebSocket", "WebSocket connections"],
  ["http3", "HTTP/3", "HTTP/3"],
  ["referers", "Referrers", "the allowed referrers"],
  ["userAgent", "User agents", "the allowed user agents"],
  ["requestLimit", "Request limits", "the limits of requests"],
  ["compression", "Compression", "the compression of responses"],
  ["rewriteRules", "Rewrite rules", "rewrite rules"],
  ["hostRedirects", "Redirects", "redirects of hosts and URLs"],
  ["httpHeaders", "Headers", "headers of requests and responses"],
  ["pages", "Pages", "error pages"],
] as const;

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
  {
    code: "server.tcp.port",
    name: "Ports of TCP proxies",
    description: "Choose the ports of TCP sites",
    supportPlan: true,
  },
  {
    code: "server.udp.port",
    name: "Ports of UDP proxies",
    description: "Choose the ports of UDP sites",
    supportPlan: true,
  },
  { code: "server.waf", name: "Firewall", description: "Configure the firewall of own sites", supportPlan: true },
  ...SITE_FEATURES.map(([code, name, what]) => ({
    code: `server.${code}`,
    name,
    description: `Configure ${what} of own sites`,
    supportPlan: code !== "acme",
  })),
  { code: "finance", name: "Finance", description: "View and pay bills", supportPlan: false },
  { code: "ns", name: "DNS", description: "Manage own domains", supportPlan: false },
  { code: "plan", name: "Plans", description: "Buy and renew plans", supportPlan: false },
];
