import { type Call, choiceField, distinct, type Handlers, idField, invalid, pageOf } from "edgehelm";
import type { Sealer } from "edgehelm/auth";
import type { NSDomains, NSDomainSummary } from "../ns_domain/contract.ts";
import type { NSNodes } from "../ns_node/contract.ts";
import { errors } from "./errors.ts";
import { algorithmField, keyNameField, newSecret, SECRET_TYPES, secretField } from "./rules.ts";
import type { NSKeyService } from "./proto/service_ns_key_pb.ts";
import type { NSKeyRow, NSKeyStore } from "./store.ts";

/** The dependencies of the handlers. */
export interface Deps {
  readonly keys: NSKeyStore;
  readonly secrets: Sealer;
  readonly domains: NSDomains;
  readonly nodes: NSNodes | undefined;
}

/** Implements every operation of the service. */
export function nsKeyHandlers({ keys, secrets, domains, nodes }: Deps): Handlers<typeof NSKeyService> {
  async function requireUnusedName(call: Call, nsDomainId: bigint, name: string, exceptId = 0n): Promise<void> {
    const other = await keys.byName.first(call, { nsDomainId, name });
    if (other !== undefined && other.id !== exceptId) throw errors.name_taken(name);
  }

  async function seal(secret: string) {
    const secretPlace = crypto.randomUUID();
    return { secret: await secrets.seal(secret, place(secretPlace)), secretPlace };
  }

  async function keyMessage(row: NSKeyRow, domain: Partial<NSDomainSummary> & { readonly id: bigint }) {
    const isDeleted = row.state === 0n;
    return {
      id: row.id,
      isOn: row.isOn === 1n,
      name: row.name,
      algo: row.algo,
      secret: isDeleted ? "" : await secrets.open(row.secret, place(row.secretPlace)),
      secretType: row.secretType,
      isDeleted,
      version: row.version,
      nsDomain: { id: domain.id, name: domain.name ?? "", isOn: domain.isOn ?? false },
    };
  }

  return {
    async createNSKey(request, call) {
      if (request.nsZoneId !== 0n) throw invalid("nsZoneId", `zone ${request.nsZoneId} does not exist`);
      const name = keyNameField("name", request.name);
      const algo = algorithmField("algo", request.algo);
      const secretType = choiceField("secretType", request.secretType || "base64", SECRET_TYPES);
      const secret = request.secret === "" ? newSecret(algo, secretType) : request.secret;
      const sealed = await seal(secretField("secret", secret, secretType));
      const nsKeyId = await call.transact(async (inner) => {
        const domain = await domains.requireDomain(inner, idField("nsDomainId", request.nsDomainId));
        await requireUnusedName(inner, domain.id, name);
        const domainIds = { nsDomainId: domain.id, nsClusterId: domain.nsClusterId };
        return await keys.create(inner, { ...domainIds, ...sealed, name, algo, secretType });
      });
      return { nsKeyId };
    },

    async updateNSKey(request, call) {
      const stored = await keys.require(call, "nsKeyId", request.nsKeyId);
      const name = keyNameField("name", request.name);
      const algo = algorithmField("algo", request.algo);
      const secretType = choiceField("secretType", request.secretType || stored.secretType, SECRET_TYPES);
      // An unchanged secret must be valid for the new type, too.
      const secret = request.secret || await secrets.open(stored.secret, place(stored.secretPlace));
      const sealed = await seal(secretField("secret", secret, secretType));
      await call.transact(async (inner) => {
        const row = await keys.require(inner, "nsKeyId", request.nsKeyId);
        if (row.secret !== stored.secret) throw errors.changed(row.id);
        await requireUnusedName(inner, row.nsDomainId, name, row.id);
        await keys.change(inner, row, { ...sealed, name, algo, secretType, isOn: request.isOn ? 1n : 0n });
      });
      return {};
    },

    async deleteNSKey({ nsKeyId }, call) {
      const { id } = await keys.require(call, "nsKeyId", nsKeyId);
      await keys.softDelete(call, [id]);
      return {};
    },

    async findNSKey({ nsKeyId }, call) {
      const row = await keys.byId.first(call, { id: nsKeyId });
      const domain = row && (await domains.summaries(call, [row.nsDomainId])).get(row.nsDomainId);
      return domain === undefined ? {} : { nsKey: await keyMessage(row!, domain) };
    },

    async countAllNSKeys({ nsDomainId, nsZoneId }, call) {
      return nsZoneId === 0n ? await keys.count.one(call, { nsDomainId }) : { count: 0n };
    },

    async listNSKeys(request, call) {
      const page = pageOf(request);
      const domain = (await domains.summaries(call, [request.nsDomainId])).get(request.nsDomainId);
      if (domain === undefined || request.nsZoneId !== 0n) return {};
      const rows = await keys.page.all(call, { ...page, nsDomainId: domain.id });
      return { nsKeys: await Promise.all(rows.map((row) => keyMessage(row, domain))) };
    },

    async listNSKeysAfterVersion({ version, size }, call) {
      if (version < 0n) throw invalid("version", `must not be negative, got ${version}`);
      const page = pageOf({ size }, { defaultSize: 2000n, maxSize: 10_000n });
      const scope = await nodes?.followedCluster(call) ?? 0n;
      const rows = await keys.feed.after(call, { scope, version, size: page.size });
      const served = await domains.served(call, distinct(rows.map((row) => row.nsDomainId)));
      const isServed = (row: NSKeyRow) => served.get(row.nsDomainId)?.nsClusterId === row.nsClusterId;
      const fed = rows.map((row) => isServed(row) ? row : { ...row, state: 0n, isOn: 0n });
      return { nsKeys: await Promise.all(fed.map((row) => keyMessage(row, { id: row.nsDomainId }))) };
    },
  };
}

function place(row: string) {
  return { table: "nsKeys", column: "secret", row };
}
