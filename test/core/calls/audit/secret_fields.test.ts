import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { shownSecrets } from "../../../../core/calls/audit/secret_fields.ts";
import { MetricChartSchema } from "../../../../proto/models/metric_chart_pb.ts";

const shown = (json: string) =>
  shownSecrets(
    MetricChartSchema,
    create(MetricChartSchema, { id: 7n, paramsJSON: new TextEncoder().encode(json) }),
  );

test.each([
  '{"password":"x"}',
  '{"items":[{"inner":{"accessKey":"x"}}]}',
  String.raw`{"\u0070assword":"x"}`,
  String.raw`{"passwor\u0064":"x"}`,
])("a member with the name of a secret in JSON is found: %s", (json) => {
  expect(shown(json)).toEqual(["MetricChart/7"]);
});

test.each([
  "{}",
  '{"password":""}',
  '{"password":"******"}',
  '{"passwordHint":"x"}',
  '{"text":"password"}',
  "{not JSON, password",
])(
  "JSON without a secret shows none: %s",
  (json) => expect(shown(json)).toEqual([]),
);
