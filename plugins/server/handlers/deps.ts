import type { UseCheck } from "edgehelm";
import type { Composer } from "../composer.ts";
import type { SiteFeatures } from "../features.ts";
import type { Placement } from "../placement.ts";
import type { RelatedContracts, Sites } from "../sites.ts";
import type { ServerList, ServerStore } from "../store.ts";

/** The dependencies of the handlers. */
export interface Deps {
  readonly servers: ServerStore;
  readonly list: ServerList;
  readonly sites: Sites;
  readonly placement: Placement;
  readonly features: SiteFeatures;
  readonly composer: Composer;
  readonly related: RelatedContracts;
  readonly uses: readonly UseCheck[];
}
