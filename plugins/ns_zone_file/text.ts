import type { NSClusters } from "../ns_cluster/contract.ts";
import { apex, authorityOf, DEFAULT_TIMES, impliedRecords } from "./authority.ts";
import type { ZoneText } from "./contract.ts";
import { lineOf } from "./writer.ts";

const SERIALS = 2n ** 32n;

/** Implements the contract `ZoneText`. */
export function zoneText(clusters: NSClusters): ZoneText {
  return {
    lineOf,
    async heads(call, nsClusterId) {
      const authority = await authorityOf(call, clusters, nsClusterId);
      return (zone, own, zoneSerial) => {
        const serial = Number((zoneSerial + authority.version) % SERIALS) || 1;
        const ownSOA = own.find(({ type }) => type === "SOA");
        const implied = impliedRecords(
          { ...authority, soa: authority.soa && { ...authority.soa, serial } },
          zone,
          own,
          1n,
        );
        const soa = ownSOA ?? implied.find(({ type }) => type === "SOA") ??
          apex("SOA", `${zone} hostmaster.${zone} ${serial} ${DEFAULT_TIMES.join(" ")}`);
        const lines = [withSerial(soa, serial), ...implied.filter(({ type }) => type === "NS")];
        return { serial, lines: lines.map(lineOf) };
      };
    },
  };
}

/** The serials of nodes increase by themselves, whatever the record of a domain or a cluster says. */
function withSerial<Record extends { readonly value: string }>(record: Record, serial: number): Record {
  const [server, mailbox, , ...times] = record.value.split(" ");
  return { ...record, value: [server, mailbox, serial, ...times].join(" ") };
}
