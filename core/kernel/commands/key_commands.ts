import type { KeyRotation } from "../../auth/key_rotation.ts";
import type { Resealing } from "../../auth/resealing/resealing.ts";
import type { Revocation } from "../../auth/revocation.ts";
import type { SigningKeys } from "../../auth/signing_keys.ts";
import type { Call } from "../../base/call.ts";
import type { Command } from "../../plugin_api/extension_points.ts";

export interface KeyCommandDeps {
  readonly keys: SigningKeys<Call>;
  readonly rotation: KeyRotation;
  readonly resealing: Resealing;
  readonly revocation: Revocation;
}

/** Returns the commands for the key that signs access tokens and for the installation key. */
export function keyCommands({ keys, rotation, resealing, revocation }: KeyCommandDeps): Command[] {
  return [
    {
      name: "keys rotate-signing",
      usage: ": makes a new key for access tokens; the old one signs for another minute, and its tokens stay valid",
      async run(call) {
        const kid = await call.transact((inner) => keys.rotate(inner));
        await keys.load(call);
        return [`made the signing key ${kid}; every instance signs with it within two minutes`];
      },
    },
    {
      name: "keys rotate-installation",
      usage: ": makes a new installation key and prints it; the previous one also works until the rotation is finished",
      async run(call) {
        const text = await call.transact(async (inner) => {
          const text = await rotation.rotate(inner);
          // Makes the other instances load the new key within a second.
          await revocation.increase(inner);
          return text;
        });
        return [
          `made the installation key ${rotation.ring.current.id}, which is shown only once:`,
          `  ${text}`,
          "replace the previous key by it for every instance (EDGEHELM_KEY, EDGEHELM_KEY_FILE or installation.key in the",
          "data directory) and keep copies of both, apart from backups; then run keys finish-installation",
        ];
      },
    },
    {
      name: "keys finish-installation",
      usage: ": ends the use of the previous installation key; every instance must have the new one before",
      async run(call) {
        const configured = await rotation.configured();
        await call.transact((inner) => rotation.finish(inner, configured));
        return [`finished the rotation: the installation key is ${configured.id}`];
      },
    },
    {
      name: "keys status",
      usage: ": shows how many values are encrypted with the current installation key again, and what is left",
      run: (call) => resealing.status(call),
    },
  ];
}
