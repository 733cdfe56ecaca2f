import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, jsonBytes, mayAccessOwner } from "edgehelm";
import type { SSLCerts } from "./contract.ts";
import type { PrivateKeys } from "./keys.ts";
import type { SSLCertRegistry } from "./registry.ts";
import { SSLCertConfigSchema } from "./proto/shapes_pb.ts";
import type { SSLCertRow, SSLCertStore } from "./store.ts";

/** Implements the contract on top of the store. */
export function certificatesContract(store: SSLCertStore, keys: PrivateKeys, registry: SSLCertRegistry): SSLCerts {
  return {
    take: (call, references, taker) => store.take(call, references, taker),
    async configs(call, ids) {
      const rows = await store.byIds.all(call, { ids: [...ids] });
      const configs = rows.map(async (row) => [row.id, await completeConfig(call, store, keys, row)] as const);
      return new Map(await Promise.all(configs));
    },
    prepare: (certData, keyData) => registry.prepare(certData, keyData),
    putIssued: (call, issued) => registry.putIssued(call, issued),
    turnOff: (call, id) => registry.turnOff(call, id),
    async issued(call, ids) {
      const rows = ids.length === 0 ? [] : await store.byIds.all(call, { ids: [...ids] });
      return new Map(rows.map((row) => [row.id, issuedMessage(row)]));
    },
    async certificateOf(call, id) {
      return (await store.filesOf.first(call, { ids: [id] }))?.certData;
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
    isACME: row.acmeTaskId !== 0n,
    fingerprint,
  };
}

/** Returns a certificate as messages of ACME tasks contain it. */
function issuedMessage({ acmeTaskId, isOn, isCA, dnsNames, commonNames, ...row }: SSLCertRow) {
  const { id, name, description, serverName, timeBeginAt, timeEndAt, createdAt, updatedAt } = row;
  return {
    ...{ id, name, description, serverName, timeBeginAt, timeEndAt, createdAt, updatedAt, acmeTaskId },
    isOn: isOn === 1n,
    isCA: isCA === 1n,
    isACME: acmeTaskId !== 0n,
    dnsNames: JSON.parse(dnsNames) as string[],
    commonNames: JSON.parse(commonNames) as string[],
  };
}
