/**
 * Reads and writes the encodings of messages: the JSON of clients, and protobuf bytes that are kept as they came.
 *
 * Most plugins need only `jsonField` and `jsonBytes`, which `edgehelm` exports, for request fields that carry JSON. This
 * module adds lists of messages (`jsonListField`, `jsonListBytes`), the codec itself, and readers for handlers that keep
 * encoded messages without decoding them (`encoded`), which is worth it where messages are many, such as access logs.
 *
 * @example
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 * import { create, toBinary } from "@bufbuild/protobuf";
 * import { TimeDurationSchema } from "edgehelm/proto/shapes/time_duration_pb.js";
 * import { checkText, jsonCodec, jsonListField, textOf, WireReader } from "edgehelm/wire";
 *
 * // JSON inside a bytes field of a request
 * const bytes = new TextEncoder().encode('[{"count": 5, "unit": "minute"}]');
 * const [duration] = jsonListField("durationsJSON", bytes, TimeDurationSchema) ?? [];
 * equal(duration?.unit, "minute");
 * equal(jsonCodec(TimeDurationSchema).encode({ count: 5n, unit: "minute" }), '{"count":5,"unit":"minute"}');
 *
 * // the fields of an encoded message, without decoding all of it
 * const encodedDuration = toBinary(TimeDurationSchema, create(TimeDurationSchema, { count: 5n, unit: "minute" }));
 * const units: string[] = [];
 * const reader = new WireReader(encodedDuration);
 * while (reader.next()) {
 *   if (reader.field === TimeDurationSchema.field.unit.number) {
 *     reader.span();
 *     const { from, to } = reader;
 *     units.push(textOf(encodedDuration, from, to, checkText(encodedDuration, from, to)));
 *   } else {
 *     reader.skip();
 *   }
 * }
 * deepEqual(units, ["minute"]);
 * ```
 *
 * @module
 */
export { hexText } from "../base/hex.ts";
export { encoded, type EncodedHandler } from "../calls/encoded.ts";
export type { Handler } from "../plugin_api/handlers.ts";
export { constantMessage } from "../protobuf/json/constant_message.ts";
export { type JsonCodec, jsonCodec } from "../protobuf/json/codec.ts";
export { type JsonContent, jsonContentOf, type JsonType } from "../protobuf/json_content.ts";
export { jsonListBytes, jsonListField } from "../protobuf/json/json_field.ts";
export { textValuesOf } from "../protobuf/text_values.ts";
export { WireError, WireReader, WireType } from "../protobuf/wire/reader.ts";
export { checkText, textOf } from "../protobuf/wire/text.ts";
