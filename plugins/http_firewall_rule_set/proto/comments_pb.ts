// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.CreateOrUpdateHTTPFirewallRuleSetFromConfigRequest": "The set to save.",
  "pb.CreateOrUpdateHTTPFirewallRuleSetFromConfigRequest.firewallRuleSetConfigJSON": "The set as a JSON object. Without an id, a set is created. Rules with an id keep it, since access logs refer to it; rules that are left out are deleted.",
  "pb.CreateOrUpdateHTTPFirewallRuleSetFromConfigResponse": "The set.",
  "pb.CreateOrUpdateHTTPFirewallRuleSetFromConfigResponse.firewallRuleSetId": "The id of the set, new or changed.",
  "pb.FindEnabledHTTPFirewallRuleSetConfigRequest": "The set to find.",
  "pb.FindEnabledHTTPFirewallRuleSetConfigRequest.firewallRuleSetId": "The id of the set that the response describes.",
  "pb.FindEnabledHTTPFirewallRuleSetConfigResponse": "The set, with its rules.",
  "pb.FindEnabledHTTPFirewallRuleSetConfigResponse.firewallRuleSetJSON": "The set as a JSON object; empty if the set does not exist.",
  "pb.FindEnabledHTTPFirewallRuleSetRequest": "The set to find.",
  "pb.FindEnabledHTTPFirewallRuleSetRequest.firewallRuleSetId": "The id of the set that the response describes.",
  "pb.FindEnabledHTTPFirewallRuleSetResponse": "The set.",
  "pb.FindEnabledHTTPFirewallRuleSetResponse.firewallRuleSet": "The set; absent if it does not exist.",
  "pb.HTTPFirewallRuleSet": "The summary of a rule set.",
  "pb.HTTPFirewallRuleSet.code": "A code by which programs refer to it; may be empty.",
  "pb.HTTPFirewallRuleSet.description": "A description, as free text.",
  "pb.HTTPFirewallRuleSet.id": "The id of the set.",
  "pb.HTTPFirewallRuleSet.isOn": "False disables it: nodes skip it.",
  "pb.HTTPFirewallRuleSet.name": "The name, for people: programs use the id.",
  "pb.HTTPFirewallRuleSetService": "Manages rule sets of the web application firewall: rules, and the actions on requests that match them. Rule groups contain sets. Users see and change only their own sets; a set created by an admin belongs to the installation.",
  "pb.HTTPFirewallRuleSetService.createOrUpdateHTTPFirewallRuleSetFromConfig": "Creates a set, or replaces the set whose id the configuration contains.",
  "pb.HTTPFirewallRuleSetService.findEnabledHTTPFirewallRuleSet": "Finds the summary of a set.",
  "pb.HTTPFirewallRuleSetService.findEnabledHTTPFirewallRuleSetConfig": "Finds a set with its rules; the response is empty if it does not exist.",
  "pb.HTTPFirewallRuleSetService.updateHTTPFirewallRuleSetIsOn": "Turns a set on or off.",
  "pb.UpdateHTTPFirewallRuleSetIsOnRequest": "The set to turn on or off.",
  "pb.UpdateHTTPFirewallRuleSetIsOnRequest.firewallRuleSetId": "The id of the set to change.",
  "pb.UpdateHTTPFirewallRuleSetIsOnRequest.isOn": "False disables it: nodes skip it.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
