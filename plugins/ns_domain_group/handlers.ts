import { type Call, type Handlers, ownerOf, textField, type UseCheck } from "edgehelm";
import { deleteRow, findRow } from "edgehelm/rows";
import { errors } from "./errors.ts";
import type { NSDomainGroupService } from "./proto/service_ns_domain_group_pb.ts";
import type { NSDomainGroupRow, NSDomainGroupStore } from "./store.ts";

/** Implements every operation of the service. */
export function nsDomainGroupHandlers(
  groups: NSDomainGroupStore,
  uses: readonly UseCheck[],
): Handlers<typeof NSDomainGroupService> {
  async function ofUser(call: Call, userId: bigint): Promise<NSDomainGroupRow[]> {
    return await groups.ofUser.all(call, { userId: ownerOf(call, userId) });
  }

  return {
    async createNSDomainGroup({ name }, call) {
      const group = { userId: ownerOf(call, 0n), name: textField("name", name, { min: 1 }) };
      const { id } = await groups.insert.one(call, group);
      return { nsDomainGroupId: id };
    },

    async updateNSDomainGroup({ nsDomainGroupId, name, isOn }, call) {
      const { id } = await groups.require(call, "nsDomainGroupId", nsDomainGroupId);
      await groups.update.run(call, { id, name: textField("name", name, { min: 1 }), isOn });
      return {};
    },

    deleteNSDomainGroup: deleteRow(groups, "nsDomainGroupId", { uses, inUse: errors.in_use }),

    async findAllNSDomainGroups({ userId }, call) {
      return { nsDomainGroups: (await ofUser(call, userId)).map(groupMessage) };
    },

    async countAllAvailableNSDomainGroups({ userId }, call) {
      return { count: BigInt((await ofUser(call, userId)).filter(isAvailable).length) };
    },

    async findAllAvailableNSDomainGroups({ userId }, call) {
      return { nsDomainGroups: (await ofUser(call, userId)).filter(isAvailable).map(groupMessage) };
    },

    findNSDomainGroup: findRow(groups, "nsDomainGroupId", "nsDomainGroup", groupMessage),
  };
}

function isAvailable(row: NSDomainGroupRow): boolean {
  return row.isOn === 1n;
}

/** Returns a group as operations return it. */
export function groupMessage({ id, name, isOn, userId }: NSDomainGroupRow) {
  return { id, name, isOn: isOn === 1n, userId };
}
