import { type Call, type Handlers, invalid, jsonBytes, listField, numberField, ownerOf, textField } from "edgehelm";
import { durationJSON, orUnchanged } from "edgehelm/fields";
import { OriginConfigSchema } from "edgehelm/proto/shapes/origin_pb.js";
import type { SSLCerts } from "../ssl_cert/contract.ts";
import type { OriginListener } from "./contract.ts";
import { originConfig, originMessage } from "./origins.ts";
import type { UserQuotas } from "../user_quota/contract.ts";
import type { AddressPolicy } from "./address_policy.ts";
import { type Address, addressField, certRefJSON, domainField, storageJSON } from "./rules.ts";
import type { CreateOriginRequest, OriginService } from "./proto/service_origin_pb.ts";
import { ORIGINS } from "./quota.ts";
import type { Storages } from "./storages.ts";
import type { OriginFields, OriginRow, OriginStore } from "./store.ts";

const TIMEOUTS = ["connTimeoutJSON", "readTimeoutJSON", "idleTimeoutJSON"] as const;
type JsonFields = Pick<OriginRow, (typeof TIMEOUTS)[number] | "certRefJSON"> & { readonly ossJSON: Uint8Array };

const EMPTY = new Uint8Array();
const NO_JSON: JsonFields = {
  connTimeoutJSON: EMPTY,
  readTimeoutJSON: EMPTY,
  idleTimeoutJSON: EMPTY,
  certRefJSON: EMPTY,
  ossJSON: EMPTY,
};

const NULL_JSON = new TextEncoder().encode("null");

export function originHandlers(
  origins: OriginStore,
  storages: Storages,
  certificates: SSLCerts | undefined,
  policy: AddressPolicy,
  quotas: UserQuotas | undefined,
  listeners: readonly OriginListener[],
): Handlers<typeof OriginService> {
  async function notifyListeners(call: Call, id: bigint): Promise<void> {
    for (const listener of listeners) await listener.changed(call, [id]);
  }

  async function setStorage(call: Call, id: bigint, ossJSON: Uint8Array): Promise<void> {
    if (ossJSON.length > 0) await origins.setStorage.run(call, { id, sealedOSS: await storages.seal(id, ossJSON) });
  }

  /** Validates a request; empty JSON fields keep their current value. */
  async function fieldsOf(
    call: Call,
    request: Omit<CreateOriginRequest, "$typeName">,
    userId: bigint,
    current: JsonFields & Partial<Address>,
  ): Promise<{ fields: OriginFields; ossJSON: Uint8Array }> {
    for (const timeout of TIMEOUTS) durationJSON(timeout, request[timeout]);
    const requestedRef = certRefJSON("certRefJSON", request.certRefJSON);
    if (requestedRef !== undefined && requestedRef.certId !== 0n) {
      const field = "certRefJSON.certId";
      if (certificates === undefined) throw invalid(field, `certificate ${requestedRef.certId} does not exist`);
      await certificates.take(call, [{ field, id: requestedRef.certId }], { userId });
    }
    const certRef = orUnchanged(request.certRefJSON, current.certRefJSON);
    const ossJSON = orUnchanged(request.ossJSON, current.ossJSON);
    const storage = storageJSON("ossJSON", ossJSON);
    const hasStorage = (storage?.type ?? "") !== "";
    const address = addressField("addr", request.addr, hasStorage);
    policy.requireAddress(call, "addr", address, current);
    if (request.ossJSON.length > 0) policy.requireStorage(call, "ossJSON", storage);
    const fields = {
      isOn: request.isOn,
      name: textField("name", request.name),
      ...address,
      description: textField("description", request.description, { max: 1000 }),
      weight: numberField("weight", request.weight),
      connTimeoutJSON: orUnchanged(request.connTimeoutJSON, current.connTimeoutJSON),
      readTimeoutJSON: orUnchanged(request.readTimeoutJSON, current.readTimeoutJSON),
      idleTimeoutJSON: orUnchanged(request.idleTimeoutJSON, current.idleTimeoutJSON),
      maxConns: numberField("maxConns", request.maxConns),
      maxIdleConns: numberField("maxIdleConns", request.maxIdleConns),
      domains: JSON.stringify(listField("domains", request.domains, domainField)),
      certRefJSON: certRef,
      sslCertId: certRefJSON("certRefJSON", certRef)?.certId ?? 0n,
      requestHost: textField("host", request.host),
      followPort: request.followPort,
      http2Enabled: request.http2Enabled,
    };
    return { fields, ossJSON };
  }

  return {
    async createOrigin(request, call) {
      const userId = ownerOf(call, 0n);
      const { fields, ossJSON } = await fieldsOf(call, request, userId, NO_JSON);
      await quotas?.require(
        call,
        ORIGINS,
        userId,
        1,
        async () => (await origins.countOfUser.one(call, { userId })).count,
      );
      const { id } = await origins.insert.one(call, { userId, ...fields });
      await setStorage(call, id, ossJSON);
      return { originId: id };
    },

    async updateOrigin(request, call) {
      const row = await origins.require(call, "originId", request.originId);
      const { fields, ossJSON } = await fieldsOf(call, request, row.userId, {
        ...row,
        ossJSON: await storages.open(row),
      });
      await origins.update.run(call, { id: row.id, ...fields });
      await setStorage(call, row.id, ossJSON);
      await notifyListeners(call, row.id);
      return {};
    },

    async updateOriginIsOn({ originId, isOn }, call) {
      const { id } = await origins.require(call, "originId", originId);
      await origins.setIsOn.run(call, { id, isOn });
      await notifyListeners(call, id);
      return {};
    },

    async findEnabledOrigin({ originId }, call) {
      const row = await origins.find(call, originId);
      return row === undefined ? {} : { Origin: await originMessage(call, row, storages) };
    },

    async findEnabledOriginConfig({ originId }, call) {
      const row = await origins.find(call, originId);
      return row === undefined
        ? { originJSON: NULL_JSON }
        : { originJSON: jsonBytes(OriginConfigSchema, await originConfig(call, row, storages)) };
    },
  };
}
