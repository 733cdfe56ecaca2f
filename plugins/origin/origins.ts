import type { MessageInitShape } from "@bufbuild/protobuf";
import { jsonField } from "edgehelm";
import { durationJSON } from "edgehelm/fields";
import { type OriginConfigSchema, OriginStorageSchema, SSLCertRefSchema } from "edgehelm/proto/shapes/origin_pb.js";
import type { Origins } from "./contract.ts";
import { portsOf } from "./rules.ts";
import type { Storages } from "./storages.ts";
import type { OriginRow, OriginStore } from "./store.ts";

/** Implements the contract on top of the store. */
export function originsContract(origins: OriginStore, storages: Storages): Origins {
  return {
    async configs(call, ids) {
      const rows = await origins.byIds.all(call, { ids: [...ids] });
      const configs = rows.map(async (row) => [row.id, originConfig(row, await storages.open(row))] as const);
      return new Map(await Promise.all(configs));
    },
    async requireOwned(call, references) {
      await origins.requireUsable(call, references.map(({ field, originId }) => ({ field, id: originId })));
    },
  };
}

/** Returns the configuration of an origin as nodes receive it. */
export function originConfig(row: OriginRow, ossJSON: Uint8Array): MessageInitShape<typeof OriginConfigSchema> {
  const connTimeout = durationJSON("connTimeoutJSON", row.connTimeoutJSON);
  const readTimeout = durationJSON("readTimeoutJSON", row.readTimeoutJSON);
  const idleTimeout = durationJSON("idleTimeoutJSON", row.idleTimeoutJSON);
  const certRef = jsonField("certRefJSON", row.certRefJSON, SSLCertRefSchema);
  const oss = jsonField("ossJSON", ossJSON, OriginStorageSchema);
  const [minPort, maxPort] = portsOf(row.portRange);
  return {
    id: row.id,
    isOn: row.isOn === 1n,
    version: row.version,
    name: row.name,
    ...(row.protocol !== "" && { addr: { ...addressOf(row), minPort, maxPort } }),
    http2Enabled: row.http2Enabled === 1n,
    ...(oss && { oss }),
    description: row.description,
    weight: Number(row.weight),
    ...(connTimeout && { connTimeout }),
    ...(readTimeout && { readTimeout }),
    ...(idleTimeout && { idleTimeout }),
    maxConns: Number(row.maxConns),
    maxIdleConns: Number(row.maxIdleConns),
    domains: domainsOf(row),
    requestHost: row.requestHost,
    followPort: row.followPort === 1n,
    ...(certRef && { certRef }),
  };
}

/** Returns the summary of an origin. */
export function originMessage(row: OriginRow, ossJSON: Uint8Array) {
  return {
    id: row.id,
    isOn: row.isOn === 1n,
    name: row.name,
    ...(row.protocol !== "" && { addr: addressOf(row) }),
    description: row.description,
    domains: domainsOf(row),
    host: row.requestHost,
    followPort: row.followPort === 1n,
    ossJSON,
    http2Enabled: row.http2Enabled === 1n,
  };
}

function addressOf({ protocol, host, portRange }: OriginRow) {
  return { protocol, host, portRange };
}

function domainsOf({ domains }: OriginRow): string[] {
  return JSON.parse(domains) as string[];
}
