import { type Call, type Handlers, ownerOf, textField, type UseCheck } from "edgehelm";
import { NSDomainGroupSchema } from "edgehelm/proto/models/ns_domain_group_pb.js";
import { countRows, createRow, deleteRow, findRow, listRows, rowMessage, updateRow } from "edgehelm/rows";
import type { Users } from "../user/contract.ts";
import type { UserQuotas } from "../user_quota/contract.ts";
import { errors } from "./errors.ts";
import { NS_DOMAIN_GROUPS } from "./quota.ts";
import type { NSDomainGroupService } from "./proto/service_ns_domain_group_pb.ts";
import type { NSDomainGroupStore } from "./store.ts";

/** Returns a group as operations return it. */
export const groupMessage = rowMessage(NSDomainGroupSchema, ["id", "name", "isOn", "userId"]);

const nameOf = ({ name }: { name: string }) => ({ name: textField("name", name, { min: 1 }) });
const ofOwner = ({ userId }: { userId: bigint }, call: Call) => ({ userId: ownerOf(call, userId) });
const availableOfOwner = (request: { userId: bigint }, call: Call) => ({ ...ofOwner(request, call), isOn: true });

export function nsDomainGroupHandlers(
  groups: NSDomainGroupStore,
  uses: readonly UseCheck[],
  quotas: UserQuotas | undefined,
  users: Users | undefined,
): Handlers<typeof NSDomainGroupService> {
  const requireQuota = async (call: Call, { userId }: { userId: bigint }) =>
    await quotas?.require(
      call,
      NS_DOMAIN_GROUPS,
      userId,
      1,
      async () => (await groups.list.count(call, { userId })).count,
    );
  const requireOwner = async (call: Call, group: { userId: bigint }) => {
    if (group.userId !== 0n) await users?.requireUser(call, "userId", group.userId);
    await requireQuota(call, group);
  };
  return {
    createNSDomainGroup: createRow("nsDomainGroupId", groups.insert, (request, call) => {
      return { ...nameOf(request), ...ofOwner(request, call) };
    }, { check: requireOwner }),
    updateNSDomainGroup: updateRow(groups, "nsDomainGroupId", groups.update, (request) => {
      return { ...nameOf(request), isOn: request.isOn };
    }),
    deleteNSDomainGroup: deleteRow(groups, "nsDomainGroupId", { uses, inUse: errors.in_use }),
    findNSDomainGroup: findRow(groups, "nsDomainGroupId", "nsDomainGroup", groupMessage),
    findAllNSDomainGroups: listRows(groups.list, "nsDomainGroups", groupMessage, ofOwner),
    findAllAvailableNSDomainGroups: listRows(groups.list, "nsDomainGroups", groupMessage, availableOfOwner),
    countAllAvailableNSDomainGroups: countRows(groups.list, availableOfOwner),
  };
}
