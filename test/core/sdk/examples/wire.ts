import { deepEqual, equal } from "node:assert/strict";
import { create, toBinary } from "@bufbuild/protobuf";
import { TimeDurationSchema } from "edgehelm/proto/shapes/time_duration_pb.js";
import { checkText, jsonCodec, jsonListField, textOf, WireReader } from "edgehelm/wire";

// JSON inside a bytes field of a request
const bytes = new TextEncoder().encode('[{"count": 5, "unit": "minute"}]');
const [duration] = jsonListField("durationsJSON", bytes, TimeDurationSchema) ?? [];
equal(duration?.unit, "minute");
equal(jsonCodec(TimeDurationSchema).encode({ count: 5n, unit: "minute" }), '{"count":5,"unit":"minute"}');

// the fields of an encoded message, without decoding all of it
const encodedDuration = toBinary(TimeDurationSchema, create(TimeDurationSchema, { count: 5n, unit: "minute" }));
const units: string[] = [];
const reader = new WireReader(encodedDuration);
while (reader.next()) {
  if (reader.field === TimeDurationSchema.field.unit.number) {
    reader.span();
    const { from, to } = reader;
    units.push(textOf(encodedDuration, from, to, checkText(encodedDuration, from, to)));
  } else {
    reader.skip();
  }
}
deepEqual(units, ["minute"]);
