import { type Handlers, idField, invalid, jsonBytes, jsonField } from "edgehelm";
import { NSDomainTSIGSchema } from "edgehelm/proto/shapes/ns_domain_tsig_pb.js";
import {
  type NSRecordsHealthCheck,
  NSRecordsHealthCheckSchema,
} from "edgehelm/proto/shapes/ns_records_health_check_pb.js";
import { ownedDomain, requireDomain } from "../ownership.ts";
import type { NSDomainService } from "../proto/service_ns_domain_pb.ts";
import type { Deps } from "./deps.ts";

/** The default and the maximum of each setting. */
const LIMITS = { port: [80, 65_535], timeoutSeconds: [5, 3600], countUp: [1, 1000], countDown: [3, 1000] } as const;

/** Implements the operations on the JSON settings of a domain. */
export function settingsHandlers({ domains, changes }: Deps) {
  return {
    async findNSDomainTSIG({ nsDomainId }, call) {
      const row = await ownedDomain(domains, call, nsDomainId);
      return { tsigJSON: row?.tsigJSON ?? new Uint8Array() };
    },

    async updateNSDomainTSIG({ nsDomainId, tsigJSON }, call) {
      const row = await requireDomain(domains, call, idField("nsDomainId", nsDomainId));
      const tsig = jsonField("tsigJSON", tsigJSON, NSDomainTSIGSchema);
      if (tsig !== undefined) await changes.change(call, row, { tsigJSON: jsonBytes(NSDomainTSIGSchema, tsig) });
      return {};
    },

    async findNSDomainRecordsHealthCheck({ nsDomainId }, call) {
      const row = await ownedDomain(domains, call, nsDomainId);
      return { nsDomainRecordsHealthCheckJSON: row?.recordsHealthCheckJSON ?? new Uint8Array() };
    },

    async updateNSDomainRecordsHealthCheck({ nsDomainId, nsDomainRecordsHealthCheckJSON }, call) {
      const row = await requireDomain(domains, call, idField("nsDomainId", nsDomainId));
      const field = "nsDomainRecordsHealthCheckJSON";
      const check = jsonField(field, nsDomainRecordsHealthCheckJSON, NSRecordsHealthCheckSchema);
      if (check === undefined) return {};
      const recordsHealthCheckJSON = jsonBytes(NSRecordsHealthCheckSchema, withDefaults(field, check));
      await changes.change(call, row, { recordsHealthCheckJSON });
      return {};
    },
  } satisfies Partial<Handlers<typeof NSDomainService>>;
}

/** Checks the settings and fills in the defaults, so that every reader sees them. */
function withDefaults(field: string, check: NSRecordsHealthCheck): NSRecordsHealthCheck {
  const completed = { ...check };
  for (const key of Object.keys(LIMITS) as (keyof typeof LIMITS)[]) {
    const [defaultValue, max] = LIMITS[key];
    const value = check[key] || defaultValue;
    if (value < 1 || value > max) throw invalid(`${field}.${key}`, `must be 1 to ${max}, got ${value}`);
    completed[key] = value;
  }
  return completed;
}
