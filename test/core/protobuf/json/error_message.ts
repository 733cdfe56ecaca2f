import { RpcError } from "../../../../core/base/errors.ts";

/** Returns the message of the `invalid` error that `work` throws. Any other outcome fails the test. */
export function errorMessage(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof RpcError && error.kind === "invalid") return error.message;
    throw error;
  }
  throw new Error("expected an error, but the input was accepted");
}
