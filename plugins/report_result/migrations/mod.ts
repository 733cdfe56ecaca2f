import * as createReportResults from "./0001_create_report_results.ts";

export const migrations = {
  "0001_create_report_results": createReportResults,
};
