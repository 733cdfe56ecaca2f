import type { DescMethod, DescMethodUnary, JsonValue, MessageInitShape } from "@bufbuild/protobuf";
import { toJson } from "@bufbuild/protobuf";
import { CallFailure } from "./failure.ts";
import type { TestKernel } from "./kernel.ts";
import { callOver, type Wire } from "./wire.ts";

/** How a call ended; `code` 200 comes with the answer, every other with a reason and a message. */
export interface Outcome {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly answer: JsonValue;
}

/** Makes a call and tells how it ended. */
export async function outcomeOf(
  edgehelm: TestKernel,
  token: string | undefined,
  method: DescMethodUnary,
  request: MessageInitShape<DescMethodUnary["input"]>,
  wire: Wire = "http",
): Promise<Outcome> {
  try {
    const answer = toJson(method.output, await callOver(wire, edgehelm, token, method, request));
    return { code: 200, reason: "", message: "", answer };
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    const { code, reason, message } = error;
    return { code, reason, message, answer: null };
  }
}

export function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}
