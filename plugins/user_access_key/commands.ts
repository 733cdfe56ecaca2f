import { type AccessTokens, type Command, textField } from "edgehelm";
import type { Admins } from "../admin/contract.ts";
import { errors } from "./errors.ts";
import { keyLines } from "./first_start.ts";
import type { KeyMaker } from "./keys.ts";
import type { UserAccessKeyStore } from "./store.ts";

/** The operator's way in when every key is lost. */
export function adminCommands(
  admins: Admins,
  keys: UserAccessKeyStore,
  maker: KeyMaker,
  tokens: AccessTokens,
): Command[] {
  return [
    {
      name: "admin create",
      usage: "<username>: makes an admin and an access key",
      run: (call, [username = ""]) =>
        call.transact(async (inner) => {
          const name = textField("username", username, { min: 1 });
          const adminId = await admins.createWithoutPassword(inner, name);
          const key = await maker.make(inner, {
            owner: { adminId, userId: 0n },
            description: "made on the command line",
          });
          return [`made the admin "${name}"; its access key is shown this once:`, ...keyLines(key)];
        }),
    },
    {
      name: "admin reset",
      usage: "<username>: turns the admin on, the admin's access keys off, and makes a new one",
      run: (call, [username = ""]) =>
        call.transact(async (inner) => {
          const adminId = await admins.idOf(inner, username);
          if (adminId === undefined) throw errors.username_missing(username);
          await admins.turnOn(inner, adminId);
          await keys.turnOffOfAdmin.run(inner, { adminId });
          await tokens.recheck(inner);
          const key = await maker.make(inner, {
            owner: { adminId, userId: 0n },
            description: "made by a reset on the command line",
          });
          return [`turned off the access keys of "${username}"; the new one is shown this once:`, ...keyLines(key)];
        }),
    },
  ];
}
