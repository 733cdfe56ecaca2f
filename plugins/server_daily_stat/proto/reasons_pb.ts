// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/ServerDailyStatService/findLatestServerDailyStats": ["kernel.invalid_field"],
  "/ServerDailyStatService/findLatestServerHourlyStats": ["kernel.invalid_field"],
  "/ServerDailyStatService/findLatestServerMinutelyStats": ["kernel.invalid_field"],
  "/ServerDailyStatService/findServer5MinutelyStatsWithDay": ["kernel.invalid_field"],
  "/ServerDailyStatService/findServerDailyStatsBetweenDays": ["kernel.invalid_field"],
  "/ServerDailyStatService/sumCurrentServerDailyStats": ["kernel.invalid_field"],
  "/ServerDailyStatService/sumServerDailyStats": ["kernel.invalid_field"],
  "/ServerDailyStatService/sumServerMonthlyStats": ["kernel.invalid_field"],
  "/ServerDailyStatService/uploadServerDailyStats": ["kernel.invalid_field","node.not_found"],
};
