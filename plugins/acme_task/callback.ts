import type { Call } from "edgehelm";
import { ACMEError } from "../acme_provider/contract/acme_error.ts";
import type { Proof } from "./proofs.ts";

const TIMEOUT_MILLISECONDS = 10_000;
const MAX_BYTES = 4096;

/** Sends responses to the address of a task, which may respond to challenges itself. */
export async function callbackOf(call: Call, url: string, proofs: readonly Proof[]): Promise<void> {
  for (const { name: domain, token, key } of proofs) {
    let response: Response;
    try {
      response = await call.fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ domain, token, key }),
        redirect: "error",
        timeoutMilliseconds: TIMEOUT_MILLISECONDS,
        maxBytes: MAX_BYTES,
      });
    } catch (error) {
      if (call.signal.aborted) throw error;
      throw new ACMEError(`authURL cannot be reached: ${error instanceof Error ? error.message : ""}`);
    }
    await response.body?.cancel();
    if (!response.ok) throw new ACMEError(`authURL returned status ${response.status}`);
  }
}
