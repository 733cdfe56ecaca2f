import { type Call, type Clock, invalid, listField, ownerOf, textField, unixSeconds } from "edgehelm";
import type { Users } from "../user/contract.ts";
import type { UserQuotas } from "../user_quota/contract.ts";
import type { Derived, IssuedCert, PreparedCert, SSLCertListener } from "./contract.ts";
import { derive } from "./derived.ts";
import { errors } from "./errors.ts";
import type { PrivateKeys } from "./keys.ts";
import { CERTIFICATES } from "./quota.ts";
import { checkPrivateKey } from "./x509/private_key.ts";
import type { SSLCertFields, SSLCertFiles, SSLCertRow, SSLCertStore } from "./store.ts";

/** The size limits of a certificate with its chain, and of a key; an 8192-bit key has less than half. */
const MAX_BYTES = { certData: 262_144, keyData: 16_384 } as const;
const MAX_AT_ONCE = 100;

/** The fields of a request; all others are read from the certificate. */
interface CertRequest {
  readonly isOn: boolean;
  readonly name: string;
  readonly description: string;
  readonly serverName: string;
  readonly isCA: boolean;
  readonly certData: Uint8Array;
  readonly keyData: Uint8Array;
}

type Contents = Pick<SSLCertFiles, "certData" | "sealedKey">;

/** The dependencies of the registry. */
export interface RegistryDeps {
  readonly store: SSLCertStore;
  readonly keys: PrivateKeys;
  readonly users: Users | undefined;
  readonly quotas: UserQuotas | undefined;
  readonly listeners: readonly SSLCertListener[];
  readonly clock: Clock;
}

/** Creates, changes and deletes certificates. Slow checks run before the transaction begins. */
export class SSLCertRegistry {
  readonly #deps: RegistryDeps;

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
  }

  /** Creates certificates, all or none. `path` is the prefix of field names in errors. */
  async create(
    call: Call,
    userId: bigint,
    requests: readonly (CertRequest & { readonly path: string })[],
  ): Promise<bigint[]> {
    const owner = ownerOf(call, userId);
    if (owner < 0n) throw invalid("userId", `must not be negative, got ${owner}`);
    listField("SSLCerts", requests, () => {}, { max: MAX_AT_ONCE });
    const prepared: { fields: SSLCertFields; contents: Contents }[] = [];
    for (const { path, ...request } of requests) {
      const { derived, contents } = await this.#contents(path, request);
      const [firstName = "certificate"] = JSON.parse(derived.dnsNames) as string[];
      prepared.push({ fields: this.#fields(path, { ...request, name: request.name || firstName }, derived), contents });
    }
    return await call.transact(async (inner) => {
      await this.#deps.quotas?.require(
        inner,
        CERTIFICATES,
        owner,
        prepared.length,
        async () => (await this.#deps.store.countOfUser.one(inner, { userId: owner })).count,
      );
      if (owner !== 0n) await this.#deps.users?.requireUser(inner, "userId", owner);
      const ids: bigint[] = [];
      for (const { fields, contents } of prepared) {
        const { id } = await this.#deps.store.insert.one(inner, {
          userId: owner,
          createdAt: fields.updatedAt,
          ...fields,
        });
        await this.#putContents(inner, id, fields, contents);
        ids.push(id);
      }
      return ids;
    });
  }

  /** Changes a certificate. Empty contents are kept. If only `certData` or both contents are set, the rest is kept too. */
  async update(call: Call, id: bigint, request: CertRequest): Promise<void> {
    const row = await this.#deps.store.require(call, "sslCertId", id);
    const files = (await this.#deps.store.filesOf.first(call, { ids: [id] }))!;
    const merged = mergeDescription(request, row);
    const next = request.certData.length === 0 && request.keyData.length === 0
      ? unchanged(merged, row, files)
      : await this.#renewed(merged, row, files);
    await call.transact(async (inner) => {
      const current = await this.#deps.store.byId.first(inner, { id });
      const stored = await this.#deps.store.filesOf.first(inner, { ids: [id] });
      if (current === undefined) throw errors.not_found(id);
      const isSame = current.fingerprint === row.fingerprint && stored?.sealedKey === files.sealedKey;
      if (!isSame) throw errors.changed_meanwhile(id);
      const fields = this.#fields("", mergeDescription(request, current), next.derived);
      await this.#deps.store.update.run(inner, { id, ...fields });
      await this.#putContents(inner, id, fields, next.contents);
      for (const listener of this.#deps.listeners) await listener.changed(inner, id);
    });
  }

  /** Checks a certificate and its key before a transaction stores them. */
  async prepare(certData: Uint8Array, keyData: Uint8Array): Promise<PreparedCert> {
    return await this.#contents("", { certData, keyData, isCA: false });
  }

  /** Stores a certificate of an ACME provider, in place of the one with the id if its owner still has it. */
  async putIssued(call: Call, { prepared, sslCertId, userId, acmeTaskId }: IssuedCert): Promise<bigint> {
    const { derived, contents } = prepared;
    const current = sslCertId === 0n ? undefined : await this.#deps.store.byId.first(call, { id: sslCertId });
    const [name = "certificate"] = JSON.parse(derived.dnsNames) as string[];
    const description = { isOn: true, name, description: "", serverName: "", isCA: false };
    const fields = this.#fields("", description, derived);
    if (current?.userId !== userId) {
      const created = { ...fields, userId, createdAt: fields.updatedAt, acmeTaskId };
      const { id } = await this.#deps.store.insertIssued.one(call, created);
      await this.#putContents(call, id, fields, contents);
      return id;
    }
    await this.#deps.store.updateIssued.run(call, { id: sslCertId, ...fields, acmeTaskId });
    await this.#putContents(call, sslCertId, fields, contents);
    for (const listener of this.#deps.listeners) await listener.changed(call, sslCertId);
    return sslCertId;
  }

  async turnOff(call: Call, id: bigint): Promise<void> {
    await this.#deps.store.turnOff.run(call, { id, updatedAt: unixSeconds(this.#deps.clock) });
    for (const listener of this.#deps.listeners) await listener.changed(call, id);
  }

  async remove(call: Call, ids: bigint[]): Promise<void> {
    await this.#deps.store.removeAll.run(call, { ids });
    await this.#deps.store.removeFiles.run(call, { ids });
    await this.#deps.store.deleteNames.run(call, { ids });
  }

  /** Combines new contents with the stored ones, which must match. */
  async #renewed(
    request: CertRequest,
    { fingerprint }: SSLCertRow,
    files: SSLCertFiles,
  ): Promise<{ derived: Derived; contents: Contents }> {
    const certData = request.certData.length === 0 ? files.certData : request.certData;
    const keyData = request.keyData.length === 0
      ? await this.#deps.keys.open(fingerprint, files.sealedKey)
      : request.keyData;
    return await this.#contents("", { ...request, certData, keyData });
  }

  /** Validates a certificate and its key and returns the columns to store. */
  async #contents(
    path: string,
    { certData, keyData, isCA }: Pick<CertRequest, "certData" | "keyData" | "isCA">,
  ): Promise<{ derived: Derived; contents: Contents }> {
    for (const [field, { length }] of [["certData", certData], ["keyData", keyData]] as const) {
      const max = MAX_BYTES[field];
      if (length > max) throw invalid(`${path}${field}`, `must have at most ${max} bytes, got ${length}`);
    }
    const { first, derived } = await derive(`${path}certData`, certData);
    if (keyData.length > 0) await checkPrivateKey(`${path}keyData`, keyData, first);
    else if (!isCA) throw invalid(`${path}keyData`, "must not be empty");
    return { derived, contents: { certData, sealedKey: await this.#deps.keys.seal(derived.fingerprint, keyData) } };
  }

  #fields(
    path: string,
    { isOn, name, description, serverName, isCA }: Omit<CertRequest, "certData" | "keyData">,
    derived: Derived,
  ): SSLCertFields {
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
      updatedAt: unixSeconds(this.#deps.clock),
    };
  }

  async #putContents(call: Call, sslCertId: bigint, { dnsNames }: SSLCertFields, contents: Contents): Promise<void> {
    const { certData, sealedKey } = contents;
    await this.#deps.store.putFiles.run(call, { sslCertId, certData, sealedKey });
    await this.#deps.store.deleteNames.run(call, { ids: [sslCertId] });
    await this.#deps.store.putNames.run(call, { sslCertId, names: JSON.parse(dnsNames) as string[] });
  }
}

/** Returns the stored contents of a certificate. */
function unchanged(
  { isCA }: CertRequest,
  derived: Derived,
  contents: Contents,
): { derived: Derived; contents: Contents } {
  if (!isCA && contents.sealedKey === "") throw invalid("keyData", "must not be empty");
  return { derived, contents };
}

/** Combines a request with the stored description, which is kept if the request has certData and no description. */
function mergeDescription(
  request: CertRequest,
  { isOn, name, description, serverName, isCA }: SSLCertRow,
): CertRequest {
  if (request.certData.length === 0 || hasDescription(request)) return { ...request, name: request.name || name };
  return { ...request, isOn: isOn === 1n, name, description, serverName, isCA: isCA === 1n };
}

/** Returns true if a request sets any field besides the contents. */
function hasDescription({ isOn, name, description, serverName, isCA }: CertRequest): boolean {
  return isOn || isCA || name !== "" || description !== "" || serverName !== "";
}
