import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, jsonField, mayAccessOwner } from "edgehelm";
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
      const configs = rows.map(async (row) => [row.id, await originConfig(call, row, storages)] as const);
      return new Map(await Promise.all(configs));
    },
    take: (call, references, taker) => origins.take(call, references, taker),
  };
}

/** Returns the configuration of an origin as nodes receive it. */
export async function originConfig(
  call: Call,
  row: OriginRow,
  storages: Storages,
): Promise<MessageInitShape<typeof OriginConfigSchema>> {
  const connTimeout = durationJSON("connTimeoutJSON", row.connTimeoutJSON);
  const readTimeout = durationJSON("readTimeoutJSON", row.readTimeoutJSON);
  const idleTimeout = durationJSON("idleTimeoutJSON", row.idleTimeoutJSON);
  const certRef = jsonField("certRefJSON", row.certRefJSON, SSLCertRefSchema);
  const oss = jsonField("ossJSON", await storages.openFor(call, row), OriginStorageSchema);
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
    requestHost: requestHostFor(call, row),
    followPort: row.followPort === 1n,
    ...(certRef && { certRef }),
  };
}

/** Returns the summary of an origin. */
export async function originMessage(call: Call, row: OriginRow, storages: Storages) {
  return {
    id: row.id,
    isOn: row.isOn === 1n,
    name: row.name,
    ...(row.protocol !== "" && { addr: addressOf(row) }),
    description: row.description,
    domains: domainsOf(row),
    host: requestHostFor(call, row),
    followPort: row.followPort === 1n,
    ossJSON: await storages.openFor(call, row),
    http2Enabled: row.http2Enabled === 1n,
  };
}

/** Returns the Host header, which users to whom the origin does not belong do not see. */
function requestHostFor(call: Call, { userId, requestHost }: OriginRow): string {
  return mayAccessOwner(call.caller, userId) ? requestHost : "";
}

function addressOf({ protocol, host, portRange }: OriginRow) {
  return { protocol, host, portRange };
}

function domainsOf({ domains }: OriginRow): string[] {
  return JSON.parse(domains) as string[];
}
