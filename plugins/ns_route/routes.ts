import { type Call, mayAccessOwner } from "edgehelm";
import { builtInRoute } from "./built_in.ts";
import type { NSRoutes, NSRouteScope, NSRouteSummary } from "./contract.ts";
import { errors } from "./errors.ts";
import { routeCode, visibleRoute } from "./messages.ts";
import type { NSRouteRow, NSRouteStore } from "./store.ts";

/** Implements the contract on top of the store. */
export function nsRoutes(routes: NSRouteStore): NSRoutes {
  async function customRoutes(call: Call, codes: readonly string[]): Promise<Map<string, NSRouteRow>> {
    const ids = codes.flatMap((code) => /^id:[1-9]\d{0,17}$/.test(code) ? [BigInt(code.slice(3))] : []);
    const rows = ids.length === 0 ? [] : await routes.byIds.all(call, { ids });
    return new Map(rows.map((row) => [routeCode(row.id), row]));
  }

  return {
    async summaries(call, codes) {
      const rows = await customRoutes(call, codes);
      const found = new Map<string, NSRouteSummary>();
      for (const code of codes) {
        const row = rows.get(code);
        const summary = row === undefined ? builtInRoute(code) : { id: row.id, name: row.name, code };
        if (summary !== undefined) found.set(code, summary);
      }
      return found;
    },

    async nested(call, codes) {
      const rows = await customRoutes(call, codes);
      const found = codes.map((code) => {
        const row = rows.get(code);
        if (row !== undefined) return [code, visibleRoute(call, row)] as const;
        const route = builtInRoute(code);
        return [code, route && { code, name: route.name, isOn: true }] as const;
      });
      return new Map(found.flatMap(([code, route]) => route === undefined ? [] : [[code, route]]));
    },

    async requireCodes(call, field, codes, scope) {
      const rows = await customRoutes(call, codes);
      for (const [index, code] of codes.entries()) {
        const row = rows.get(code);
        const isUsable = row === undefined ? builtInRoute(code) !== undefined : mayUse(call, row, scope);
        if (!isUsable) throw errors.unknown_code(`${field}[${index}]`, code.slice(0, 60));
      }
    },
  };
}

/**
 * Checks that a route is valid in the scope. Records of a domain may use public routes and those of its owner, and admins
 * may let them use private routes of the installation.
 */
function mayUse(call: Call, route: NSRouteRow, { nsClusterId, nsDomainId, userId }: NSRouteScope): boolean {
  const isInScope = [0n, nsClusterId].includes(route.nsClusterId) && [0n, nsDomainId].includes(route.nsDomainId);
  return isInScope &&
    (route.isPublic === 1n || route.userId === userId || (route.userId === 0n && mayAccessOwner(call.caller, 0n)));
}
