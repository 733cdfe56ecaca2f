import { choiceField, type Handlers, idField, invalid, ownerOf } from "edgehelm";
import { MAX_LIST_LENGTH } from "edgehelm/fields";
import { errors } from "../errors.ts";
import { emitStatus } from "../events.ts";
import { actsForInstallation, requireDomain } from "../ownership.ts";
import { domainName, domainNames, STATUSES } from "../rules.ts";
import type { NSDomainService } from "../proto/service_ns_domain_pb.ts";
import type { Deps } from "./deps.ts";

/** Implements the operations that create, change and delete domains. */
export function domainHandlers({ domains, changes, placement, related, events }: Deps) {
  return {
    async createNSDomain(request, call) {
      const names = [domainName("name", request.name)];
      const [nsDomainId] = await placement.create(call, request, names, () => "name");
      return { nsDomainId: nsDomainId! };
    },

    async createNSDomains(request, call) {
      const names = domainNames("names", request.names, MAX_LIST_LENGTH);
      if (names.length === 0) throw invalid("names", "must not be empty");
      return { nsDomainIds: await placement.create(call, request, names, (index) => `names[${index}]`) };
    },

    async updateNSDomain(request, call) {
      const row = await requireDomain(domains, call, idField("nsDomainId", request.nsDomainId));
      const isAdmin = actsForInstallation(call);
      const { nsClusterId, userId } = isAdmin ? request : row;
      const { isOn } = request;
      if (isOn && !isAdmin && row.isOffByAdmin === 1n) throw errors.off_by_admin(row.id);
      if (nsClusterId !== row.nsClusterId) await related.clusters.requireCluster(call, "nsClusterId", nsClusterId);
      if (userId !== row.userId) await placement.requireOwner(call, userId);
      if (nsClusterId !== row.nsClusterId || userId !== row.userId) {
        await placement.requireNoConflict(call, { ...row, nsClusterId, userId }, "nsDomainId");
      }
      const groupIds = await placement.groupIdsColumn(call, request.nsDomainGroupIds, userId);
      const isTurned = isAdmin && isOn !== (row.isOn === 1n);
      if (isTurned && isOn) await changes.allowDeleted.run(call, { names: [row.name] });
      const isOffByAdmin = isTurned ? isOn ? 0n : 1n : row.isOffByAdmin;
      await changes.change(call, row, { nsClusterId, userId, isOn: isOn ? 1n : 0n, isOffByAdmin, groupIds });
      return {};
    },

    async updateNSDomainStatus(request, call) {
      const row = await requireDomain(domains, call, idField("nsDomainId", request.nsDomainId));
      const status = choiceField("status", request.status, STATUSES);
      await placement.requireNoConflict(call, { ...row, status }, "nsDomainId");
      if (status !== "forbidden") await changes.allowDeleted.run(call, { names: [row.name] });
      await changes.change(call, row, { status });
      await emitStatus(events, call, row, status);
      return {};
    },

    async deleteNSDomain({ nsDomainId }, call) {
      const { id } = await requireDomain(domains, call, idField("nsDomainId", nsDomainId));
      await changes.softDelete(call, [id]);
      return {};
    },

    async deleteNSDomains(request, call) {
      const names = domainNames("names", request.names, MAX_LIST_LENGTH);
      const found = await domains.ofOwner.all(call, { userId: ownerOf(call, request.userId), names });
      const foundNames = new Set(found.map(({ name }) => name));
      const missing = names.findIndex((name) => !foundNames.has(name));
      if (missing >= 0) throw errors.name_not_found(`names[${missing}]`, names[missing]!);
      await changes.softDelete(call, found.map(({ id }) => id));
      return {};
    },
  } satisfies Partial<Handlers<typeof NSDomainService>>;
}
