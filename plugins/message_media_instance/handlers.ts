import {
  type Call,
  type Handlers,
  idField,
  invalid,
  jsonField,
  listField,
  numberField,
  pageOf,
  textField,
  type UseCheck,
} from "edgehelm";
import { countRows, deleteRow } from "edgehelm/rows";
import type { SealedSecrets } from "edgehelm/auth";
import { MessageRateSchema } from "edgehelm/proto/shapes/message_rate_pb.js";
import type { MessageMedias } from "../message_media/contract.ts";
import type { MessageRecipientGroups } from "../message_recipient_group/contract.ts";
import type { MessageMediaInstanceWatcher } from "./contract.ts";
import { errors } from "./errors.ts";
import type { MessageMediaInstanceService } from "./proto/service_message_media_instance_pb.ts";
import type { InstanceRow, MessageMediaInstanceStore } from "./store.ts";

export interface Deps {
  readonly instances: MessageMediaInstanceStore;
  readonly medias: MessageMedias;
  readonly groups: MessageRecipientGroups | undefined;
  readonly secrets: SealedSecrets;
  readonly uses: readonly UseCheck[];
  readonly watchers: readonly MessageMediaInstanceWatcher[];
}

const MAX_HASH_SECONDS = 30 * 86_400;

export function messageMediaInstanceHandlers(
  { instances, medias, groups, secrets, uses, watchers }: Deps,
): Handlers<typeof MessageMediaInstanceService> {
  async function becameUnavailable(call: Call, id: bigint): Promise<void> {
    for (const watcher of watchers) await watcher.becameUnavailable(call, id);
  }

  async function seal(paramsJSON: Uint8Array) {
    const paramsPlace = crypto.randomUUID();
    return { paramsPlace, params: await secrets.seal(paramsPlace, new TextDecoder().decode(paramsJSON)) };
  }

  async function opened({ paramsPlace, params }: InstanceRow): Promise<Uint8Array> {
    return new TextEncoder().encode(await secrets.open(paramsPlace, params));
  }

  /** Refuses masks, where no secret is stored. */
  function requireSecrets(mediaType: string, paramsJSON: Uint8Array): void {
    if (!medias.hasMasks(mediaType, paramsJSON)) return;
    throw invalid("paramsJSON", 'must have the secrets themselves: "******" stands for a secret that is stored');
  }

  /** Returns the parameters of a request, with the stored secrets in place of masks. */
  async function paramsOf(current: InstanceRow, mediaType: string, paramsJSON: Uint8Array): Promise<Uint8Array> {
    if (mediaType !== current.mediaType) requireSecrets(mediaType, paramsJSON);
    if (mediaType !== current.mediaType || paramsJSON.length === 0) return paramsJSON;
    return medias.restoreParams(mediaType, paramsJSON, await opened(current));
  }

  function settingsOf(request: { name: string; description: string; hashLife: number }) {
    return {
      name: textField("name", request.name, { min: 1 }),
      description: textField("description", request.description, { max: 1000 }),
      hashLife: BigInt(numberField("hashLife", request.hashLife, { min: -1, max: MAX_HASH_SECONDS })),
    };
  }

  async function message(row: InstanceRow) {
    return {
      id: row.id,
      isOn: row.isOn === 1n,
      name: row.name,
      messageMedia: { ...medias.find(row.mediaType)! },
      paramsJSON: medias.maskParams(row.mediaType, await opened(row)),
      description: row.description,
      rateJSON: row.rateJSON ?? new Uint8Array(),
      hashLife: Number(row.hashLife),
    };
  }

  function filterOf({ mediaType, keyword }: { mediaType: string; keyword: string }) {
    if (mediaType !== "") medias.requireType("mediaType", mediaType);
    return { mediaType, keyword: textField("keyword", keyword) };
  }

  return {
    async createMessageMediaInstance(request, call) {
      const { type: mediaType } = medias.requireType("mediaType", request.mediaType);
      requireSecrets(mediaType, request.paramsJSON);
      medias.requireParams("paramsJSON", mediaType, request.paramsJSON);
      await medias.requireHosts(call, "paramsJSON", mediaType, request.paramsJSON);
      const instance = {
        ...settingsOf(request),
        ...await seal(request.paramsJSON),
        mediaType,
        rateJSON: rateField("rateJSON", request.rateJSON) ?? null,
      };
      const groupIds = listField("groupIds", request.groupIds, idField);
      return await call.transact(async (inner) => {
        await groups?.requireAll(inner, "groupIds", groupIds);
        const { id } = await instances.insert.one(inner, instance);
        return { messageMediaInstanceId: id };
      });
    },

    async updateMessageMediaInstance(request, call) {
      const current = await instances.require(call, "messageMediaInstanceId", request.messageMediaInstanceId);
      const { type: mediaType } = medias.requireType("mediaType", request.mediaType);
      const keepsParams = request.paramsJSON.length === 0 && mediaType === current.mediaType;
      const paramsJSON = await paramsOf(current, mediaType, request.paramsJSON);
      if (!keepsParams) {
        medias.requireParams("paramsJSON", mediaType, paramsJSON);
        await medias.requireHosts(call, "paramsJSON", mediaType, paramsJSON);
      }
      const params = keepsParams ? current : await seal(paramsJSON);
      const rateJSON = rateField("rateJSON", request.rateJSON) ?? current.rateJSON;
      const { isOn } = request;
      await call.transact(async (inner) => {
        const row = await instances.require(inner, "messageMediaInstanceId", current.id);
        if (keepsParams && row.params !== current.params) throw errors.changed(row.id);
        const { id } = row;
        const stored = { params: params.params, paramsPlace: params.paramsPlace, rateJSON };
        await instances.update.run(inner, { ...settingsOf(request), ...stored, id, mediaType, isOn });
        if (!isOn && row.isOn === 1n) await becameUnavailable(inner, id);
      });
      return {};
    },

    deleteMessageMediaInstance: deleteRow(instances, "messageMediaInstanceId", {
      uses,
      inUse: errors.in_use,
      deleted: (call, { id }) => becameUnavailable(call, id),
    }),
    countAllEnabledMessageMediaInstances: countRows(instances.list, filterOf),

    async listEnabledMessageMediaInstances(request, call) {
      const rows = await instances.list.page(call, filterOf(request), pageOf(request));
      return { messageMediaInstances: await Promise.all(rows.map(message)) };
    },

    async findEnabledMessageMediaInstance({ messageMediaInstanceId }, call) {
      const row = await instances.find(call, messageMediaInstanceId);
      return { messageMediaInstance: row && await message(row) };
    },

    async findMessageMediaInstanceSecrets({ messageMediaInstanceId }, call) {
      const row = await instances.require(call, "messageMediaInstanceId", messageMediaInstanceId);
      // A transaction without changes: its audit record says who read the secrets.
      await call.transact(() => Promise.resolve());
      return { paramsJSON: await opened(row) };
    },
  };
}

/** Checks a rate limit. Returns undefined for empty bytes. */
function rateField(field: string, bytes: Uint8Array): Uint8Array | undefined {
  const rate = jsonField(field, bytes, MessageRateSchema);
  if (rate === undefined) return undefined;
  numberField(`${field}.minutes`, rate.minutes, { min: 0, max: 43_200 });
  numberField(`${field}.count`, rate.count, { min: 0 });
  return bytes;
}
