import type { Handlers } from "edgehelm";
import type { UserPlanService } from "../proto/service_user_plan_pb.ts";
import type { Deps } from "./deps.ts";
import { findHandlers } from "./find.ts";
import { manageHandlers } from "./manage.ts";
import { purchaseHandlers } from "./purchase.ts";

/** All operations of the service. */
export function userPlanHandlers(deps: Deps): Handlers<typeof UserPlanService> {
  return { ...purchaseHandlers(deps), ...manageHandlers(deps), ...findHandlers(deps) };
}
