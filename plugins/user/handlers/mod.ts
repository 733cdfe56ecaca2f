import type { Handlers } from "edgehelm";
import type { UserService } from "../proto/service_user_pb.ts";
import type { Deps } from "./deps.ts";
import { findHandlers } from "./find.ts";
import { loginHandlers } from "./login.ts";
import { loginChangeHandlers } from "./login_change.ts";
import { settingsHandlers } from "./settings.ts";
import { userHandlers } from "./users.ts";

/** Handles all operations of the service. */
export function allUserHandlers(deps: Deps): Handlers<typeof UserService> {
  return {
    ...userHandlers(deps),
    ...loginHandlers(deps),
    ...loginChangeHandlers(deps),
    ...findHandlers(deps),
    ...settingsHandlers(deps),
  };
}
