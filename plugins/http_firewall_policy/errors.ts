import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("http_firewall_policy", "firewall policy");
