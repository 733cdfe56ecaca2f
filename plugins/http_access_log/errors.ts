import { defineErrors } from "edgehelm";

export const errors = defineErrors("http_access_log", {
  invalid_request_id: [
    "invalid",
    (field: string, value: string) =>
      `${field}: invalid requestId: must begin with at least 11 digits of unix milliseconds, got "${
        value.slice(0, 60)
      }"`,
  ],
  too_fast: ["exhausted", (limit: number) => `more than ${limit} logs arrived within a second; retry later`],
  behind: ["exhausted", (pending: number) => `${pending} logs are already waiting for the store; retry later`],
});
