import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("traffic_package_period", "period", {
  exists: ["conflict", (length: string) => `a period of ${length} already exists`],
});
