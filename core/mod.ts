/**
 * The public interface for plugins, imported as `edgehelm`. Anything that is not exported here may change at any time.
 *
 * @module
 */
export { type Call, type Caller, callerId, type TokenRole } from "./base/call.ts";
export {
  addDays,
  addMonths,
  compactDay,
  dayField,
  dayOfMonth,
  daysField,
  type TimeSpan,
  today,
} from "./fields/calendar.ts";
export { type Clock, unixSeconds } from "./base/clock.ts";
export { type Contract, defineContract, defineExtensionPoint, type ExtensionPoint, optional } from "./base/contract.ts";
export { distinct } from "./base/distinct.ts";
export { ddosProtectionRule } from "./fields/ddos_protection.ts";
export { type DeployPackage, deployPackages, latestPackage, versionCode } from "./nodes/deploy_packages.ts";
export { encoded, type EncodedHandler } from "./calls/encoded.ts";
export { defineErrors, type ErrorKind, invalid, kernelErrors, RpcError } from "./base/errors.ts";
export {
  choiceField,
  idField,
  listField,
  MAX_LIST_LENGTH,
  referencesField,
  textField,
  timeZoneField,
  usernameField,
} from "./fields/fields.ts";
export { type Gate, gate } from "./base/gate.ts";
export type { Handler, Handlers } from "./plugin_api/handlers.ts";
export { type HostContext, type HostPart, hostPart, type OpenHost } from "./plugin_api/host_part.ts";
export { type JsonCodec, jsonCodec } from "./protobuf/json/codec.ts";
export { jsonBytes, jsonField, jsonListBytes, jsonListField } from "./protobuf/json/json_field.ts";
export type { LogFields, Logger } from "./base/log.ts";
export type { Counter, PluginMetrics } from "./base/metrics.ts";
export {
  amountField,
  amountNumber,
  amountText,
  type MoneyOptions,
  RATE_UNITS_PER_AMOUNT_UNIT,
  rateField,
  rateNumber,
} from "./fields/money.ts";
export {
  addressField,
  addressVersion,
  asciiHostName,
  hostNameField,
  ipAddressField,
  portRangeField,
} from "./fields/network_fields.ts";
export {
  apiAddressesJSON,
  directoryField,
  type NodeLogin,
  nodeLoginField,
  type NodeReport,
  nodeReportField,
} from "./nodes/node_fields.ts";
export { idOrNoneField, numberField, portField } from "./fields/number_fields.ts";
export type { NodeMessage } from "./nodes/node_stream.ts";
export { mayAccessOwner, onlyOwned, ownerOf, requireOwned } from "./fields/ownership.ts";
export { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type Page, pageOf } from "./fields/page.ts";
export { pick } from "./base/pick.ts";
export { inBatches } from "./storage/batches.ts";
export {
  definePlugin,
  type FetchHandler,
  type Job,
  type Plugin,
  type PluginManifest,
  type PluginSpec,
  type Setup,
} from "./plugin_api/plugin.ts";
export type { DefaultFlag, DefaultInt32, Flag, Int32 } from "./storage/columns.ts";
export { durationField, durationJSON, orUnchanged, sizeField, sizeJSON } from "./fields/shape_fields.ts";
export type { Db } from "./storage/database.ts";
export { jsonRows } from "./storage/json_rows.ts";
export { isLive, type LiveRows, liveRows, ownedRows, rowCount } from "./storage/live_rows.ts";
export { type BucketCounts, type IdRanges, idRanges } from "./storage/id_ranges.ts";
export { anyOf, containing } from "./storage/parameters.ts";
export { memoizeByShape } from "./storage/memoize_by_shape.ts";
export type { Query } from "./storage/query.ts";
export {
  type TrigramIndex,
  trigramIndex,
  trigramQuery,
  type TrigramSource,
  type TrigramTables,
} from "./storage/trigram_index.ts";
export { refuseWhenUsed, type UseCheck } from "./plugin_api/uses.ts";
export { PROGRAM_VERSION } from "./base/version.ts";
export { WireError, WireReader, WireType } from "./protobuf/wire/reader.ts";
export { checkText, textOf } from "./protobuf/wire/text.ts";

// The contracts that the kernel provides, and the extension points that it owns.
export {
  AccessTokens,
  type CredentialHolder,
  type CredentialSource,
  CredentialSources,
  type IssuedToken,
} from "./auth/credentials.ts";
export { LoginAttempts } from "./auth/login_attempts.ts";
export { constantTimeEqual, newAccessKeyId, newAccessKeySecret, randomAlphanumerics } from "./auth/random.ts";
export { type NodeCredentialRow, nodeCredentials, type NodeCredentialStore } from "./auth/node_credentials.ts";
export { type SealedSecrets, sealedSecrets } from "./auth/sealed_secrets.ts";
export type { SealedPlace, Sealer } from "./auth/sealer.ts";
export {
  type ChosenAccessKey,
  type Command,
  Commands,
  FirstStart,
  type FirstStartTask,
} from "./plugin_api/extension_points.ts";
export { PasswordHashing, Secrets } from "./kernel/kernel_contracts.ts";
export { type NodeKind, type NodeLinks, type NodeNews, type NodeReply, NodeStreams } from "./nodes/node_streams.ts";
