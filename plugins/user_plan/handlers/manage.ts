import { type Handlers, idField, textField } from "edgehelm";
import { deleteRow } from "edgehelm/rows";
import { dayField } from "edgehelm/fields";
import { errors } from "../errors.ts";
import { markSitesForUpdate, serverUses } from "../sites.ts";
import { endOn } from "../periods.ts";
import { obstacles } from "../room.ts";
import type { UserPlanService } from "../proto/service_user_plan_pb.ts";
import type { Deps } from "./deps.ts";

/** The operations that change and delete plans of users. */
export function manageHandlers(
  { userPlans, plans, servers }: Deps,
): Pick<Handlers<typeof UserPlanService>, "updateUserPlan" | "deleteUserPlan"> {
  const uses = servers === undefined ? [] : [serverUses(servers)];
  return {
    async updateUserPlan(request, call) {
      const userPlan = await userPlans.require(call, "userPlanId", request.userPlanId);
      const plan = await plans.requirePlan(call, "planId", idField("planId", request.planId));
      const sites = plan.id === userPlan.planId ? [] : await servers?.ofUserPlan(call, userPlan.id) ?? [];
      const found = [
        ...obstacles(plan, sites),
        ...plan.features === undefined ? [] : await servers?.featureObstacles(call, sites, plan.features) ?? [],
      ];
      if (found.length > 0) throw errors.no_room(userPlan.id, plan.name, found.join("; "));
      const dayTo = dayField("dayTo", request.dayTo);
      const end = dayTo === userPlan.dayTo ? userPlan : endOn(dayTo);
      await userPlans.update.run(call, {
        id: userPlan.id,
        planId: plan.id,
        name: textField("name", request.name),
        dayTo,
        anchorDay: end.anchorDay,
        isOn: request.isOn,
      });
      await markSitesForUpdate(servers, call, userPlan.id);
      return {};
    },

    deleteUserPlan: deleteRow(userPlans, "userPlanId", { uses, inUse: errors.in_use }),
  };
}
