import type { Area } from "../../shell/area.ts";
import { isListed } from "../../shell/state.ts";

/** Domains, records, DNS clusters and their nodes. */
export const dns: Area = {
  panels: [{
    noun: "NSDomain",
    key: "records",
    title: { en: "Records", zh: "记录" },
    replaces: "NSRecord",
    isOffered: () => isListed("NSRecord"),
    load: () => import("./zone/panel.tsx"),
  }],
};
