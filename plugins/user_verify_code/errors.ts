import { defineErrors } from "edgehelm";

export const errors = defineErrors("user_verify_code", {
  no_mail: ["conflict", () => "no media instance sends mail: an admin creates one of the media email, or turns it on"],
  mobile_unsupported: ["invalid", () => "mobile: must be empty: codes are sent by email, no media sends text messages"],
  codes_of_email: ["exhausted", (max: number) => `email: at most ${max} codes go to one address within 24 hours`],
  codes_of_address: [
    "exhausted",
    (max: number) => `at most ${max} codes may be asked for from one address within 24 hours`,
  ],
  codes_of_all: ["exhausted", (max: number) => `at most ${max} codes may be asked for within 24 hours`],
});
