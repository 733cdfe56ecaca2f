import { RpcError } from "../base/errors.ts";

/** Returns the error for work that holds the writer without using it. */
export function stalledWrite(milliseconds: number): RpcError {
  return new RpcError(
    "kernel.deadline",
    "deadline",
    `the transaction was rolled back: its handler ran no statement for ${milliseconds} ms, while other writes waited`,
  );
}
