import type { Clock } from "edgehelm";
import type { NSNodes } from "../../ns_node/contract.ts";
import type { NSDomainConfig } from "../proto/config_pb.ts";
import type { Placement } from "../placement.ts";
import type { DomainResolver } from "../resolver.ts";
import type { NSDomainLists } from "../store_lists.ts";
import type { NSDomainStore } from "../store.ts";
import type { Neighbours } from "../summaries.ts";

/** What the handlers of this plugin work with. */
export interface Deps {
  readonly domains: NSDomainStore;
  readonly lists: NSDomainLists;
  readonly placement: Placement;
  readonly neighbours: Neighbours;
  readonly nodes: NSNodes | undefined;
  readonly config: NSDomainConfig;
  readonly clock: Clock;
  readonly resolver: DomainResolver | undefined;
}
