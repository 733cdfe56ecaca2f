import { invalid } from "edgehelm";
import type { ChosenAccessKey, FirstStartTask } from "edgehelm/runtime";
import type { Admins } from "../admin/contract.ts";
import type { KeyFactory, NewKey } from "./keys.ts";

const ID = /^[\w-]{8,64}$/;
const SECRET = /^[\x21-\x7e]{16,128}$/;

/** Creates the first admin and its access key. */
export function firstAdmin(admins: Admins, keyFactory: KeyFactory): FirstStartTask {
  return {
    async run(call, chosen) {
      if (chosen !== undefined) checkChosen(chosen);
      const adminId = await admins.createWithoutPassword(call, "admin");
      const key = await keyFactory.create(call, {
        owner: { adminId, userId: 0n },
        description: "first access key",
        chosen,
      });
      if (chosen !== undefined) return [`created admin "admin" with the configured access key ${key.uniqueId}`];
      return ['created admin "admin"; its access key is shown only once:', ...keyLines(key)];
    },
  };
}

/** Returns output lines with the key of an admin and an example of its use. */
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
