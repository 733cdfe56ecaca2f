// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.ACMEProviderEntry": "ACMEProviderEntry 定义此安装实例的一个 ACME 提供商。",
  "edgehelm.config.ACMEProviderEntry.apiURL": "ACME 目录的 URL；必须是 https，或者是环回地址上的 http。",
  "edgehelm.config.ACMEProviderEntry.ca": "签发目录所用证书的证书颁发机构的证书，PEM 格式。为空表示使用系统信任的机构。",
  "edgehelm.config.ACMEProviderEntry.code": "供账户引用的代码：小写字母、数字、_ 和 -。内置提供商的代码已被占用。",
  "edgehelm.config.ACMEProviderEntry.description": "描述，自由文本。",
  "edgehelm.config.ACMEProviderEntry.eabDescription": "获取外部账户绑定的说明。",
  "edgehelm.config.ACMEProviderEntry.name": "名称；为空表示使用代码。",
  "edgehelm.config.ACMEProviderEntry.requireEAB": "为 true 表示账户需要外部账户绑定。",
  "edgehelm.config.ACMEProviderSettings": "ACMEProviderSettings 是安装清单中 acme_provider 的 `config`。",
  "edgehelm.config.ACMEProviderSettings.providers": "额外的提供商，例如私有证书颁发机构。",
  "pb.ACMEProviderService": "列出安装实例可以通过 ACME 获取证书的证书颁发机构。",
  "pb.ACMEProviderService.findACMEProviderWithCode": "按代码查找一个提供商。",
  "pb.ACMEProviderService.findAllACMEProviders": "查找所有提供商，在一个响应中返回，不分页。",
  "pb.FindACMEProviderWithCodeRequest": "要查找的提供商。",
  "pb.FindACMEProviderWithCodeRequest.acmeProviderCode": "要查找的提供商的代码：letsencrypt 或 zerossl。",
  "pb.FindACMEProviderWithCodeResponse": "提供商。",
  "pb.FindACMEProviderWithCodeResponse.acmeProvider": "提供商；不存在时省略。",
  "pb.FindAllACMEProvidersRequest": "空请求。",
  "pb.FindAllACMEProvidersResponse": "所有提供商。",
  "pb.FindAllACMEProvidersResponse.acmeProviders": "先是内置提供商，然后是安装实例配置中的提供商。",
};
