import type { Area } from "../../shell/area.ts";
import { mayCall, session } from "../../shell/state.ts";

/** The operations that add a site with its origin, and take it back if the origin is refused. */
const ADDING_SITES = [
  "ServerService/createServer",
  "ServerService/deleteServer",
  "ServerService/updateServerReverseProxy",
  "OriginService/createOrigin",
  "ReverseProxyService/createReverseProxy",
];

const seesReports = () =>
  mayCall("ReportResultService/findReportResultRegions") && mayCall("ReportResultService/findAllReportResults");

/** Sites, their certificates, the rules of cache and firewall policies, and the nodes of DNS clusters. */
export const delivery: Area = {
  pages: [{
    key: "certificates",
    title: { en: "Certificates", zh: "证书" },
    group: "server",
    replaces: ["SSLCert"],
    isOffered: () => mayCall("SSLCertService/listSSLCerts") && mayCall("SSLCertService/countSSLCerts"),
    load: () => import("./certificates/page.tsx"),
  }, {
    key: "acme",
    title: { en: "Automatic certificates", zh: "自动证书" },
    group: "server",
    replaces: ["ACMETask", "ACMEUser"],
    isOffered: () => mayCall("ACMETaskService/listEnabledACMETasks") && mayCall("ACMEUserService/findAllACMEUsers"),
    load: () => import("./acme/page.tsx"),
  }, {
    key: "reachability",
    title: { en: "Reachability", zh: "可达性" },
    group: "node",
    isOffered: () => seesReports() && mayCall("ReportNodeService/listReportNodeTasks"),
    load: () => import("./reachability/page.tsx"),
  }, {
    key: "add-site",
    title: { en: "Add site", zh: "添加网站" },
    creates: "Server",
    isOffered: () => ADDING_SITES.every(mayCall),
    load: () => import("./sites/add_site.tsx"),
  }],
  panels: [
    {
      noun: "Server",
      key: "names",
      title: { en: "Domain names", zh: "域名" },
      isOffered: () => mayCall("ServerService/findServerNames"),
      load: () => import("./sites/names_panel.tsx"),
    },
    {
      noun: "Server",
      key: "origins",
      title: { en: "Origins", zh: "源站" },
      rank: 1,
      isOffered: () =>
        mayCall("ReverseProxyService/findEnabledReverseProxyConfig") && mayCall("OriginService/findEnabledOrigin"),
      load: () => import("./sites/origins_panel.tsx"),
    },
    {
      noun: "Server",
      key: "traffic",
      title: { en: "Traffic", zh: "流量" },
      rank: 2,
      isOffered: () =>
        mayCall("ServerDailyStatService/findLatestServerHourlyStats") ||
        mayCall("ServerDailyStatService/findLatestServerDailyStats"),
      load: () => import("./sites/traffic_panel.tsx"),
    },
    {
      noun: "HTTPCachePolicy",
      key: "cache-rules",
      title: { en: "Cache rules", zh: "缓存规则" },
      isOffered: () => mayCall("HTTPCachePolicyService/findEnabledHTTPCachePolicyConfig"),
      load: () => import("./rules/cache/panel.tsx"),
    },
    {
      noun: "HTTPFirewallPolicy",
      key: "firewall-rules",
      title: { en: "Firewall rules", zh: "防火墙规则" },
      isOffered: () => mayCall("HTTPFirewallPolicyService/findEnabledHTTPFirewallPolicyConfig"),
      load: () => import("./rules/firewall/panel.tsx"),
    },
    {
      noun: "NSCluster",
      key: "nodes",
      title: { en: "Nodes", zh: "节点" },
      replaces: "NSNode",
      isOffered: () => mayCall("NSNodeService/findAllNSNodesWithNSClusterId"),
      load: () => import("./dns_nodes/panel.tsx"),
    },
    {
      noun: "NodeIPAddress",
      key: "reachability",
      title: { en: "Reachability", zh: "可达性" },
      isOffered: seesReports,
      load: () => import("./reachability/panel.tsx"),
    },
    ...["NSNode", "Node"].map((noun) => ({
      noun,
      key: "installation",
      title: { en: "Program", zh: "程序" },
      isOffered: () => mayCall("NodeInstallationService/findNodeInstallation"),
      load: () => import("./installation/panel.tsx"),
    })),
  ],
  cards: [{
    key: "traffic-of-sites",
    rank: 2,
    isOffered: () => session.value?.type === "admin" && mayCall("AdminService/composeAdminDashboard"),
    load: () => import("./sites/traffic_card.tsx"),
  }, {
    key: "dns-nodes",
    rank: 3,
    isOffered: () => mayCall("NSNodeService/listNSNodesMatch") && mayCall("NSNodeService/countAllNSNodesMatch"),
    load: () => import("./dns_nodes/card.tsx"),
  }],
};
