import type { Area } from "../../shell/area.ts";

export const customer: Area = {};
