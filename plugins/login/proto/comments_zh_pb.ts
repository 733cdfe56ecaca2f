// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.LoginConfig": "LoginConfig 是安装清单中 login 的 `config` 的值。",
  "edgehelm.config.LoginConfig.requireOTPOfSuperAdmins": "为 true 表示没有第二因素的超级管理员在控制台中只能先设置第二因素，不能进行其他操作。访问密钥不受影响。",
  "edgehelm.events.AdminSignedInFromNewAddress": "管理员从此前未登录过的地址登录。",
  "edgehelm.events.AdminSignedInFromNewAddress.address": "IP 地址。",
  "edgehelm.events.AdminSignedInFromNewAddress.adminId": "管理员，即 findEnabledAdmin 所用的 id。",
  "edgehelm.events.UserSignedInFromNewAddress": "用户从此前未登录过的地址登录。",
  "edgehelm.events.UserSignedInFromNewAddress.address": "IP 地址。",
  "edgehelm.events.UserSignedInFromNewAddress.userId": "用户，即 findEnabledUser 所用的 id。",
  "pb.FindEnabledLoginRequest": "标识一个第二因素：adminId 和 userId 必须且只能设置其中一个。",
  "pb.FindEnabledLoginRequest.adminId": "拥有它的管理员；由用户拥有时为 0。",
  "pb.FindEnabledLoginRequest.type": "因素的类型：otp。",
  "pb.FindEnabledLoginRequest.userId": "拥有它的用户；由管理员拥有时为 0。",
  "pb.FindEnabledLoginResponse": "第二因素。",
  "pb.FindEnabledLoginResponse.login": "第二因素；此人从未有过第二因素时省略。",
  "pb.LoginService": "为自行检查验证码的控制台管理第二因素。这些控制台需要密钥，因此只有超级管理员可以调用这些操作。个人在控制台中管理自己的第二因素。",
  "pb.LoginService.findEnabledLogin": "查找管理员或用户的第二因素及其密钥，无论其已启用还是已停用。审计日志会记录此操作。",
  "pb.LoginService.updateLogin": "启用或停用管理员或用户的第二因素。停用时保留密钥。更改会使此人的令牌和会话失效。",
  "pb.UpdateLoginRequest": "第二因素要变为的状态。",
  "pb.UpdateLoginRequest.login": "所有者、类型、是否启用以及密钥；没有密钥时保留已存储的密钥。",
};
