import type { DescMethod, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { jsonCodec } from "../protobuf/json/codec.ts";
import { postJson } from "./post_json.ts";
import type { RequestContext } from "./request.ts";

/**
 * Makes one attempt of a unary call over the HTTP JSON API.
 *
 * @throws ApiError, or the reason of the signal if it aborts
 */
export async function callHttpJson<Method extends DescMethod>(
  method: Method,
  request: MessageInitShape<Method["input"]>,
  context: RequestContext,
): Promise<MessageShape<Method["output"]>> {
  const name = method.name.charAt(0).toLowerCase() + method.name.slice(1);
  const data = await postJson(`/${method.parent.name}/${name}`, jsonCodec(method.input).encode(request), context);
  return jsonCodec(method.output).decode(data ?? {}) as MessageShape<Method["output"]>;
}
