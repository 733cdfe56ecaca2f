import type { Area } from "../../shell/area.ts";
import { mayCall } from "../../shell/state.ts";

/** The history of the installation: requests to sites, and actions of people. */
export const platform: Area = {
  pages: [{
    key: "access-logs",
    title: { en: "Access logs", zh: "访问日志" },
    group: "log",
    replaces: ["HTTPAccessLog"],
    isOffered: () => mayCall("HTTPAccessLogService/listHTTPAccessLogs"),
    load: () => import("./access_logs/page.tsx"),
  }],
};
