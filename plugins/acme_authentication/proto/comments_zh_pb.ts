// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.ACMEAuthenticationService": "向边缘节点提供对 ACME 提供商提问的应答。",
  "pb.ACMEAuthenticationService.findACMEAuthenticationKeyWithToken": "查找节点对 GET /.well-known/acme-challenge/<token> 的应答（RFC 8555 第 8.3 节）。节点只能得到其集群所服务站点的名称的应答。",
  "pb.FindACMEAuthenticationKeyWithTokenRequest": "提供商的提问。",
  "pb.FindACMEAuthenticationKeyWithTokenRequest.token": "提问路径中的令牌。",
  "pb.FindACMEAuthenticationKeyWithTokenResponse": "应答。",
  "pb.FindACMEAuthenticationKeyWithTokenResponse.key": "应答正文；令牌未知或节点的集群不服务该站点时为空。",
};
