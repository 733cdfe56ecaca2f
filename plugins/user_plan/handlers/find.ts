import { type Call, type Handlers, invalid, ownerOf, pageOf } from "edgehelm";
import { addDays, today } from "edgehelm/fields";
import { fittingPlans } from "../fitting.ts";
import { userPlanMessages } from "../messages.ts";
import type { UserPlanService } from "../proto/service_user_plan_pb.ts";
import type { Filter } from "../store_lists.ts";
import type { Deps } from "./deps.ts";

const MAX_EXPIRING_DAYS = 3660;

interface FilterRequest {
  readonly isAvailable: boolean;
  readonly isExpired: boolean;
  readonly expiringDays: number;
  readonly userId: bigint;
}

type FindOperations =
  | "findEnabledUserPlan"
  | "countAllEnabledUserPlans"
  | "listEnabledUserPlans"
  | "findAllEnabledUserPlansForServer";

/** The operations that find, list and count plans of users. */
export function findHandlers(deps: Deps): Pick<Handlers<typeof UserPlanService>, FindOperations> {
  const { userPlans, lists, clock } = deps;

  function filterOf(call: Call, request: FilterRequest): Filter {
    const { isAvailable, isExpired, expiringDays } = request;
    if (expiringDays < 0 || expiringDays > MAX_EXPIRING_DAYS) {
      throw invalid("expiringDays", `must be 0 to ${MAX_EXPIRING_DAYS}, got ${expiringDays}`);
    }
    const day = today(clock);
    const isAny = !isAvailable && !isExpired && expiringDays === 0;
    const from = isAvailable || expiringDays > 0 ? day : "";
    const to = isExpired ? addDays(day, -1) : expiringDays > 0 ? addDays(day, expiringDays) : "9999-99-99";
    return { userId: ownerOf(call, request.userId), days: isAny ? undefined : { from, to } };
  }

  return {
    async findEnabledUserPlan({ userPlanId }, call) {
      const row = await userPlans.find(call, userPlanId);
      const [userPlan] = await userPlanMessages(call, deps, row === undefined ? [] : [row]);
      return { userPlan };
    },

    countAllEnabledUserPlans: (request, call) => lists.count(call, filterOf(call, request)),

    async listEnabledUserPlans(request, call) {
      const rows = await lists.list(call, filterOf(call, request), pageOf(request));
      return { userPlans: await userPlanMessages(call, deps, rows) };
    },

    async findAllEnabledUserPlansForServer({ userId, serverId }, call) {
      const rows = await lists.usable(call, ownerOf(call, userId), today(clock));
      const fitting = await fittingPlans(call, deps, rows, serverId);
      return { userPlans: await userPlanMessages(call, deps, fitting) };
    },
  };
}
