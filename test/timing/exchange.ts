import { as, type TestKernel, testKernel } from "edgehelm/testing";
import admin from "../../plugins/admin/plugin.ts";
import apiAccessToken from "../../plugins/api_access_token/plugin.ts";
import userAccessKey from "../../plugins/user_access_key/plugin.ts";
import { UserAccessKeyService } from "../../plugins/user_access_key/proto/service_user_access_key_pb.ts";

/** Above what any run counts, so that no attempt is refused or delayed. */
const UNLIMITED = 1_000_000_000;
const WRONG_SECRET = "0".repeat(32);
const UNKNOWN_ID = "0000000000000000";

/** An installation whose access keys are guessed. */
export interface Guessing extends AsyncDisposable {
  readonly edgehelm: TestKernel;
  /** Attempts an exchange with a wrong secret: for a known id (0) or an unknown one (1). */
  guess(action: 0 | 1): Promise<void>;
}

export async function openGuessing(): Promise<Guessing> {
  const limits = { loginFailures: UNLIMITED, loginFailuresPerAddress: UNLIMITED, loginFailuresTotal: UNLIMITED };
  const edgehelm = await testKernel({ plugins: [admin, apiAccessToken, userAccessKey], limits });
  const { createUserAccessKey } = UserAccessKeyService.method;
  const { uniqueId } = await edgehelm.call(as.admin(), createUserAccessKey, { adminId: 1n });
  const bodies = [uniqueId, UNKNOWN_ID].map((accessKeyId) =>
    JSON.stringify({ type: "admin", accessKeyId, accessKey: WRONG_SECRET })
  );
  return {
    edgehelm,
    async guess(action) {
      const url = "http://edgehelm.test/APIAccessTokenService/getAPIAccessToken";
      const response = await edgehelm.fetch(new Request(url, { method: "POST", body: bodies[action]! }));
      const { code } = await response.json();
      if (code !== 401) throw new Error(`the exchange ended with the code ${code} instead of 401`);
    },
    [Symbol.asyncDispose]: () => edgehelm[Symbol.asyncDispose](),
  };
}

/** Runs an action and returns its duration in microseconds. */
export async function durationOf(action: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await action();
  return (performance.now() - startedAt) * 1000;
}

/** Keeps the processor busy for a number of microseconds. */
export function spin(microseconds: number): void {
  const until = performance.now() + microseconds / 1000;
  while (performance.now() < until);
}
