import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("http_cache_policy", "cache policy");
