import { type Call, type Handlers, invalid, jsonField, type UseCheck } from "edgehelm";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import { newWebhookSecret } from "edgehelm/auth";
import { deleteRow } from "edgehelm/rows";
import type { PaymentProvider } from "./contract.ts";
import { errors } from "./errors.ts";
import { type MethodSecrets, opened, summary } from "./methods.ts";
import type { OrderMethodService } from "./proto/service_order_method_pb.ts";
import { codeField, providerField, textFields } from "./rules.ts";
import type { OrderMethodRow, OrderMethodStore } from "./store.ts";

/** The dependencies of the handlers. */
export interface Deps {
  readonly methods: OrderMethodStore;
  readonly secrets: MethodSecrets;
  readonly uses: readonly UseCheck[];
  readonly providers: readonly PaymentProvider[];
}

const MAX_PARAMS_BYTES = 10_000;
const NO_PARAMS = "{}";

export function orderMethodHandlers(
  { methods, secrets, uses, providers }: Deps,
): Handlers<typeof OrderMethodService> {
  /** Returns a method for the caller; its address, secret and parameters are for admins. */
  async function message(call: Call, row: OrderMethodRow) {
    if (call.caller.role === "user") return summary(row);
    const { secret, paramsJSON: params } = await opened(row, secrets);
    return { ...summary(row), url: row.url, secret, params };
  }

  async function messages(call: Call, isOn: boolean | undefined) {
    const rows = await methods.list.all(call, { isOn });
    return { orderMethods: await Promise.all(rows.map((row) => message(call, row))) };
  }

  return {
    async createOrderMethod(request, call) {
      const provider = providerField("parentCode", request.parentCode, providers);
      const params = paramsText("paramsJSON", request.paramsJSON, provider) ?? NO_PARAMS;
      const code = codeField("code", request.code);
      const sealedFor = crypto.randomUUID();
      const method = {
        ...textFields(request),
        ...{ code, sealedFor, parentCode: request.parentCode },
        secret: await secrets.secret.seal(sealedFor, newWebhookSecret()),
        params: await secrets.params.seal(sealedFor, params),
      };
      const created = await call.transact((inner) => methods.insert.first(inner, method));
      if (created === undefined) throw errors.exists(code);
      return { orderMethodId: created.id };
    },

    async updateOrderMethod(request, call) {
      jsonField("paramsJSON", request.paramsJSON, StructSchema);
      const { id, code, parentCode, sealedFor } = await methods.require(call, "orderMethodId", request.orderMethodId);
      if (request.code !== "" && request.code !== code) {
        throw invalid("code", `must be "${code}" or empty, as it never changes, got "${request.code.slice(0, 60)}"`);
      }
      const provider = providerField("parentCode", parentCode, providers);
      const text = paramsText("paramsJSON", request.paramsJSON, provider);
      const sealed = text === undefined ? undefined : await secrets.params.seal(sealedFor, text);
      const fields = { ...textFields(request), isOn: request.isOn };
      await call.transact(async (inner) => {
        const { params } = await methods.require(inner, "orderMethodId", id);
        await methods.update.run(inner, { id, ...fields, params: sealed ?? params });
      });
      return {};
    },

    deleteOrderMethod: deleteRow(methods, "orderMethodId", { uses, inUse: errors.in_use }),

    async findEnabledOrderMethod({ orderMethodId }, call) {
      const row = await methods.find(call, orderMethodId);
      return { orderMethod: row && await message(call, row) };
    },

    async findEnabledOrderMethodWithCode({ code }, call) {
      const row = await methods.withCode.first(call, { code });
      const isVisible = row !== undefined && (call.caller.role !== "user" || row.isOn === 1n);
      return { orderMethod: isVisible ? await message(call, row) : undefined };
    },

    findAllEnabledOrderMethods: (_request, call) => messages(call, undefined),
    findAllAvailableOrderMethods: (_request, call) => messages(call, true),
  };
}

/** Returns the text of parameters; undefined for empty bytes. */
function paramsText(field: string, json: Uint8Array, provider: PaymentProvider | undefined): string | undefined {
  if (json.length === 0) return undefined;
  if (json.length > MAX_PARAMS_BYTES) throw invalid(field, `must have at most ${MAX_PARAMS_BYTES} bytes`);
  provider?.checkParams(field, json);
  if (provider === undefined) jsonField(field, json, StructSchema);
  return new TextDecoder().decode(json);
}
