import { type Call, invalid } from "edgehelm";
import type { ACMEAccount, ACMEAuthorization } from "../acme_provider/contract/connections.ts";
import { dnsValue, keyAuthorization } from "../acme_provider/contract/keys.ts";
import { ACMEError } from "../acme_provider/contract/acme_error.ts";
import type { ACMEAuthentications } from "../acme_authentication/contract.ts";
import type { NSRecords } from "../ns_record/contract.ts";
import { recordName } from "./names.ts";
import type { Grounds } from "./ownership.ts";
import type { OrderRow, TaskRow } from "./store_tables.ts";

/** A short time, so that resolvers ask again soon. */
const TTL = 60;

/** A response to a challenge, as it is stored with its order. */
export interface Proof {
  readonly authorization: string;
  readonly challenge: string;
  readonly name: string;
  readonly token: string;
  readonly key: string;
  /** The domain with the TXT record; "0" if nodes respond. */
  readonly nsDomainId: string;
  readonly recordName: string;
  readonly value: string;
}

export interface ProofDeps {
  readonly records: NSRecords | undefined;
  readonly authentications: ACMEAuthentications | undefined;
}

/** Publishes responses to challenges, and removes them after the order. */
export class Proofs {
  readonly #deps: ProofDeps;

  constructor(deps: ProofDeps) {
    this.#deps = deps;
  }

  /** Returns the response to the challenge of an authorization that the task can respond to. */
  async answerOf(
    task: TaskRow,
    account: ACMEAccount,
    url: string,
    { name, challenges }: ACMEAuthorization,
    { domain }: Grounds,
  ): Promise<Proof> {
    const type = `${task.authType}-01`;
    const challenge = challenges.find((one) => one.type === type);
    if (challenge === undefined) throw new ACMEError(`the provider offers no ${type} for "${name}"`, "", 400);
    const { token } = challenge;
    if (!/^[A-Za-z0-9_-]{1,500}$/.test(token)) throw new ACMEError("the provider sent a malformed token", "", 400);
    const key = await keyAuthorization(account.key, token);
    return {
      authorization: url,
      challenge: challenge.url,
      name,
      token,
      key,
      nsDomainId: String(domain?.id ?? 0n),
      recordName: domain === undefined ? "" : recordName(name, domain.name),
      value: domain === undefined ? "" : await dnsValue(key),
    };
  }

  /** Publishes responses in the transaction of the call. */
  async publish(call: Call, task: TaskRow, proofs: readonly Proof[], { domain, sites }: Grounds): Promise<void> {
    if (domain !== undefined) return await this.#publishRecords(call, domain.id, proofs);
    for (const { name, token, key } of proofs) {
      const serverId = sites.get(name);
      if (serverId === undefined) throw invalid("domains", `no site of the owner has the name "${name}"`);
      await this.#deps.authentications?.publish(call, { token, key, serverId, acmeTaskId: task.id });
    }
  }

  async #publishRecords(call: Call, nsDomainId: bigint, proofs: readonly Proof[]): Promise<void> {
    const records = proofs.map((proof) => ({
      ...{ name: proof.recordName, type: "TXT", value: proof.value, ttl: TTL, isImplied: false },
      ...{ mxPriority: 0, srvPriority: 0, srvWeight: 0, srvPort: 0, caaFlag: 0, caaTag: "" },
    }));
    const merge = await this.#deps.records?.merge(call, nsDomainId, records, { replace: false });
    const first = merge?.errors[0];
    if (first !== undefined) throw invalid("dnsDomain", `the record ${records[first.index]?.name}: ${first.message}`);
  }

  /** Removes what an order published. */
  async remove(call: Call, { acmeTaskId, proofs }: OrderRow): Promise<void> {
    for (const { nsDomainId, recordName: name, value } of proofsOf(proofs)) {
      if (nsDomainId !== "0") {
        await this.#deps.records?.removeExact(call, BigInt(nsDomainId), { name, type: "TXT", value });
      }
    }
    await this.#deps.authentications?.removeOfTask(call, acmeTaskId);
  }
}

/** Returns the stored responses of an order. */
export function proofsOf(proofs: string): readonly Proof[] {
  return JSON.parse(proofs) as Proof[];
}
