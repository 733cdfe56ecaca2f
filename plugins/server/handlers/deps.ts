import type { UseCheck } from "edgehelm";
import type { Composer } from "../composing.ts";
import type { Neighbours, Sites } from "../sites.ts";
import type { ServerLists } from "../store_lists.ts";
import type { ServerStore } from "../store.ts";

/** What the handlers of this plugin work with. */
export interface Deps {
  readonly servers: ServerStore;
  readonly lists: ServerLists;
  readonly sites: Sites;
  readonly composer: Composer;
  readonly neighbours: Neighbours;
  readonly uses: readonly UseCheck[];
}
