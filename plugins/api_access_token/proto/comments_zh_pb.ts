// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.APIAccessTokenService": "用访问密钥换取访问令牌。所有其他操作都需要在请求头或元数据项 X-Cloud-Access-Token 中携带该令牌。",
  "pb.APIAccessTokenService.GetAPIAccessToken": "为访问密钥签发访问令牌。随调用发送的令牌会被忽略。访问密钥未知、其密钥错误、访问密钥或其所有者已停用或已删除、类型错误，都会得到相同的错误。一个访问密钥可以有任意数量的有效令牌：签发新令牌不会吊销其他令牌。",
  "pb.GetAPIAccessTokenRequest": "用于验证调用者身份的访问密钥。",
  "pb.GetAPIAccessTokenRequest.accessKey": "访问密钥的密钥：32 位字母和数字。",
  "pb.GetAPIAccessTokenRequest.accessKeyId": "访问密钥的 ID：管理员或用户为 16 位字母和数字，节点则为 uniqueId。",
  "pb.GetAPIAccessTokenRequest.type": "密钥所有者的类型：admin、user、dns、node 或 report。节点使用其 uniqueId 和密钥作为访问密钥。",
  "pb.GetAPIAccessTokenResponse": "新的访问令牌。",
  "pb.GetAPIAccessTokenResponse.expiresAt": "令牌的过期时间，Unix 秒。除非安装实例配置了其他值，否则有效期为 7200 秒。使用令牌不会延长有效期：应在过期前请求新令牌。",
  "pb.GetAPIAccessTokenResponse.token": "访问令牌，作为 X-Cloud-Access-Token 发送；对客户端不透明。",
};
