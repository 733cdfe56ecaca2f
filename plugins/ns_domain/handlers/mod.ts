import type { Handlers } from "edgehelm";
import type { NSDomainService } from "../proto/service_ns_domain_pb.ts";
import type { Deps } from "./deps.ts";
import { domainHandlers } from "./domain.ts";
import { feedHandlers } from "./feed.ts";
import { listHandlers } from "./list.ts";
import { settingsHandlers } from "./settings.ts";
import { verifyHandlers } from "./verify.ts";

/** Handles all operations of the service. */
export function nsDomainHandlers(deps: Deps): Handlers<typeof NSDomainService> {
  return {
    ...domainHandlers(deps),
    ...listHandlers(deps),
    ...feedHandlers(deps),
    ...settingsHandlers(deps),
    ...verifyHandlers(deps),
  };
}
