import * as createUsers from "./0001_create_users.ts";
import * as addLoggedInAt from "./0002_add_logged_in_at.ts";
import * as deriveStates from "./0003_derive_states.ts";
import * as createRegistrations from "./0004_create_registrations.ts";
import * as verifyEmails from "./0005_verify_emails.ts";

export const migrations = {
  "0001_create_users": createUsers,
  "0002_add_logged_in_at": addLoggedInAt,
  "0003_derive_states": deriveStates,
  "0004_create_registrations": createRegistrations,
  "0005_verify_emails": verifyEmails,
};
