import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { emptyNullJson } from "../../../core/calls/null_json.ts";
import {
  CreateServerRequestSchema,
  ListEnabledServersMatchResponseSchema,
} from "../../../plugins/server/proto/service_server_pb.ts";
import { CreateSSLCertRequestSchema } from "../../../plugins/ssl_cert/proto/service_ssl_cert_pb.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (value: Uint8Array) => new TextDecoder().decode(value);

test("fields with JSON that contain null are emptied, and no others", () => {
  const request = create(CreateServerRequestSchema, {
    httpJSON: bytes("null"),
    httpsJSON: bytes('{"isOn":null}'),
    serverNamesJSON: bytes("[null]"),
    name: "null",
  });
  emptyNullJson(CreateServerRequestSchema, request);
  expect(text(request.httpJSON)).toBe("");
  expect(text(request.httpsJSON)).toBe('{"isOn":null}');
  expect(text(request.serverNamesJSON)).toBe("[null]");
  expect(request.name).toBe("null");
  const certificate = create(CreateSSLCertRequestSchema, { certData: bytes("null") });
  emptyNullJson(CreateSSLCertRequestSchema, certificate);
  expect(text(certificate.certData)).toBe("null");
});

test("nested messages are emptied too", () => {
  const message = create(ListEnabledServersMatchResponseSchema, {
    servers: [{ udpJSON: bytes("null") }, { tcpJSON: bytes("{}") }],
  });
  emptyNullJson(ListEnabledServersMatchResponseSchema, message);
  expect(message.servers.map(({ udpJSON, tcpJSON }) => text(udpJSON) + text(tcpJSON))).toEqual(["", "{}"]);
});
