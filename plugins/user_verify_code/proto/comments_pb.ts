// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.UserVerifyCodeConfig": "UserVerifyCodeConfig is the `config` of user_verify_code in the installation manifest.",
  "edgehelm.config.UserVerifyCodeConfig.codesPerAddress": "The codes that may be asked for from one IPv4 address, or one /64 of IPv6, within 24 hours: 1 to 1000. 0 means 20. For one email address it is half of codesPerEmail.",
  "edgehelm.config.UserVerifyCodeConfig.codesPerDay": "The codes that may be asked for within 24 hours in all: 1 to 100000. 0 means 1000.",
  "edgehelm.config.UserVerifyCodeConfig.codesPerEmail": "The codes for one email address within 24 hours, in all: 1 to 100. 0 means 10.",
  "edgehelm.config.UserVerifyCodeConfig.language": "The language of the mails: \"en\" or \"zh\". Empty means \"en\".",
  "edgehelm.config.UserVerifyCodeConfig.messageMediaInstanceId": "The id of the media instance that sends the mails; 0 means the first one of the media email that is turned on.",
  "edgehelm.events.UserPasswordReset": "A user who had forgotten the password set another by a code that was mailed.",
  "edgehelm.events.UserPasswordReset.address": "The address from which it was set, as far as it is known.",
  "edgehelm.events.UserPasswordReset.userId": "The user whose password it is.",
  "pb.SendUserVerifyCodeRequest": "Says to which address a code goes, and what for.",
  "pb.SendUserVerifyCodeRequest.email": "The address of the user: 3 to 254 characters.",
  "pb.SendUserVerifyCodeRequest.ip": "The IPv4 or IPv6 address of the person for whom a console calls, from which codes are bounded; may be empty.",
  "pb.SendUserVerifyCodeRequest.mobile": "The telephone number of the user, which must be empty: no media sends text messages.",
  "pb.SendUserVerifyCodeRequest.type": "What the code is for: resetPassword.",
  "pb.SendUserVerifyCodeResponse": "The form of the code, whether it was sent or not.",
  "pb.SendUserVerifyCodeResponse.codeLength": "The number of digits of the code: 8.",
  "pb.UserVerifyCodeService": "Sends codes to users who cannot sign in, for a console that calls for them. The console of the installation offers the same to visitors.",
  "pb.UserVerifyCodeService.sendUserVerifyCode": "Asks for a code. If the address is the verified address of a user, a code is sent to it. The response, and the work until then, are the same if it is not, so that callers cannot learn who is a user.",
  "pb.UserVerifyCodeService.validateUserVerifyCode": "Sets a new password by the last code that was sent to the address, once. It ends all tokens and sessions of the user. A code is valid for 10 minutes and 5 attempts. A wrong code is a normal response with an errorCode.",
  "pb.ValidateUserVerifyCodeRequest": "A code, and the password to set with it.",
  "pb.ValidateUserVerifyCodeRequest.code": "The code: 8 digits.",
  "pb.ValidateUserVerifyCodeRequest.email": "The address to which the code was sent: 3 to 254 characters.",
  "pb.ValidateUserVerifyCodeRequest.ip": "The IPv4 or IPv6 address of the person for whom a console calls, from which wrong codes are bounded; may be empty.",
  "pb.ValidateUserVerifyCodeRequest.mobile": "The telephone number of the user, which must be empty: no media sends text messages.",
  "pb.ValidateUserVerifyCodeRequest.newPassword": "The new password: at least 8 characters.",
  "pb.ValidateUserVerifyCodeRequest.type": "What the code is for: resetPassword.",
  "pb.ValidateUserVerifyCodeResponse": "Whether the password was set.",
  "pb.ValidateUserVerifyCodeResponse.errorCode": "Empty if the password was set, otherwise wrong_code (wrong, used, replaced, tried too often or expired).",
  "pb.ValidateUserVerifyCodeResponse.errorMessage": "The error as a text for people.",
  "pb.ValidateUserVerifyCodeResponse.isOk": "True if the password was set.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
