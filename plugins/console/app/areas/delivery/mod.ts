import type { Area } from "../../shell/area.ts";

export const delivery: Area = {};
