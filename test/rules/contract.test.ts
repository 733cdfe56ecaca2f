import type { DescField, DescMessage, DescMethod } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { generatedMessages, generatedServices, root } from "./generated.ts";

interface Operation {
  readonly name: string;
  readonly request: string;
  readonly response: string;
}

interface Field {
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly repeated: boolean;
}

/** The contract of a service with its clients, as stored in test/rules/contract. */
interface Contract {
  readonly operations: readonly Operation[];
  readonly messages: Readonly<Record<string, readonly Field[]>>;
}

const RESTRICTION: Field = { number: 101, name: "restriction", type: "UserAccessKeyRestriction", repeated: false };
const EMAIL: Field = { number: 101, name: "email", type: "string", repeated: false };
const IP: Field = { number: 101, name: "ip", type: "string", repeated: false };

/** Our fields in messages of the contract, numbered from 101 to avoid conflicts with later fields of the contract. */
const ADDITIONS: Contract["messages"] = {
  CreatePlanRequest: [{ number: 101, name: "quotasJSON", type: "bytes", repeated: false }],
  UpdatePlanRequest: [{ number: 101, name: "quotasJSON", type: "bytes", repeated: false }],
  CreateNodeClusterRequest: [{ number: 101, name: "openToJSON", type: "bytes", repeated: false }],
  UpdateNodeClusterRequest: [{ number: 101, name: "openToJSON", type: "bytes", repeated: false }],
  FindNSDomainVerifyingInfoResponse: [{ number: 101, name: "txtName", type: "string", repeated: false }],
  NodeCluster: [{ number: 101, name: "openToJSON", type: "optional bytes", repeated: false }],
  CreateNSClusterRequest: [{ number: 101, name: "openToJSON", type: "bytes", repeated: false }],
  UpdateNSClusterRequest: [{ number: 101, name: "openToJSON", type: "bytes", repeated: false }],
  NSCluster: [{ number: 101, name: "openToJSON", type: "optional bytes", repeated: false }],
  Plan: [{ number: 101, name: "quotasJSON", type: "optional bytes", repeated: false }],
  CreateNSDomainGroupRequest: [{ number: 101, name: "userId", type: "int64", repeated: false }],
  CountUnreadMessagesRequest: [{ number: 101, name: "includeRead", type: "bool", repeated: false }],
  ListUnreadMessagesRequest: [{ number: 101, name: "includeRead", type: "bool", repeated: false }],
  Message: [{ number: 101, name: "subject", type: "string", repeated: false }],
  MessageTask: [
    { number: 101, name: "attempts", type: "int32", repeated: false },
    { number: 102, name: "nextAttemptAt", type: "int64", repeated: false },
  ],
  ReportResult: [
    { number: 101, name: "reportNodeName", type: "optional string", repeated: false },
    { number: 102, name: "location", type: "optional string", repeated: false },
    { number: 103, name: "isp", type: "optional string", repeated: false },
  ],
  MessageRecipient: [{ number: 101, name: "nodeClusterIds", type: "int64", repeated: true }],
  CreateReverseProxyRequest: [{ number: 101, name: "isShared", type: "bool", repeated: false }],
  CreateUserAccessKeyRequest: [RESTRICTION],
  UpdateUserAccessKeyIsOnRequest: [RESTRICTION],
  UserAccessKey: [RESTRICTION],
  UserOrder: [
    { number: 101, name: "currency", type: "string", repeated: false },
    { number: 102, name: "refundedAmount", type: "double", repeated: false },
    { number: 103, name: "problem", type: "string", repeated: false },
  ],
  UserAccount: [{ number: 101, name: "debt", type: "double", repeated: false }],
  CreateUserAccessKeyResponse: [
    { number: 101, name: "uniqueId", type: "string", repeated: false },
    { number: 102, name: "secret", type: "string", repeated: false },
  ],
  FindAllAdminModulesRequest: [{ number: 101, name: "withInstalled", type: "bool", repeated: false }],
  FindAllAdminModulesResponse: [{ number: 101, name: "installedJSON", type: "optional bytes", repeated: false }],
  CountLogRequest: [{ number: 101, name: "source", type: "string", repeated: false }],
  ListLogsRequest: [{ number: 101, name: "source", type: "string", repeated: false }],
  Log: [{ number: 101, name: "source", type: "string", repeated: false }],
  LoginAdminRequest: [IP],
  LoginUserRequest: [IP],
  CreateACMEProviderAccountRequest: [EMAIL],
  UpdateACMEProviderAccountRequest: [EMAIL],
  ACMEProviderAccount: [EMAIL, { number: 102, name: "isRegistered", type: "bool", repeated: false }],
  ACMEUser: [
    { number: 101, name: "isRegistered", type: "bool", repeated: false },
    { number: 102, name: "error", type: "string", repeated: false },
  ],
  ACMETask: [
    { number: 101, name: "step", type: "string", repeated: false },
    { number: 102, name: "nextAt", type: "int64", repeated: false },
    { number: 103, name: "countFailures", type: "int64", repeated: false },
  ],
  SendUserEmailVerificationRequest: [{ number: 101, name: "password", type: "string", repeated: false }],
  SendUserVerifyCodeRequest: [IP],
  UploadNSRecordHourlyStatsRequest: [
    { number: 101, name: "domainStats", type: "NSDomainHourlyStat", repeated: true },
    { number: 102, name: "uploadId", type: "string", repeated: false },
  ],
  ValidateUserVerifyCodeRequest: [IP],
  UpdateUserLoginRequest: [{ number: 101, name: "oldPassword", type: "string", repeated: false }],
};

/** Our operations in services of the contract. */
const OWN_OPERATIONS: Readonly<Record<string, readonly Operation[]>> = {
  ACMEProviderAccountService: [{
    name: "changeACMEProviderAccountKey",
    request: "ChangeACMEProviderAccountKeyRequest",
    response: "RPCSuccess",
  }],
  ACMEUserService: [{ name: "changeACMEUserKey", request: "ChangeACMEUserKeyRequest", response: "RPCSuccess" }],
  ACMETaskService: [
    { name: "listACMETaskLogs", request: "ListACMETaskLogsRequest", response: "ListACMETaskLogsResponse" },
    { name: "revokeACMETaskCert", request: "RevokeACMETaskCertRequest", response: "RPCSuccess" },
  ],
  MessageMediaInstanceService: [{
    name: "findMessageMediaInstanceSecrets",
    request: "FindMessageMediaInstanceSecretsRequest",
    response: "FindMessageMediaInstanceSecretsResponse",
  }],
  MessageReceiverService: [{
    name: "findAllMessageReceiverTypes",
    request: "FindAllMessageReceiverTypesRequest",
    response: "FindAllMessageReceiverTypesResponse",
  }],
  ReportResultService: [{
    name: "findReportResultRegions",
    request: "FindReportResultRegionsRequest",
    response: "FindReportResultRegionsResponse",
  }],
  NSRecordHourlyStatService: [
    {
      name: "findLatestNSDomainHourlyStats",
      request: "FindLatestNSDomainHourlyStatsRequest",
      response: "FindLatestNSDomainHourlyStatsResponse",
    },
    { name: "sumNSDomainStats", request: "SumNSDomainStatsRequest", response: "SumNSDomainStatsResponse" },
  ],
  NSRecordService: [
    {
      name: "listNSRecordHealthStates",
      request: "ListNSRecordHealthStatesRequest",
      response: "ListNSRecordHealthStatesResponse",
    },
    {
      name: "countNSRecordHealthStates",
      request: "CountNSRecordHealthStatesRequest",
      response: "RPCCountResponse",
    },
  ],
  LogService: [{ name: "findLog", request: "FindLogRequest", response: "FindLogResponse" }],
};

/** Our messages that messages of the contract contain. */
const OWN_MESSAGES = [
  ...["UserAccessKeyRestriction", "MessageReceiverType", "ReportResultRegion", "NSDomainHourlyStat"],
  ...["SumNSDomainStatsResponse.Sum", "SumNSDomainStatsResponse.RecordSum"],
  ...["NSRecordHealthState", "NSRecordHealthState.Report"],
];

/** Services of the package that are not part of the contract. */
const OWN_SERVICES = [
  "ConsoleSessionService",
  "HelloWorldService",
  "InstallationService",
  "NSDNSSECService",
  "NSZoneFileService",
  "NSZoneService",
  "NodeInstallationService",
  "UserInvoiceService",
  "UserOrderRefundService",
];

const contractFolder = `${root}test/rules/contract`;
const names = readdirSync(contractFolder).map((file) => file.replace(".json", ""));
const common = "_common";
const services = names.filter((name) => name !== common);
const commonMessages = Object.keys(read(common).messages);

const methods = new Map<string, readonly DescMethod[]>();
const messages = new Map<string, DescMessage>();

beforeAll(async () => {
  for (const service of await generatedServices()) methods.set(service.typeName, service.methods);
  for (const message of await generatedMessages()) messages.set(message.typeName, message);
});

function read(name: string): Contract {
  return JSON.parse(readFileSync(`${contractFolder}/${name}.json`, "utf8"));
}

function typeOf(field: DescField): string {
  const type = field.message ?? field.enum;
  if (type !== undefined) {
    const own = `${field.parent.typeName}.`;
    return type.typeName.startsWith(own) ? type.typeName.slice(own.length) : type.typeName.replace(/^pb\./, "");
  }
  const optional = field.fieldKind === "scalar" && field.presence !== FeatureSet_FieldPresence.IMPLICIT;
  return (optional ? "optional " : "") + ScalarType[field.scalar ?? 0]?.toLowerCase();
}

function fieldOf(field: DescField): Field {
  return {
    number: field.number,
    name: field.name,
    type: field.fieldKind === "map" ? `map of ${typeOf(field)}` : typeOf(field),
    repeated: field.fieldKind === "list",
  };
}

function operationOf(method: DescMethod): Operation {
  const [clientStreams, serverStreams] = {
    unary: [false, false],
    client_streaming: [true, false],
    server_streaming: [false, true],
    bidi_streaming: [true, true],
  }[method.methodKind] as [boolean, boolean];
  return {
    name: method.name,
    request: (clientStreams ? "stream " : "") + method.input.name,
    response: (serverStreams ? "stream " : "") + method.output.name,
  };
}

/** Returns the names of all messages that methods use, directly or nested. */
function reachableMessages(from: readonly DescMethod[]): string[] {
  const reachable = new Set<DescMessage>(from.flatMap((method) => [method.input, method.output]));
  for (const message of reachable) {
    for (const field of message.fields) if (field.message !== undefined) reachable.add(field.message);
  }
  return [...reachable].map((message) => message.typeName.replace(/^pb\./, ""));
}

test("every service of the package is in the contract or an own service", () => {
  const served = [...methods.keys()].filter((name) => name.startsWith("pb.")).map((name) => name.slice("pb.".length));
  expect(served.sort()).toEqual([...services, ...OWN_SERVICES].sort());
});

test.each(services)("%s has exactly the operations of the contract", (service) => {
  const own = OWN_OPERATIONS[service] ?? [];
  const served = methods.get(`pb.${service}`)?.map(operationOf) ?? [];
  const isOwn = ({ name }: Operation) => own.some((operation) => operation.name === name);
  expect(served.filter((operation) => !isOwn(operation))).toEqual(read(service).operations);
  expect(served.filter(isOwn)).toEqual(own);
});

test.each(services)("%s uses exactly the messages of the contract", (service) => {
  const ofOperations = (OWN_OPERATIONS[service] ?? []).flatMap(({ request, response }) => [request, response]);
  const known = [...commonMessages, ...OWN_MESSAGES, ...ofOperations];
  const own = reachableMessages(methods.get(`pb.${service}`) ?? []).filter((name) => !known.includes(name));
  expect(own.sort()).toEqual(Object.keys(read(service).messages).sort());
});

describe.each(names)("%s", (name) => {
  test.each(Object.entries(read(name).messages))("%s has the fields of the contract", (message, fields) => {
    const expected = [...fields, ...ADDITIONS[message] ?? []].sort((a, b) => a.number - b.number);
    const actual = messages.get(`pb.${message}`)?.fields.map(fieldOf).sort((a, b) => a.number - b.number);
    expect(actual).toEqual(expected);
  });
});
