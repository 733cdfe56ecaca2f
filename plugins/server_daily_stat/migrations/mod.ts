import * as createServerDailyStats from "./0001_create_server_daily_stats.ts";

export const migrations = {
  "0001_create_server_daily_stats": createServerDailyStats,
};
