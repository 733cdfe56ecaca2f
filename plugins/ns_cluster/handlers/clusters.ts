import { type Handlers, idField, ownerOf, textField, type UseCheck } from "edgehelm";
import { countRows, listRows, pageRows, refuseWhenUsed } from "edgehelm/rows";
import { timeZoneField } from "edgehelm/fields";
import type { ClusterAccess } from "../../plan/contract.ts";
import { configFields } from "../config_field.ts";
import type { NSClusters, SSLPolicyLookup } from "../contract.ts";
import { errors } from "../errors.ts";
import { emailField, hostsField } from "../rules.ts";
import type { NSClusterService } from "../proto/service_ns_cluster_pb.ts";
import type { NSClusterStore } from "../store.ts";
import { clusterMessage, hostsOf, visibleCluster } from "../messages.ts";
import type { ConfigOperation } from "./configs.ts";

/** The contributions of other plugins to the operations on clusters. */
export interface ClusterExtensions {
  readonly uses: readonly UseCheck[];
  readonly sslPolicies: readonly SSLPolicyLookup[];
}

/** Implements all operations except those on one JSON configuration. */
export function clusterHandlers(
  clusters: NSClusterStore,
  { defaultCluster }: NSClusters,
  { uses, sslPolicies }: ClusterExtensions,
  access: ClusterAccess,
): Omit<Handlers<typeof NSClusterService>, ConfigOperation> {
  return {
    async createNSCluster({ name, accessLogJSON, hosts, soaJSON, email, openToJSON }, call) {
      configFields.accessLog.check(accessLogJSON);
      configFields.soa.check(soaJSON);
      const { id } = await clusters.insert.one(call, {
        name: textField("name", name, { min: 1 }),
        hosts: JSON.stringify(hostsField("hosts", hosts)),
        email: emailField("email", email),
        accessLogJSON: orNull(accessLogJSON),
        soaJSON: orNull(soaJSON),
        openToJSON: await access.checked(call, openToJSON),
      });
      return { nsClusterId: id };
    },

    async updateNSCluster({ nsClusterId, name, hosts, timeZone, email, openToJSON, ...flags }, call) {
      const id = idField("nsClusterId", nsClusterId);
      const changes = await clusters.update.run(call, {
        id,
        name: textField("name", name, { min: 1 }),
        hosts: JSON.stringify(hostsField("hosts", hosts)),
        timeZone: timeZoneField("timeZone", timeZone),
        email: emailField("email", email),
        openToJSON: await access.checked(call, openToJSON),
        ...flags,
      });
      if (changes === 0n) throw errors.not_found(id);
      return {};
    },

    async deleteNSCluster({ nsClusterId }, call) {
      const id = idField("nsClusterId", nsClusterId);
      if (await clusters.versions.first(call, { ids: [id] }) === undefined) throw errors.not_found(id);
      await refuseWhenUsed(call, id, uses, (references) => errors.in_use(id, references));
      await clusters.remove.run(call, { id });
      await clusters.deletePolicyReferences.run(call, { id });
      return {};
    },

    async findNSCluster({ nsClusterId }, call) {
      const row = await clusters.find(call, nsClusterId);
      return row === undefined ? {} : { nsCluster: await visibleCluster(call, access, row) };
    },

    countAllNSClusters: countRows(clusters.list, () => ({})),
    listNSClusters: pageRows(clusters.list, "nsClusters", clusterMessage, () => ({})),
    findAllNSClusters: listRows(clusters.list, "nsClusters", clusterMessage, () => ({})),

    async countAllNSClustersWithSSLCertId({ sslCertId }, call) {
      const id = idField("sslCertId", sslCertId);
      const policies = await Promise.all(sslPolicies.map((lookup) => lookup.policiesWithCertificate(call, id)));
      return await clusters.countWithPolicies.one(call, { sslPolicyIds: policies.flat() });
    },

    async findNSClusterHosts({ nsClusterId }, call) {
      const row = await clusters.byId.first(call, { id: nsClusterId });
      return { hosts: row === undefined ? [] : hostsOf(row) };
    },

    async findAvailableNSHostsForUser({ userId }, call) {
      const owner = idField("userId", ownerOf(call, userId));
      return { hosts: [...(await defaultCluster(call, owner))?.hosts ?? []] };
    },
  };
}

function orNull(json: Uint8Array): Uint8Array | null {
  return json.length === 0 ? null : json;
}
