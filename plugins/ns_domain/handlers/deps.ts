import type { Clock, Logger } from "edgehelm";
import type { Events } from "edgehelm/runtime";
import type { NSDomainTransferListener } from "../contract.ts";
import type { NSNodes } from "../../ns_node/contract.ts";
import type { Placement } from "../placement.ts";
import type { Serving } from "../serving.ts";
import type { NSDomainChanges } from "../store_changes.ts";
import type { NSDomainFeed, NSDomainList } from "../store_tables.ts";
import type { NSDomainStore } from "../store.ts";
import type { RelatedContracts } from "../summaries.ts";
import type { TransferAsks } from "../transfer_asks.ts";
import type { Verification } from "../verification.ts";

/** The dependencies of the handlers. */
export interface Deps {
  readonly domains: NSDomainStore;
  readonly changes: NSDomainChanges;
  readonly list: NSDomainList;
  readonly feed: NSDomainFeed;
  readonly placement: Placement;
  readonly serving: Serving;
  readonly related: RelatedContracts;
  readonly nodes: NSNodes | undefined;
  readonly clock: Clock;
  readonly verification: Verification;
  readonly transferListeners: readonly NSDomainTransferListener[];
  readonly transferAsks: TransferAsks;
  readonly events: Events;
  readonly log: Logger;
}
