import * as createNSDomains from "./0001_create_ns_domains.ts";
import * as createNSDomainBuckets from "./0002_create_ns_domain_buckets.ts";

export const migrations = {
  "0001_create_ns_domains": createNSDomains,
  "0002_create_ns_domain_buckets": createNSDomainBuckets,
};
