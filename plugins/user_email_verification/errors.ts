import { defineErrors } from "edgehelm";

export const errors = defineErrors("user_email_verification", {
  no_mail: ["conflict", () => "no media instance sends mail: an admin creates one of the media email, or turns it on"],
  too_many_of_user: ["exhausted", (max: number) => `at most ${max} mails are sent to verify addresses within 24 hours`],
  too_many_of_email: ["exhausted", (max: number) => `email: at most ${max} mails go to one address within 24 hours`],
});
