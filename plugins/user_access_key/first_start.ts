import { type ChosenAccessKey, type FirstStartTask, invalid } from "edgehelm";
import type { Admins } from "../admin/contract.ts";
import type { KeyMaker, NewKey } from "./keys.ts";

const ID = /^[\w-]{8,64}$/;
const SECRET = /^[\x21-\x7e]{16,128}$/;

/** Makes the first admin, and the access key that lets its operator in. */
export function firstAdmin(admins: Admins, maker: KeyMaker): FirstStartTask {
  return {
    async run(call, chosen) {
      if (chosen !== undefined) checkChosen(chosen);
      const adminId = await admins.createWithoutPassword(call, "admin");
      const key = await maker.make(call, {
        owner: { adminId, userId: 0n },
        description: "first access key",
        chosen,
      });
      if (chosen !== undefined) return [`made the admin "admin" with the access key ${key.uniqueId} that you gave`];
      return ['made the admin "admin"; its access key is shown this once:', ...keyLines(key)];
    },
  };
}

/** An admin's key as lines for the operator, and how to use it. */
export function keyLines({ uniqueId, secret }: NewKey): string[] {
  const body = JSON.stringify({ type: "admin", accessKeyId: uniqueId, accessKey: secret });
  return [
    `  accessKeyId  ${uniqueId}`,
    `  accessKey    ${secret}`,
    "exchange it for an access token (8080 is the default HTTP port):",
    `  curl -d '${body}' http://127.0.0.1:8080/APIAccessTokenService/getAPIAccessToken`,
  ];
}

function checkChosen({ id, secret }: ChosenAccessKey): void {
  if (!ID.test(id)) throw invalid("EDGEHELM_ADMIN_ACCESS_KEY_ID", "must be 8 to 64 letters, digits, _ or -");
  if (!SECRET.test(secret)) throw invalid("EDGEHELM_ADMIN_ACCESS_KEY", "must be 16 to 128 visible ASCII characters");
}
