import { zoneFeed } from "../store.ts";
import * as createNSDNSSEC from "./0001_create_ns_dnssec.ts";

export const migrations = { "0001_create_ns_dnssec": createNSDNSSEC, "0002_feed_ns_dnssec": zoneFeed.migration };
