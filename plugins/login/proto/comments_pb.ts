// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.LoginConfig": "LoginConfig is the value of `config` for login in the installation manifest.",
  "edgehelm.config.LoginConfig.requireOTPOfSuperAdmins": "If true, super admins without a second factor can do nothing in the console but set it up. Access keys are not concerned.",
  "edgehelm.events.AdminSignedInFromNewAddress": "An admin signed in from an address from which this admin has not signed in before.",
  "edgehelm.events.AdminSignedInFromNewAddress.address": "The IP address.",
  "edgehelm.events.AdminSignedInFromNewAddress.adminId": "The admin, by the id that findEnabledAdmin takes.",
  "edgehelm.events.UserSignedInFromNewAddress": "A user signed in from an address from which this user has not signed in before.",
  "edgehelm.events.UserSignedInFromNewAddress.address": "The IP address.",
  "edgehelm.events.UserSignedInFromNewAddress.userId": "The user, by the id that findEnabledUser takes.",
  "pb.FindEnabledLoginRequest": "Identifies a second factor: exactly one of adminId and userId is set.",
  "pb.FindEnabledLoginRequest.adminId": "The admin who owns it; 0 if a user does.",
  "pb.FindEnabledLoginRequest.type": "The kind of factor: otp.",
  "pb.FindEnabledLoginRequest.userId": "The user who owns it; 0 if an admin does.",
  "pb.FindEnabledLoginResponse": "The second factor.",
  "pb.FindEnabledLoginResponse.login": "The second factor; absent if the person never had one.",
  "pb.LoginService": "Manages second factors for consoles that check the codes themselves. They need the secrets, so only super admins may call these operations. People manage their own second factor in the console.",
  "pb.LoginService.findEnabledLogin": "Finds the second factor of an admin or a user, with its secret, whether it is turned on or off. The audit log records it.",
  "pb.LoginService.updateLogin": "Turns the second factor of an admin or a user on or off. Turning it off keeps the secret. A change ends the tokens and sessions of the person.",
  "pb.UpdateLoginRequest": "The state that a second factor gets.",
  "pb.UpdateLoginRequest.login": "The owner, the kind, whether it is turned on, and its secret; without a secret the stored one stays.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
