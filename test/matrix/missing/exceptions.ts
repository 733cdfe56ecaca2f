const REPORTED = "a node says what it saw: what is not there any more is history";
const SELECTED = "the ids select rows, possibly none";
const OWN = "a node acts for itself, and the field is ignored";
const EXPANDED = "the objects themselves are ignored: only the references to them are read";
const GEOGRAPHY = "countries and provinces are those of the IP library of nodes";
const ROUTES = "the error names nsRouteCodes, in whose form routes are kept";
const PROVIDERS = "names are proved in domains of this installation";
const NAMES = "the names are looked up among the domains of the user, and are what is missing";

/** The fields whose ids may be missing, with the reason; a prefix covers the fields in it. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  "updateMessageReceivers recipientOptions": "the error has the key of the map in the path",
  "updateMessageReceivers serverId": "a site that is not there has no events",
  "createACMETask dnsProviderId": PROVIDERS,
  "updateACMETask dnsProviderId": PROVIDERS,
  "createACMETask userId": "the owner is that of the ACME user, whom the error names",
  "createHTTPAccessLogs httpAccessLogs": REPORTED,
  "createNodeLogs nodeLogs": REPORTED,
  "updateLogin login.id": "the owner says which one is meant, and the field is ignored",
  "uploadServerDailyStats stats.serverId": "statistics of sites that the node does not serve are dropped and counted",
  "uploadServerDailyStats stats.planId": "the plan is that of the site",
  "uploadServerDailyStats stats.userId": "the user is that of the site",
  "uploadServerDailyStats domainStats": "statistics of names are not kept",
  "uploadNSRecordHourlyStats stats":
    "queries of domains that the node's cluster does not serve are dropped and counted",
  "uploadNSRecordHourlyStats domainStats.nsDomainId": "the same",
  "updateReportResults reportResults": "results about what is no target are dropped and counted",
  "updateNodeConnectedAPINodes apiNodeIds": REPORTED,
  "updateNSNodeConnectedAPINodes apiNodeIds": REPORTED,
  "updateNodeStatus nodeId": OWN,
  "updateNSNodeStatus nodeId": OWN,
  "deleteLogsPermanently logIds": SELECTED,
  "fixNodeLogs nodeLogIds": SELECTED,
  "updateNodeLogsRead nodeLogIds": SELECTED,
  "updateNodeLogsRead nodeId": SELECTED,
  "deleteNodeLogs": SELECTED,
  "updateHTTPCachePolicyRefs refsJSON.id": "the id is that of the condition, which is part of the policy",
  "updateHTTPFirewallPolicyGroups inboundJSON.groups": EXPANDED,
  "updateHTTPFirewallPolicyGroups outboundJSON.groups": EXPANDED,
  "updateHTTPFirewallInboundConfig inboundJSON.groups": EXPANDED,
  "updateHTTPFirewallPolicyGroups inboundJSON.region": GEOGRAPHY,
  "updateHTTPFirewallInboundConfig inboundJSON.region": GEOGRAPHY,
  "createNSRoute rangesJSON.params.regions.id": GEOGRAPHY,
  "updateNSRoute rangesJSON.params.regions.id": GEOGRAPHY,
  "createOrUpdateHTTPFirewallRuleSetFromConfig firewallRuleSetConfigJSON.ruleRefs": EXPANDED,
  "addHTTPFirewallRuleGroupSet firewallRuleSetConfigJSON.ruleRefs": EXPANDED,
  "updateNSRecordsWithDomainNames searchNSRouteCodes": SELECTED,
  "deleteNSRecordsWithDomainNames searchNSRouteCodes": SELECTED,
  "updateNSRecordsIsOnWithDomainNames searchNSRouteCodes": SELECTED,
  "createServer adminId": "the admin is the caller, and the field is ignored",
  "createNSRecord nsRouteIds": ROUTES,
  "updateNSRecord nsRouteIds": ROUTES,
  "deleteNSDomains userId": NAMES,
  "createNSRecordsWithDomainNames userId": NAMES,
  "updateNSRecordsWithDomainNames userId": NAMES,
  "deleteNSRecordsWithDomainNames userId": NAMES,
  "updateNSRecordsIsOnWithDomainNames userId": NAMES,
  "importNSRecords userId": NAMES,
  "sendCommandToNSNode requestId": "the server numbers requests itself",
  "sendCommandToNode requestId": "the server numbers requests itself",
  "sumServerDailyStats": "the response repeats the filters, with figures of 0",
  "SayHello id": "the id is a number without meaning",
  "checkAdminExists adminId": "the response says that the admin does not exist",
  "findAvailableNSHostsForUser userId": "the hosts are those of clusters that are open to everyone",
};
