import { readJson, writeJson } from "../../../parts/json_bytes.ts";
import { callPath } from "../../../shell/call.ts";

export const CREATE = "OrderMethodService/createOrderMethod";
export const UPDATE = "OrderMethodService/updateOrderMethod";
export const REMOVE = "OrderMethodService/deleteOrderMethod";

/** The code of the provider that every installation can have. */
export const WEBHOOK = "webhook";

/** A way in which users can pay. Its secret is copied and never shown. */
export interface Method {
  readonly id: bigint;
  readonly name: string;
  readonly code: string;
  readonly description: string;
  readonly url: string;
  readonly secret: string;
  readonly isOn: boolean;
  readonly parentCode: string;
  readonly params: Uint8Array;
  readonly clientType: string;
  readonly qrcodeTitle: string;
}

/** The values of the form of a method. */
export interface MethodDraft {
  readonly name: string;
  readonly code: string;
  readonly description: string;
  readonly url: string;
  readonly isOn: boolean;
  readonly parentCode: string;
  readonly refundURL: string;
  readonly clientType: string;
  readonly qrcodeTitle: string;
}

interface Params {
  readonly refundURL?: string;
}

export async function listMethods(signal?: AbortSignal): Promise<readonly Method[]> {
  const { orderMethods } = await callPath("OrderMethodService/findAllEnabledOrderMethods", {}, signal);
  return orderMethods as readonly Method[];
}

export async function findMethod(id: bigint, signal?: AbortSignal): Promise<Method | undefined> {
  const { orderMethod } = await callPath("OrderMethodService/findEnabledOrderMethod", { orderMethodId: id }, signal);
  return orderMethod as Method | undefined;
}

export function draftOf(method: Method | undefined): MethodDraft {
  return {
    name: method?.name ?? "",
    code: method?.code ?? "",
    description: method?.description ?? "",
    url: method?.url ?? "",
    isOn: method?.isOn ?? true,
    parentCode: method?.parentCode ?? "",
    refundURL: readJson<Params>(method?.params)?.refundURL ?? "",
    clientType: method?.clientType ?? "",
    qrcodeTitle: method?.qrcodeTitle ?? "",
  };
}

/** Creates a method, or changes one; parameters that the form does not show stay as they are. Returns the id. */
export async function saveMethod(method: Method | undefined, draft: MethodDraft): Promise<bigint> {
  const { isOn, refundURL, ...fields } = draft;
  const stored = readJson<Params>(method?.params) ?? {};
  const isSame = (stored.refundURL ?? "") === refundURL.trim();
  const paramsJSON = isSame ? new Uint8Array() : writeJson({ ...stored, refundURL: refundURL.trim() });
  if (method === undefined) return (await callPath(CREATE, { ...fields, paramsJSON }))["orderMethodId"] as bigint;
  await callPath(UPDATE, { ...fields, paramsJSON, orderMethodId: method.id, isOn });
  return method.id;
}
