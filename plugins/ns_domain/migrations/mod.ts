import * as createNSDomains from "./0001_create_ns_domains.ts";
import * as createNSDomainBuckets from "./0002_create_ns_domain_buckets.ts";
import * as createNSDomainDepartures from "./0003_create_ns_domain_departures.ts";

export const migrations = {
  "0001_create_ns_domains": createNSDomains,
  "0002_create_ns_domain_buckets": createNSDomainBuckets,
  "0003_create_ns_domain_departures": createNSDomainDepartures,
};
