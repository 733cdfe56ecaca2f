import { invalid, jsonField } from "edgehelm";
import type { SealedSecrets } from "edgehelm/auth";
import { MessageRateSchema } from "edgehelm/proto/shapes/message_rate_pb.js";
import type { MessageMedias } from "../message_media/contract.ts";
import type { MessageMediaInstances, MessageMediaInstanceSummary } from "./contract.ts";
import type { InstanceRow, MessageMediaInstanceStore } from "./store.ts";

const DEFAULT_HASH_SECONDS = 60n;

/** Implements the contract on top of the store. */
export function messageMediaInstances(
  instances: MessageMediaInstanceStore,
  medias: MessageMedias,
  secrets: SealedSecrets,
): MessageMediaInstances {
  return {
    summaries: instances.references((row) => summary(row, medias)).summaries,
    async requireInstance(call, field, id) {
      const found = (await this.summaries(call, [id])).get(id);
      if (found === undefined) throw invalid(field, `message media instance ${id} does not exist`);
      return found;
    },
    async paramsOf(call, id) {
      const row = await instances.byId.first(call, { id });
      return row && new TextEncoder().encode(await secrets.open(row.paramsPlace, row.params));
    },
    async idsOfType(call, mediaType, limit) {
      return (await instances.ofType.all(call, { mediaType, limit })).map(({ id }) => id);
    },
  };
}

function summary(row: InstanceRow, medias: MessageMedias): MessageMediaInstanceSummary {
  const { id, name, description, hashLife } = row;
  const rate = row.rateJSON === null ? undefined : jsonField("rateJSON", row.rateJSON, MessageRateSchema);
  return {
    id,
    isOn: row.isOn === 1n,
    name,
    description,
    messageMedia: medias.find(row.mediaType)!,
    rate: rate === undefined || rate.count === 0 ? undefined : { minutes: rate.minutes || 1, count: rate.count },
    hashSeconds: hashLife < 0n ? 0n : hashLife || DEFAULT_HASH_SECONDS,
  };
}
