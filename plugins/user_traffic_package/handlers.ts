import { type Call, type Clock, type Handlers, idField, ownerOf, pageOf } from "edgehelm";
import { dayField, idOrNoneField, today } from "edgehelm/fields";
import type { UserStates } from "../user/contract.ts";
import { errors } from "./errors.ts";
import { packageMessages } from "./messages.ts";
import type { UserTrafficPackageService } from "./proto/service_user_traffic_package_pb.ts";
import type { PackageSale, SaleDeps } from "./sale.ts";
import type { Filter, UserTrafficPackageLists } from "./store_lists.ts";
import type { UserTrafficPackageStore } from "./store.ts";

/** The dependencies of the handlers. */
export interface Deps extends SaleDeps {
  readonly store: UserTrafficPackageStore;
  readonly lists: UserTrafficPackageLists;
  readonly sale: PackageSale;
  readonly states: UserStates | undefined;
  readonly clock: Clock;
}

type FilterRequest = Omit<Filter, "dayTo" | "usableOn"> & {
  readonly expiresDay: string;
  readonly availableOnly: boolean;
};

export function userTrafficPackageHandlers(deps: Deps): Handlers<typeof UserTrafficPackageService> {
  const { store, lists, sale, states, clock } = deps;

  function filterOf(call: Call, request: FilterRequest): Filter {
    const { expiresDay } = request;
    return {
      userId: ownerOf(call, idOrNoneField("userId", request.userId)),
      trafficPackageId: idOrNoneField("trafficPackageId", request.trafficPackageId),
      nodeRegionId: idOrNoneField("nodeRegionId", request.nodeRegionId),
      trafficPackagePeriodId: idOrNoneField("trafficPackagePeriodId", request.trafficPackagePeriodId),
      dayTo: expiresDay === "" ? "" : dayField("expiresDay", expiresDay),
      usableOn: request.availableOnly ? today(clock) : "",
    };
  }

  return {
    async createUserTrafficPackage(request, call) {
      const userId = idField("userId", request.userId);
      return { userTrafficPackageIds: await sale.give(call, userId, await sale.offer(call, request)) };
    },

    async buyUserTrafficPackage(request, call) {
      const userId = idField("userId", ownerOf(call, request.userId));
      await states?.require(call, userId, "purchase");
      const offer = await sale.offer(call, request);
      return { userTrafficPackageIds: await sale.sell(call, userId, offer, await sale.priceOf(call, offer)) };
    },

    countUserTrafficPackages: (request, call) => lists.count(call, filterOf(call, request)),

    async listUserTrafficPackages(request, call) {
      const rows = await lists.list(call, filterOf(call, request), pageOf(request));
      return { userTrafficPackages: await packageMessages(call, deps, rows, today(clock)) };
    },

    async deleteUserTrafficPackage({ userTrafficPackageId }, call) {
      const row = await store.require(call, "userTrafficPackageId", userTrafficPackageId);
      const isUsable = row.dayTo >= today(clock) && row.usedBytes < row.totalBytes;
      if (isUsable && call.caller.role === "user") throw errors.usable(row.id, row.dayTo);
      await store.remove.run(call, { id: row.id });
      return {};
    },
  };
}
