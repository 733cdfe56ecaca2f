import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, jsonBytes, mayAccessOwner } from "edgehelm";
import type { SSLCerts } from "./contract.ts";
import type { PrivateKeys } from "./keys.ts";
import { SSLCertConfigSchema } from "./proto/shapes_pb.ts";
import type { SSLCertRow, SSLCertStore } from "./store.ts";

/** Implements the contract on top of the store. */
export function certificatesContract(store: SSLCertStore, keys: PrivateKeys): SSLCerts {
  return {
    take: (call, references, taker) => store.take(call, references, taker),
    async configs(call, ids) {
      const rows = await store.byIds.all(call, { ids: [...ids] });
      const configs = rows.map(async (row) => [row.id, await completeConfig(call, store, keys, row)] as const);
      return new Map(await Promise.all(configs));
    },
  };
}

/** Returns a certificate with its contents, as a JSON object; without the key for users to whom it does not belong. */
export async function completeConfig(
  call: Call,
  store: SSLCertStore,
  keys: PrivateKeys | undefined,
  row: SSLCertRow,
): Promise<Uint8Array> {
  const files = await store.filesOf.first(call, { ids: [row.id] });
  const visibleKeys = mayAccessOwner(call.caller, row.userId) ? keys : undefined;
  const contents = files && {
    certData: files.certData,
    ...(visibleKeys && { keyData: await visibleKeys.open(row.fingerprint, files.sealedKey) }),
  };
  return jsonBytes(SSLCertConfigSchema, { ...summaryConfig(row), ...contents });
}

/** Returns a certificate without its contents. */
export function summaryConfig(row: SSLCertRow): MessageInitShape<typeof SSLCertConfigSchema> {
  const { id, name, description, serverName, timeBeginAt, timeEndAt, fingerprint } = row;
  return {
    id,
    isOn: row.isOn === 1n,
    name,
    description,
    serverName,
    isCA: row.isCA === 1n,
    timeBeginAt,
    timeEndAt,
    dnsNames: JSON.parse(row.dnsNames) as string[],
    commonNames: JSON.parse(row.commonNames) as string[],
    fingerprint,
  };
}
