import type { UseCheck } from "edgehelm";
import type { Composer } from "../composer.ts";
import type { RelatedContracts, Sites } from "../sites.ts";
import type { ServerLists } from "../store_lists.ts";
import type { ServerStore } from "../store.ts";

/** The dependencies of the handlers. */
export interface Deps {
  readonly servers: ServerStore;
  readonly lists: ServerLists;
  readonly sites: Sites;
  readonly composer: Composer;
  readonly related: RelatedContracts;
  readonly uses: readonly UseCheck[];
}
