import { type Call, idField, invalid, listField, textField } from "edgehelm";
import { MAX_LIST_LENGTH } from "edgehelm/fields";
import type { Admins } from "../admin/contract.ts";
import type { MessageMediaInstances } from "../message_media_instance/contract.ts";
import type { MessageRecipientGroups } from "../message_recipient_group/contract.ts";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { MessageRecipients, MessageRecipientSummary, MessageRecipientWatcher } from "./contract.ts";
import type { MessageRecipientStore, NewRecipient, RecipientRow } from "./store.ts";

/** The contracts on which recipients depend. */
export interface RecipientDeps {
  readonly instances: MessageMediaInstances;
  readonly admins: Admins | undefined;
  readonly groups: MessageRecipientGroups | undefined;
  readonly clusters: NodeClusters | undefined;
}

/** The fields of a recipient in requests. */
export interface RecipientFields {
  readonly adminId: bigint;
  readonly messageMediaInstanceId: bigint;
  readonly messageRecipientGroupIds: readonly bigint[];
  readonly nodeClusterIds: readonly bigint[];
  readonly description: string;
  readonly user: string;
  readonly timeFrom: string;
  readonly timeTo: string;
}

/** Manages recipients, for handlers and for other plugins. */
export class Recipients implements MessageRecipients {
  readonly #store: MessageRecipientStore;
  readonly #deps: RecipientDeps;
  readonly #watchers: readonly MessageRecipientWatcher[];

  constructor(store: MessageRecipientStore, deps: RecipientDeps, watchers: readonly MessageRecipientWatcher[]) {
    this.#store = store;
    this.#deps = deps;
    this.#watchers = watchers;
  }

  /** Checks the fields of a request, and returns the row to store. */
  async check(call: Call, fields: RecipientFields): Promise<NewRecipient> {
    const { instances, admins, groups, clusters } = this.#deps;
    const adminId = idField("adminId", fields.adminId);
    if (admins !== undefined && !await admins.isLive(call, adminId)) {
      throw invalid("adminId", `admin ${adminId} does not exist`);
    }
    const { id } = await instances.requireInstance(call, "messageMediaInstanceId", fields.messageMediaInstanceId);
    const groupIds = [...new Set(fields.messageRecipientGroupIds)];
    if (groupIds.length > MAX_LIST_LENGTH) {
      throw invalid("messageRecipientGroupIds", `must have at most ${MAX_LIST_LENGTH} items, got ${groupIds.length}`);
    }
    if (groupIds.length > 0 && groups === undefined) {
      throw invalid("messageRecipientGroupIds", "must be empty: the plugin message_recipient_group is not enabled");
    }
    await groups?.requireAll(call, "messageRecipientGroupIds", groupIds);
    const nodeClusterIds = [...new Set(listField("nodeClusterIds", fields.nodeClusterIds, idField))];
    for (const clusterId of nodeClusterIds) await clusters?.requireCluster(call, "nodeClusterIds", clusterId);
    return {
      adminId,
      messageMediaInstanceId: id,
      groupIds: `[${groupIds.join(",")}]`,
      nodeClusterIds: `[${nodeClusterIds.join(",")}]`,
      description: textField("description", fields.description, { max: 1000 }),
      user: textField("user", fields.user, { min: 1 }),
      timeFrom: timeField("timeFrom", fields.timeFrom),
      timeTo: timeField("timeTo", fields.timeTo),
    };
  }

  async becameUnavailable(call: Call, id: bigint): Promise<void> {
    for (const watcher of this.#watchers) await watcher.becameUnavailable(call, id);
  }

  async remove(call: Call, id: bigint): Promise<void> {
    await this.#store.remove.run(call, { id });
    await this.becameUnavailable(call, id);
  }

  async summaries(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, MessageRecipientSummary>> {
    const rows = await this.#store.byIds.all(call, { ids: [...ids] });
    const messages = await this.messages(call, rows);
    return new Map(rows.map(({ id, isOn: on, messageMediaInstanceId, user, timeFrom, timeTo }, index) => {
      const message = messages[index]!;
      const isOn = on === 1n;
      const isReachable = isOn && message.messageMediaInstance?.isOn === true;
      const { nodeClusterIds } = message;
      return [id, { id, isOn, isReachable, messageMediaInstanceId, nodeClusterIds, user, timeFrom, timeTo, message }];
    }));
  }

  async idsOfGroup(call: Call, groupId: bigint, limit: number): Promise<readonly bigint[]> {
    if (groupId === 0n) return (await this.#store.newest.all(call, { limit })).map(({ id }) => id);
    const filter = { adminId: 0n, messageRecipientGroupId: groupId, messageMediaInstanceId: 0n, keyword: "" };
    const rows = await this.#store.list.page(call, filter, { offset: 0n, size: BigInt(limit) });
    return rows.map(({ id }) => id);
  }

  async requireRecipient(call: Call, field: string, id: bigint): Promise<MessageRecipientSummary> {
    const found = (await this.summaries(call, [id])).get(id);
    if (found === undefined) throw invalid(field, `message recipient ${id} does not exist`);
    return found;
  }

  /** Returns recipients as responses contain them, with admin, instance and groups. */
  async messages(call: Call, rows: readonly RecipientRow[]) {
    const { instances, admins, groups } = this.#deps;
    const instanceOf = await instances.summaries(call, [...new Set(rows.map((row) => row.messageMediaInstanceId))]);
    const nameOf = await admins?.names(call, [...new Set(rows.map(({ adminId }) => adminId))]);
    const groupOf = await groups?.summaries(call, [...new Set(rows.flatMap(groupIdsOf))]);
    return rows.map((row) => {
      const instance = instanceOf.get(row.messageMediaInstanceId);
      const admin = nameOf?.get(row.adminId);
      return {
        id: row.id,
        isOn: row.isOn === 1n,
        admin: { id: row.adminId, username: admin?.username ?? "", fullname: admin?.fullname ?? "" },
        ...(instance && {
          messageMediaInstance: {
            id: instance.id,
            isOn: instance.isOn,
            name: instance.name,
            description: instance.description,
            messageMedia: { ...instance.messageMedia },
          },
        }),
        messageRecipientGroups: groupIdsOf(row).flatMap((id) => groupOf?.get(id) ?? []),
        description: row.description,
        user: row.user,
        timeFrom: row.timeFrom,
        timeTo: row.timeTo,
        nodeClusterIds: (JSON.parse(row.nodeClusterIds) as number[]).map(BigInt),
      };
    });
  }
}

function groupIdsOf({ groupIds }: RecipientRow): bigint[] {
  return (JSON.parse(groupIds) as number[]).map(BigInt);
}

/** Checks a time of day, and returns it as HH:MM:SS; empty stays empty. */
function timeField(field: string, value: string): string {
  const time = value.trim();
  if (time === "") return "";
  const [, hours, minutes, seconds = "00"] = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(time) ?? [];
  if (hours === undefined) throw invalid(field, `must be a time of day such as 08:30, got "${time.slice(0, 60)}"`);
  return `${hours}:${minutes}:${seconds}`;
}
