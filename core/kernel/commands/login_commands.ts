import type { LoginAttempts } from "../../auth/login/login_attempts.ts";
import { kernelErrors } from "../../base/errors.ts";
import { addressVersion } from "../../fields/network_fields.ts";
import type { Command } from "../../plugin_api/extension_points.ts";

/** The kinds of names that are guarded. An operator need not know which of them a name is. */
const KINDS = ["key", "user", "admin"];

/** Returns the command that lets an access key, a username or an address try again after too many failures. */
export function loginCommands(attempts: LoginAttempts): Command[] {
  return [{
    name: "logins release",
    usage: "<access key id, username or IP address>: forgets its failed logins on every instance",
    async run(call, [name = ""]) {
      if (name === "") throw kernelErrors.malformed("an access key id, a username or an IP address is required");
      for (const kind of KINDS) await attempts.lift(call, `${kind} ${name}`);
      if (addressVersion(name) !== undefined) await attempts.liftAddress(call, name);
      return [`forgot the failed logins of "${name}"`];
    },
  }];
}
