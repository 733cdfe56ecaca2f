import type { Area } from "../../shell/area.ts";

export const platform: Area = {};
