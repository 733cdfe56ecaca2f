import { type Call, mayAccessOwner } from "edgehelm";
import { builtInRoute } from "./built_in.ts";
import type { NSRoutes, NSRouteScope, NSRouteSummary } from "./contract.ts";
import { errors } from "./errors.ts";
import type { NSRouteRow, NSRouteStore } from "./store.ts";

/** How records name a route that was created. */
export function routeCode(id: bigint): string {
  return `id:${id}`;
}

/** The contract over the store. */
export function nsRoutes(routes: NSRouteStore): NSRoutes {
  async function created(call: Call, codes: readonly string[]): Promise<Map<string, NSRouteRow>> {
    const ids = codes.flatMap((code) => /^id:[1-9]\d{0,17}$/.test(code) ? [BigInt(code.slice(3))] : []);
    const rows = ids.length === 0 ? [] : await routes.byIds.all(call, { ids });
    return new Map(rows.map((row) => [routeCode(row.id), row]));
  }

  return {
    async summaries(call, codes) {
      const rows = await created(call, codes);
      const found = new Map<string, NSRouteSummary>();
      for (const code of codes) {
        const row = rows.get(code);
        const summary = row === undefined ? builtInRoute(code) : { id: row.id, name: row.name, code };
        if (summary !== undefined) found.set(code, summary);
      }
      return found;
    },

    async requireCodes(call, field, codes, scope) {
      const rows = await created(call, codes);
      for (const [index, code] of codes.entries()) {
        const row = rows.get(code);
        const isFine = row === undefined ? builtInRoute(code) !== undefined : mayUse(call, row, scope);
        if (!isFine) throw errors.unknown_code(`${field}[${index}]`, code.slice(0, 60));
      }
    },
  };
}

/** Whether the route is for the place; admins may use every such route, users their own and public ones. */
function mayUse(call: Call, route: NSRouteRow, { nsClusterId, nsDomainId, userId }: NSRouteScope): boolean {
  const isForPlace = [0n, nsClusterId].includes(route.nsClusterId) && [0n, nsDomainId].includes(route.nsDomainId);
  return isForPlace && (mayAccessOwner(call.caller, 0n) || route.isPublic === 1n || route.userId === userId);
}
