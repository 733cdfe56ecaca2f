import { RpcError } from "../../../../core/base/errors.ts";

/** The message with which `work` refuses its input as invalid; anything else fails the test. */
export function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof RpcError && error.kind === "invalid") return error.message;
    throw error;
  }
  throw new Error("expected a refusal, but it was accepted");
}
