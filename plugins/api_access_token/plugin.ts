import { definePlugin, type Plugin } from "edgehelm";
import { AccessTokens } from "edgehelm/auth";
import manifest from "./plugin.json" with { type: "json" };
import { APIAccessTokenService } from "./proto/service_api_access_token_pb.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  requires: { tokens: AccessTokens },
  setup({ serve, deps: { tokens } }) {
    serve(APIAccessTokenService, {
      getAPIAccessToken: ({ type, accessKeyId, accessKey }, call) => tokens.issue(call, type, accessKeyId, accessKey),
    });
  },
});
export default plugin;
