import type { Any } from "@bufbuild/protobuf/wkt";
import { encodeBase64 } from "../../protobuf/json/base64.ts";
import { ERROR_CODES, type RpcError } from "../../base/errors.ts";

/** Wraps the JSON of a response in the success envelope. Clients rely on the order of its keys. */
export function successEnvelope(data: string): string {
  return `{"code":200,"data":${data},"message":"ok"}`;
}

/** Creates the error envelope, with the code of the error's kind, its message for people and its reason for programs. */
export function errorEnvelope(error: RpcError, requestId: string): string {
  const { envelope } = ERROR_CODES[error.kind];
  const details = error.details.length === 0 ? "" : `,"details":${JSON.stringify(error.details.map(detailOf))}`;
  return `{"code":${envelope},"data":{},"message":${JSON.stringify(error.message)},` +
    `"reason":${JSON.stringify(error.reason)},"requestId":${JSON.stringify(requestId)}${details}}`;
}

/** Returns a detail in the form of Connect: the name of its type, and its bytes in base64. */
function detailOf({ typeUrl, value }: Any): { readonly type: string; readonly value: string } {
  return { type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1), value: encodeBase64(value) };
}

/** Indents JSON. */
export function indented(json: string): string {
  return `${JSON.stringify(JSON.parse(json), undefined, 2)}\n`;
}
