import { type Call, distinct } from "edgehelm";
import type { ACMEUsers } from "../acme_user/contract.ts";
import type { SSLCerts } from "../ssl_cert/contract.ts";
import type { OrderStore } from "./store_orders.ts";
import type { LogRow, TaskRow } from "./store_tables.ts";

export interface MessageDeps {
  readonly orders: OrderStore;
  readonly acmeUsers: ACMEUsers;
  readonly certificates: SSLCerts;
}

/** Returns tasks with their ACME users, certificates and last results. */
export async function taskMessages(
  call: Call,
  { orders, acmeUsers, certificates }: MessageDeps,
  rows: readonly TaskRow[],
) {
  const ids = rows.map(({ id }) => id);
  const certIds = distinct(rows.map(({ sslCertId }) => sslCertId)).filter((id) => id !== 0n);
  const [userOf, certOf, logs, open] = await Promise.all([
    acmeUsers.nested(call, distinct(rows.map(({ acmeUserId }) => acmeUserId))),
    certificates.issued(call, certIds),
    ids.length === 0 ? [] : orders.latestLogs.all(call, { acmeTaskIds: ids }),
    ids.length === 0 ? [] : orders.openOf.all(call, { acmeTaskIds: ids }),
  ]);
  const logOf = new Map(logs.map((log) => [log.acmeTaskId, logMessage(log)]));
  const stepOf = new Map(open.map(({ acmeTaskId, step }) => [acmeTaskId, step]));
  return rows.map((row) => {
    const [acmeUser, sslCert, latest] = [userOf.get(row.acmeUserId), certOf.get(row.sslCertId), logOf.get(row.id)];
    return {
      id: row.id,
      isOn: row.isOn === 1n,
      dnsDomain: row.dnsDomain,
      domains: JSON.parse(row.domains) as string[],
      createdAt: row.createdAt,
      autoRenew: row.autoRenew === 1n,
      authType: row.authType,
      authURL: row.authURL,
      ...(acmeUser && { acmeUser }),
      ...(sslCert && { sslCert }),
      ...(latest && { latestACMETaskLog: latest }),
      step: stepOf.get(row.id) ?? "",
      nextAt: row.dueAt,
      countFailures: row.failures,
    };
  });
}

export function logMessage({ id, isOk, error, createdAt }: LogRow) {
  return { id, isOk: isOk === 1n, error, createdAt };
}
