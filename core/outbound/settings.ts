import { type AddressRange, addressRangeField } from "../fields/address_ranges.ts";
import { HostList } from "./host_list.ts";

/** The section `outbound` of the installation manifest. */
export interface OutboundSettings {
  /** The ranges of addresses outside the public internet that plugins may reach, such as 10.1.0.0/16. */
  readonly allow?: readonly string[];
  /** The hosts that plugins may reach. Empty means all on a machine, and none on workers. */
  readonly hosts?: readonly string[];
}

/** The settings, checked. */
export interface OutboundRules {
  readonly ranges: readonly AddressRange[];
  readonly hosts: HostList;
}

/**
 * Checks the settings of outgoing requests.
 *
 * @throws RpcError invalid, which names the entry
 */
export function outboundRules({ allow = [], hosts = [] }: OutboundSettings = {}): OutboundRules {
  return {
    ranges: allow.map((range, index) => addressRangeField(`outbound.allow[${index}]`, range)),
    hosts: new HostList("outbound.hosts", hosts),
  };
}
