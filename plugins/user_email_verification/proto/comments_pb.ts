// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.UserEmailVerificationConfig": "UserEmailVerificationConfig is the `config` of user_email_verification in the installation manifest.",
  "edgehelm.config.UserEmailVerificationConfig.hours": "The hours after which a code expires: 1 to 168. 0 means 24.",
  "edgehelm.config.UserEmailVerificationConfig.language": "The language of the mails: \"en\" or \"zh\". Empty means \"en\".",
  "edgehelm.config.UserEmailVerificationConfig.link": "The address of the page that takes the code, with {code} where the code belongs, such as \"https://cdn.example.com/console#/verify_email/{code}\". Empty means that mails contain the code only.",
  "edgehelm.config.UserEmailVerificationConfig.mailsPerEmail": "The mails that may go to one address within 24 hours, of all users: 1 to 100. 0 means 5.",
  "edgehelm.config.UserEmailVerificationConfig.mailsPerUser": "The mails that one user may cause within 24 hours: 1 to 100. 0 means 5.",
  "edgehelm.config.UserEmailVerificationConfig.messageMediaInstanceId": "The id of the media instance that sends the mails; 0 means the first one of the media email that is turned on.",
  "edgehelm.events.UserEmailVerified": "A user proved to receive mail at an address.",
  "edgehelm.events.UserEmailVerified.email": "The verified address.",
  "edgehelm.events.UserEmailVerified.userId": "The user whose address it is.",
  "pb.FindLatestUserEmailVerificationRequest": "Asks for the last verification of the caller.",
  "pb.FindLatestUserEmailVerificationResponse": "The last verification of the caller.",
  "pb.FindLatestUserEmailVerificationResponse.userEmailVerification": "The verification; absent if there is none.",
  "pb.SendUserEmailVerificationRequest": "The address to verify, and the proof that its owner asks.",
  "pb.SendUserEmailVerificationRequest.email": "The address to verify: 3 to 254 characters.",
  "pb.SendUserEmailVerificationRequest.password": "The current password; needed unless the user logged in within the last 10 minutes, so that a stolen token does not suffice to receive the codes of password resets.",
  "pb.UserEmailVerification": "A request of a user to verify an address.",
  "pb.UserEmailVerification.code": "Always empty: only the receiver of the mail knows the code.",
  "pb.UserEmailVerification.createdAt": "The time of the request, in unix seconds.",
  "pb.UserEmailVerification.email": "The address to verify.",
  "pb.UserEmailVerification.expiresAt": "The time at which the code expires, in unix seconds.",
  "pb.UserEmailVerification.id": "The id of the verification.",
  "pb.UserEmailVerification.isSent": "True once the mail was sent.",
  "pb.UserEmailVerification.isVerified": "True once the address was verified.",
  "pb.UserEmailVerification.userId": "The user whose address it is.",
  "pb.UserEmailVerificationService": "Proves that users receive mail at their addresses: a code goes to the address, and only its owner can send it back.",
  "pb.UserEmailVerificationService.findLatestUserEmailVerification": "Finds the last verification that the caller asked for within 30 days.",
  "pb.UserEmailVerificationService.sendUserEmailVerification": "Sends a code to an address of the caller. Earlier codes become invalid. A user who did not log in with loginUser within the last 10 minutes sends the password, too.",
  "pb.UserEmailVerificationService.verifyUserEmail": "Verifies the address to which a code was sent, once. The address becomes the verified address of the user. A user can use only their own codes. A wrong code is a normal response with an errorCode.",
  "pb.VerifyUserEmailRequest": "The code that proves an address.",
  "pb.VerifyUserEmailRequest.code": "The code of the mail: 32 letters and digits.",
  "pb.VerifyUserEmailResponse": "The address that was verified, or the error.",
  "pb.VerifyUserEmailResponse.email": "The verified address; empty if it is not verified.",
  "pb.VerifyUserEmailResponse.errorCode": "Empty if the address is verified, otherwise wrong_code (wrong, used, replaced or expired) or taken (another user has verified the address).",
  "pb.VerifyUserEmailResponse.errorMessage": "The error as a text for people.",
  "pb.VerifyUserEmailResponse.userId": "The user whose address is verified; 0 if it is not.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
