import { create, type JsonObject } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { ruleWithoutSecrets, withoutSecretOptions } from "../../../plugins/http_firewall_rule_set/secrets.ts";
import { HTTPFirewallRuleSchema } from "../../../proto/shapes/http_firewall_pb.ts";

const rule = (fields: object) => create(HTTPFirewallRuleSchema, { operator: "eq string", value: "value", ...fields });

describe("a shared rule", () => {
  test.each(["${requestURI}", "${requestPath}", "${remoteAddr}", "${arg.page}", "${requestUpload.ext}", "${cc2}"])(
    "shows the value that it compares with %s",
    (param) => expect(ruleWithoutSecrets(rule({ param })).value).toBe("value"),
  );

  test.each([
    ...["${header.authorization}", "${cookie.session}", "${userAgent}", "${referer}", "${host}", "${requestAll}"],
    ...["${requestPath}${header.x}", "${HEADER.x}", "${unknown}", "${requestHeaderLength}"],
  ])("hides the value that it compares with %s", (param) => {
    expect(ruleWithoutSecrets(rule({ param }))).toMatchObject({ param, operator: "eq string", value: "" });
  });

  test("hides headers and credentials in the settings of filters and counters", () => {
    const options = { apiKey: "a", nested: [{ Authorization: "b", limit: 3 }] };
    const visible = { nested: [{ limit: 3 }] };
    const hidden = ruleWithoutSecrets(rule({
      param: "${cc2}",
      paramFilters: [{ code: "sign", options }, { code: "md5" }],
      checkpointOptions: options,
    }));
    expect(hidden.paramFilters).toMatchObject([{ code: "sign", options: visible }, { code: "md5" }]);
    expect(hidden.paramFilters[0]!.options).toEqual(visible);
    expect(hidden.checkpointOptions).toEqual(visible);
  });
});

test("a shared action shows no headers and no tokens", () => {
  const options = { status: 403, responseHeaders: { "x-internal": "a" }, url: "/login", token: "b" };
  expect(withoutSecretOptions({ code: "page", options })).toEqual({
    code: "page",
    options: { status: 403, url: "/login" },
  });
  const plain: { readonly code: string; readonly options?: JsonObject } = { code: "log" };
  expect(withoutSecretOptions(plain)).toBe(plain);
});
