/**
 * The public interface for plugins, imported as `edgehelm`. What is not exported here may change at any time.
 *
 * @module
 */
export { type Call, type Caller, callerId, type TokenRole } from "./call.ts";
export { addDays, addMonths, compactDay, dayField, dayOfMonth, daysField, type TimeSpan, today } from "./calendar.ts";
export { type Clock, unixSeconds } from "./clock.ts";
export { type Contract, defineContract, defineExtensionPoint, type ExtensionPoint, optional } from "./contract.ts";
export { distinct } from "./distinct.ts";
export { ddosProtectionRule } from "./ddos_protection.ts";
export { type DeployPackage, deployPackages, latestPackage, versionCode } from "./deploy_packages.ts";
export { encoded, type EncodedHandler } from "./encoded.ts";
export { defineErrors, type ErrorKind, invalid, kernelErrors, RpcError } from "./errors.ts";
export {
  idField,
  listField,
  MAX_LIST_LENGTH,
  referencesField,
  textField,
  timeZoneField,
  usernameField,
  wordField,
} from "./fields.ts";
export { type Gate, gate } from "./gate.ts";
export type { Handler, Handlers } from "./handlers.ts";
export { type HostPart, hostPart, type HostPlace, type OpenHost } from "./host_part.ts";
export { type JsonCodec, jsonCodec } from "./json/codec.ts";
export { jsonBytes, jsonField, jsonListBytes, jsonListField } from "./json/json_field.ts";
export type { LogFields, Logger } from "./log.ts";
export type { Counter, PluginMetrics } from "./metrics.ts";
export {
  amountField,
  amountNumber,
  amountText,
  type MoneyOptions,
  RATE_UNITS_PER_AMOUNT_UNIT,
  rateField,
  rateNumber,
} from "./money.ts";
export {
  addressField,
  addressVersion,
  asciiHostName,
  hostNameField,
  ipAddressField,
  portRangeField,
} from "./network_fields.ts";
export {
  apiAddressesJSON,
  directoryField,
  type NodeLogin,
  nodeLoginField,
  type NodeReport,
  nodeReportField,
} from "./node_fields.ts";
export { idOrNoneField, numberField, portField } from "./number_fields.ts";
export type { NodeMessage } from "./node_stream.ts";
export { onlyOwned, ownerOf, owns, requireOwned } from "./ownership.ts";
export { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type Page, pageOf } from "./page.ts";
export { pick } from "./pick.ts";
export { inPieces } from "./pieces.ts";
export {
  definePlugin,
  type FetchHandler,
  type Job,
  type Plugin,
  type PluginManifest,
  type PluginSpec,
  type Setup,
} from "./plugin.ts";
export type { DefaultFlag, DefaultInt32, Flag, Int32 } from "./storage/columns.ts";
export { durationField, durationJSON, orKept, sizeField, sizeJSON } from "./shape_fields.ts";
export type { Db } from "./storage/database.ts";
export { jsonRows } from "./storage/json_rows.ts";
export { isLive, type LiveRows, liveRows, ownedRows, rowCount } from "./storage/live_rows.ts";
export { type BucketCounts, type IdRanges, idRanges } from "./storage/id_ranges.ts";
export { anyOf, containing } from "./storage/parameters.ts";
export { perShape } from "./storage/per_shape.ts";
export type { Query } from "./storage/query.ts";
export {
  type TrigramIndex,
  trigramIndex,
  trigramQuery,
  type TrigramSource,
  type TrigramTables,
} from "./storage/trigram_index.ts";
export { refuseWhenUsed, type UseCheck } from "./uses.ts";
export { PROGRAM_VERSION } from "./version.ts";
export { WireFault, WireReader, WireType } from "./wire/reader.ts";
export { checkText, textOf } from "./wire/text.ts";

// What the kernel offers to plugins as contracts, and the points at which plugins extend it.
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
export { type ChosenAccessKey, type Command, Commands, FirstStart, type FirstStartTask } from "./extension_points.ts";
export { PasswordHashing, Secrets } from "./kernel_contracts.ts";
export { type NodeKind, type NodeLinks, type NodeNews, type NodeReply, NodeStreams } from "./node_streams.ts";
