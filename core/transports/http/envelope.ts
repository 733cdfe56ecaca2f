import { ERROR_CODES, type RpcError } from "../../base/errors.ts";

/** Wraps the JSON of a response in the success envelope. Clients rely on the order of its keys. */
export function successEnvelope(data: string): string {
  return `{"code":200,"data":${data},"message":"ok"}`;
}

/** Creates the error envelope, with the code of the error's kind, its message for people and its reason for programs. */
export function errorEnvelope(error: RpcError, requestId: string): string {
  const { envelope } = ERROR_CODES[error.kind];
  return `{"code":${envelope},"data":{},"message":${JSON.stringify(error.message)},` +
    `"reason":${JSON.stringify(error.reason)},"requestId":${JSON.stringify(requestId)}}`;
}

/** Indents JSON. */
export function indented(json: string): string {
  return `${JSON.stringify(JSON.parse(json), undefined, 2)}\n`;
}
