import { textField } from "edgehelm";
import type { AccessTokens } from "edgehelm/auth";
import type { Command } from "edgehelm/runtime";
import type { Admins } from "../admin/contract.ts";
import { errors } from "./errors.ts";
import { keyLines } from "./first_start.ts";
import type { KeyFactory } from "./keys.ts";
import type { UserAccessKeyStore } from "./store.ts";

/** The commands that give an operator access after all keys are lost. */
export function adminCommands(
  admins: Admins,
  keys: UserAccessKeyStore,
  keyFactory: KeyFactory,
  tokens: AccessTokens,
): Command[] {
  return [
    {
      name: "admin create",
      usage: "<username>: creates an admin and an access key",
      run: (call, [username = ""]) =>
        call.transact(async (inner) => {
          const name = textField("username", username, { min: 1 });
          const adminId = await admins.createWithoutPassword(inner, name);
          const key = await keyFactory.create(inner, {
            owner: { adminId, userId: 0n },
            description: "created on the command line",
          });
          return [`created admin "${name}"; its access key is shown only once:`, ...keyLines(key)];
        }),
    },
    {
      name: "admin reset",
      usage: "<username>: turns the admin on, lets them log in, turns their access keys off, and creates a new one",
      run: (call, [username = ""]) =>
        call.transact(async (inner) => {
          const adminId = await admins.idOf(inner, username);
          if (adminId === undefined) throw errors.username_missing(username);
          await admins.turnOn(inner, adminId);
          await keys.turnOffOfAdmin.run(inner, { adminId });
          await tokens.end(inner, { role: "admin", subjectId: adminId });
          const key = await keyFactory.create(inner, {
            owner: { adminId, userId: 0n },
            description: "created by a reset on the command line",
          });
          return [`turned off the access keys of "${username}"; the new one is shown only once:`, ...keyLines(key)];
        }),
    },
  ];
}
