import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("traffic_package", "traffic package", {
  exists: ["conflict", (size: string) => `a traffic package of ${size} already exists`],
});
