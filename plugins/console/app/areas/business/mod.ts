import type { Area } from "../../shell/area.ts";

export const business: Area = {};
