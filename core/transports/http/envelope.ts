import { ERROR_CODES, type RpcError } from "../../base/errors.ts";

/** The success envelope around the JSON text of an answer, keys in the order that clients know. */
export function successEnvelope(data: string): string {
  return `{"code":200,"data":${data},"message":"ok"}`;
}

/** The failure envelope: the code of the error's kind, its text for people and its reason for programs. */
export function failureEnvelope(error: RpcError, requestId: string): string {
  const { envelope } = ERROR_CODES[error.kind];
  return `{"code":${envelope},"data":{},"message":${JSON.stringify(error.message)},` +
    `"reason":${JSON.stringify(error.reason)},"requestId":${JSON.stringify(requestId)}}`;
}

/** The same JSON, indented for a person. */
export function indented(json: string): string {
  return `${JSON.stringify(JSON.parse(json), undefined, 2)}\n`;
}
