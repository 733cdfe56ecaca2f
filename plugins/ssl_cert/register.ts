import { type Call, type Clock, invalid, listField, ownerOf, textField, unixSeconds } from "edgehelm";
import type { Users } from "../user/contract.ts";
import type { SSLCertListener } from "./contract.ts";
import { derive, type Derived } from "./derived.ts";
import { errors } from "./errors.ts";
import type { PrivateKeys } from "./keys.ts";
import { checkPrivateKey } from "./private_key.ts";
import type { SSLCertFields, SSLCertFiles, SSLCertRow, SSLCertStore } from "./store.ts";

/** The most bytes of a certificate with its chain, and of a key; the key of 8192 bits has less than half. */
const MAX_BYTES = { certData: 262_144, keyData: 16_384 } as const;
const MAX_AT_ONCE = 100;

/** What a request says of a certificate; the rest is read from the certificate. */
interface Given {
  readonly isOn: boolean;
  readonly name: string;
  readonly description: string;
  readonly serverName: string;
  readonly isCA: boolean;
  readonly certData: Uint8Array;
  readonly keyData: Uint8Array;
}

type Contents = Pick<SSLCertFiles, "certData" | "sealedKey">;

/** Keeps certificates: what takes time is done before the transaction begins. */
export class SSLCertRegister {
  readonly #store: SSLCertStore;
  readonly #keys: PrivateKeys;
  readonly #users: Users | undefined;
  readonly #listeners: readonly SSLCertListener[];
  readonly #clock: Clock;

  constructor(
    store: SSLCertStore,
    keys: PrivateKeys,
    users: Users | undefined,
    listeners: readonly SSLCertListener[],
    clock: Clock,
  ) {
    this.#store = store;
    this.#keys = keys;
    this.#users = users;
    this.#listeners = listeners;
    this.#clock = clock;
  }

  /** Keeps new certificates, all or none. `path` stands before the names of fields in errors. */
  async create(call: Call, userId: bigint, wanted: readonly (Given & { readonly path: string })[]): Promise<bigint[]> {
    const owner = ownerOf(call, userId);
    if (owner < 0n) throw invalid("userId", `must not be negative, got ${owner}`);
    listField("SSLCerts", wanted, () => {}, { max: MAX_AT_ONCE });
    const made: { fields: SSLCertFields; contents: Contents }[] = [];
    for (const { path, ...given } of wanted) {
      const { derived, contents } = await this.#contents(path, given);
      const [firstName = "certificate"] = JSON.parse(derived.dnsNames) as string[];
      made.push({ fields: this.#fields(path, { ...given, name: given.name || firstName }, derived), contents });
    }
    return await call.transact(async (inner) => {
      if (owner !== 0n) await this.#users?.requireUser(inner, "userId", owner);
      const ids: bigint[] = [];
      for (const { fields, contents } of made) {
        const { id } = await this.#store.insert.one(inner, { userId: owner, createdAt: fields.updatedAt, ...fields });
        await this.#put(inner, id, fields, contents);
        ids.push(id);
      }
      return ids;
    });
  }

  /** Changes a certificate; without contents these stay, with contents alone the rest does. */
  async update(call: Call, id: bigint, given: Given): Promise<void> {
    const row = await this.#store.require(call, "sslCertId", id);
    const files = (await this.#store.filesOf.first(call, { ids: [id] }))!;
    const described = describe(given, row);
    const next = given.certData.length === 0 && given.keyData.length === 0
      ? unchanged(described, row, files)
      : await this.#renewed(described, row, files);
    await call.transact(async (inner) => {
      const now = await this.#store.byId.first(inner, { id });
      const stored = await this.#store.filesOf.first(inner, { ids: [id] });
      if (now === undefined) throw errors.not_found(id);
      const isSame = now.fingerprint === row.fingerprint && stored?.sealedKey === files.sealedKey;
      if (!isSame) throw errors.changed_meanwhile(id);
      const fields = this.#fields("", describe(given, now), next.derived);
      await this.#store.update.run(inner, { id, ...fields });
      await this.#put(inner, id, fields, next.contents);
      for (const listener of this.#listeners) await listener.changed(inner, id);
    });
  }

  async remove(call: Call, ids: bigint[]): Promise<void> {
    await this.#store.remove.run(call, { ids });
    await this.#store.removeFiles.run(call, { ids });
    await this.#store.forgetNames.run(call, { ids });
  }

  /** What a change leaves out of certificate and key stays, and must go with the rest. */
  async #renewed(
    given: Given,
    { fingerprint }: SSLCertRow,
    files: SSLCertFiles,
  ): Promise<{ derived: Derived; contents: Contents }> {
    const certData = given.certData.length === 0 ? files.certData : given.certData;
    const keyData = given.keyData.length === 0 ? await this.#keys.open(fingerprint, files.sealedKey) : given.keyData;
    return await this.#contents("", { ...given, certData, keyData });
  }

  /** Checks certificate and key, and makes of them what is stored. */
  async #contents(path: string, { certData, keyData, isCA }: Given): Promise<{ derived: Derived; contents: Contents }> {
    for (const [field, { length }] of [["certData", certData], ["keyData", keyData]] as const) {
      const most = MAX_BYTES[field];
      if (length > most) throw invalid(`${path}${field}`, `must have at most ${most} bytes, got ${length}`);
    }
    const { first, derived } = await derive(`${path}certData`, certData);
    if (keyData.length > 0) await checkPrivateKey(`${path}keyData`, keyData, first);
    else if (!isCA) throw invalid(`${path}keyData`, "must not be empty");
    return { derived, contents: { certData, sealedKey: await this.#keys.seal(derived.fingerprint, keyData) } };
  }

  #fields(path: string, { isOn, name, description, serverName, isCA }: Given, derived: Derived): SSLCertFields {
    const { timeBeginAt, timeEndAt, dnsNames, commonNames, fingerprint } = derived;
    return {
      isOn,
      name: textField(`${path}name`, name),
      description: textField(`${path}description`, description, { max: 1000 }),
      serverName: textField(`${path}serverName`, serverName),
      isCA,
      timeBeginAt,
      timeEndAt,
      dnsNames,
      commonNames,
      fingerprint,
      updatedAt: unixSeconds(this.#clock),
    };
  }

  async #put(call: Call, sslCertId: bigint, { dnsNames }: SSLCertFields, contents: Contents): Promise<void> {
    const { certData, sealedKey } = contents;
    await this.#store.putFiles.run(call, { sslCertId, certData, sealedKey });
    await this.#store.forgetNames.run(call, { ids: [sslCertId] });
    await this.#store.putNames.run(call, { sslCertId, names: JSON.parse(dnsNames) as string[] });
  }
}

/** The contents that a certificate has already. */
function unchanged({ isCA }: Given, derived: Derived, contents: Contents): { derived: Derived; contents: Contents } {
  if (!isCA && contents.sealedKey === "") throw invalid("keyData", "must not be empty");
  return { derived, contents };
}

/** What a change makes of a certificate's description: contents that come alone leave it. */
function describe(given: Given, { isOn, name, description, serverName, isCA }: SSLCertRow): Given {
  if (given.certData.length === 0 || saysAnything(given)) return { ...given, name: given.name || name };
  return { ...given, isOn: isOn === 1n, name, description, serverName, isCA: isCA === 1n };
}

/** Whether a request says anything of a certificate besides its contents. */
function saysAnything({ isOn, name, description, serverName, isCA }: Given): boolean {
  return isOn || isCA || name !== "" || description !== "" || serverName !== "";
}
