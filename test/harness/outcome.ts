import type { DescMethod, DescMethodUnary, JsonValue, MessageInitShape } from "@bufbuild/protobuf";
import { toJson } from "@bufbuild/protobuf";
import { CallError } from "./call_error.ts";
import type { TestKernel } from "./kernel.ts";
import { callOver, type Wire } from "./wire.ts";

/** The outcome of a call: a response if `code` is 200, otherwise a reason and a message. */
export interface Outcome {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly response: JsonValue;
}

/** Makes a call and returns its outcome. */
export async function outcomeOf(
  edgehelm: TestKernel,
  token: string | undefined,
  method: DescMethodUnary,
  request: MessageInitShape<DescMethodUnary["input"]>,
  wire: Wire = "http",
): Promise<Outcome> {
  try {
    const response = toJson(method.output, await callOver(wire, edgehelm, token, method, request));
    return { code: 200, reason: "", message: "", response };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const { code, reason, message } = error;
    return { code, reason, message, response: null };
  }
}

export function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}
