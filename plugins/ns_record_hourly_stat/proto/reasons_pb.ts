// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/NSRecordHourlyStatService/findLatestNSDomainHourlyStats": ["kernel.invalid_field","ns_domain.not_found"],
  "/NSRecordHourlyStatService/findLatestNSRecordsHourlyStats": ["kernel.invalid_field","ns_record_hourly_stat.record_not_found"],
  "/NSRecordHourlyStatService/findNSRecordHourlyStat": ["kernel.invalid_field","ns_record_hourly_stat.record_not_found"],
  "/NSRecordHourlyStatService/findNSRecordHourlyStatWithRecordIds": ["kernel.invalid_field"],
  "/NSRecordHourlyStatService/sumNSDomainStats": ["kernel.invalid_field","ns_domain.not_found"],
  "/NSRecordHourlyStatService/uploadNSRecordHourlyStats": ["kernel.invalid_field","ns_node.not_found"],
};
