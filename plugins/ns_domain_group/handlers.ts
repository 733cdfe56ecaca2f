import {
  type Call,
  type Handlers,
  idField,
  onlyOwned,
  ownerOf,
  refuseWhenUsed,
  requireOwned,
  textField,
  type UseCheck,
} from "edgehelm";
import { errors } from "./errors.ts";
import type { NSDomainGroupService } from "./service_ns_domain_group_pb.ts";
import type { NSDomainGroupRow, NSDomainGroupStore } from "./store.ts";

export function nsDomainGroupHandlers(
  groups: NSDomainGroupStore,
  uses: readonly UseCheck[],
): Handlers<typeof NSDomainGroupService> {
  async function requireGroup(call: Call, id: bigint): Promise<NSDomainGroupRow> {
    return requireOwned(call, await groups.byId.first(call, { id }), errors.not_found(id));
  }

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
      const { id } = await requireGroup(call, idField("nsDomainGroupId", nsDomainGroupId));
      await groups.update.run(call, { id, name: textField("name", name, { min: 1 }), isOn });
      return {};
    },

    async deleteNSDomainGroup({ nsDomainGroupId }, call) {
      const { id } = await requireGroup(call, idField("nsDomainGroupId", nsDomainGroupId));
      await refuseWhenUsed(call, id, uses, (users) => errors.in_use(id, users));
      await groups.remove.run(call, { id });
      return {};
    },

    async findAllNSDomainGroups({ userId }, call) {
      return { nsDomainGroups: (await ofUser(call, userId)).map(groupMessage) };
    },

    async countAllAvailableNSDomainGroups({ userId }, call) {
      return { count: BigInt((await ofUser(call, userId)).filter(isAvailable).length) };
    },

    async findAllAvailableNSDomainGroups({ userId }, call) {
      return { nsDomainGroups: (await ofUser(call, userId)).filter(isAvailable).map(groupMessage) };
    },

    async findNSDomainGroup({ nsDomainGroupId }, call) {
      const group = onlyOwned(call, await groups.byId.first(call, { id: nsDomainGroupId }));
      return group === undefined ? {} : { nsDomainGroup: groupMessage(group) };
    },
  };
}

function isAvailable(row: NSDomainGroupRow): boolean {
  return row.isOn === 1n;
}

export function groupMessage({ id, name, isOn, userId }: NSDomainGroupRow) {
  return { id, name, isOn: isOn === 1n, userId };
}
