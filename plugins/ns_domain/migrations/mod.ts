import { domainFeed, domainList } from "../store_tables.ts";
import * as createNSDomains from "./0001_create_ns_domains.ts";
import * as createNSDomainBuckets from "./0002_create_ns_domain_buckets.ts";
import * as indexInBackground from "./0003_index_in_background.ts";
import * as createNSDomainDepartures from "./0004_create_ns_domain_departures.ts";
import * as countFollowingChanges from "./0005_count_following_changes.ts";
import * as indexOwnedDomainsOnly from "./0006_index_owned_domains_only.ts";
import * as indexDeletedToo from "./0007_index_deleted_too.ts";
import * as dropHandWrittenLists from "./0010_drop_hand_written_lists.ts";
import * as forbidNames from "./0011_forbid_names.ts";
import * as withholdDomains from "./0012_withhold_domains.ts";
import * as deriveVerificationValues from "./0013_derive_verification_values.ts";
import * as limitTransferEvents from "./0014_limit_transfer_events.ts";

export const migrations = {
  "0001_create_ns_domains": createNSDomains,
  "0002_create_ns_domain_buckets": createNSDomainBuckets,
  "0003_index_in_background": indexInBackground,
  "0004_create_ns_domain_departures": createNSDomainDepartures,
  "0005_count_following_changes": countFollowingChanges,
  "0006_index_owned_domains_only": indexOwnedDomainsOnly,
  "0007_index_deleted_too": indexDeletedToo,
  "0008_list_ns_domains": domainList.migration,
  "0009_feed_ns_domains": domainFeed.migration,
  "0010_drop_hand_written_lists": dropHandWrittenLists,
  "0011_forbid_names": forbidNames,
  "0012_withhold_domains": withholdDomains,
  "0013_derive_verification_values": deriveVerificationValues,
  "0014_limit_transfer_events": limitTransferEvents,
};
