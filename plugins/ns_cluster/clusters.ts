import { invalid, ownerOf } from "edgehelm";
import type { ClusterAccess } from "../plan/contract.ts";
import { type ConfigField, configFields } from "./config_field.ts";
import type { NSClusters, NSClusterSummary } from "./contract.ts";
import { hostsOf } from "./messages.ts";
import { NestedClusters } from "./nested_clusters.ts";
import type { NSClusterRow, NSClusterStore } from "./store.ts";

/** Implements the contract `NSClusters`. */
export function nsClusters(clusters: NSClusterStore, access: ClusterAccess): NSClusters {
  const nested = new NestedClusters(clusters, access);
  return {
    async summaries(call, ids) {
      return new Map((await clusters.summariesOf(call, ids)).map((row) => [row.id, summary(row)]));
    },
    nested: (call, ids) => nested.of(call, ids),
    async requireCluster(call, field, id) {
      const row = await clusters.summaryById.first(call, { id });
      const isOpen = row !== undefined && await access.isOpenTo(call, row, ownerOf(call, 0n));
      if (!isOpen) throw invalid(field, `DNS cluster ${id} does not exist`);
      return summary(row);
    },
    async defaultCluster(call, userId) {
      for (const row of await clusters.allOn.all(call, {})) {
        if (await access.isOpenTo(call, row, userId)) return summary(row);
      }
      return undefined;
    },
    async configVersions(call, ids) {
      const rows = await clusters.versions.all(call, { ids: [...ids] });
      return new Map(rows.map(({ id, configVersion }) => [id, configVersion]));
    },
    async nodeConfig(call, id) {
      const row = await clusters.byId.first(call, { id });
      if (row === undefined) return undefined;
      const json = (field: ConfigField) => row[field.column] ?? field.defaultValue;
      const { configVersion, timeZone, email } = row;
      return {
        configVersion,
        timeZone,
        detectAgents: row.detectAgents === 1n,
        email,
        hosts: hostsOf(row),
        accessLogJSON: json(configFields.accessLog),
        recursionJSON: json(configFields.recursion),
        tcpJSON: json(configFields.tcp),
        tlsJSON: json(configFields.tls),
        udpJSON: json(configFields.udp),
        dohJSON: json(configFields.doh),
        ddosProtectionJSON: json(configFields.ddosProtection),
        answerJSON: json(configFields.answer),
        soaJSON: json(configFields.soa),
      };
    },
  };
}

function summary(row: Pick<NSClusterRow, "id" | "name" | "isOn" | "hosts">): NSClusterSummary {
  return { id: row.id, name: row.name, isOn: row.isOn === 1n, hosts: hostsOf(row) };
}
