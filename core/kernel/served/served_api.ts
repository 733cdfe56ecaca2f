import type { DescMethod } from "@bufbuild/protobuf";
import type { Caller } from "../../base/call.ts";
import type { CallerStandingSource } from "../../base/caller_standings.ts";
import { type Contract, defineContract } from "../../base/contract.ts";
import type { EffectName, Operation } from "../../calls/operation.ts";
import type { Comments, CommentsModule, Plugin } from "../../plugin_api/plugin.ts";
import { type OperationErrors, operationErrors } from "./operation_errors.ts";

/** A served operation, as far as documents and clients need it. */
export interface ServedOperation {
  /** The HTTP path `/<ServiceName>/<methodName>`. */
  readonly path: string;
  /** The gRPC path `/<package>.<ServiceName>/<rpcName>`. */
  readonly rpcPath: string;
  /** The plugin that serves it. */
  readonly plugin: string;
  readonly method: DescMethod;
  readonly roles: ReadonlySet<Caller["role"]>;
  /** The modules of which an admin needs one; empty if only super admins may call it. */
  readonly modules: readonly string[];
  readonly effect: EffectName;
}

/** Describes what an installation serves, for plugins that derive documents from it. */
export interface ServedApi {
  /** Returns all operations. They are complete when all plugins are set up. */
  operations(): readonly ServedOperation[];
  /** Loads the errors that each operation may give. */
  errors(): Promise<OperationErrors>;
  /**
   * Loads the comments of all proto files, by the full name of what they describe, such as `pb.User.fullname`.
   *
   * @param language such as `zh`; comments without a translation, and all without a language, are English
   */
  comments(language?: string): Promise<Comments>;
}

/**
 * The kernel's contract for the description of the API.
 *
 * @example
 * ```ts
 * requires: { api: ServedApi },
 * setup({ route, deps: { api } }) {
 *   route("/operations.txt", () => new Response(api.operations().map(({ path }) => `${path}\n`).join("")));
 * },
 * ```
 */
export const ServedApi: Contract<ServedApi> = defineContract("kernel.served_api");

/** Creates the description of the API that `plugins` serve. */
export function servedApi(
  plugins: readonly Plugin[],
  operations: readonly Operation[],
  standings: readonly CallerStandingSource[] = [],
): ServedApi {
  return {
    operations: () => operations,
    errors: () => operationErrors(plugins, standings),
    async comments(language) {
      const shared = [
        import("../../../proto/comments_pb.ts"),
        import("../../../proto/models/comments_pb.ts"),
        import("../../../proto/shapes/comments_pb.ts"),
      ];
      const own = plugins.flatMap(({ comments }) => comments === undefined ? [] : [comments()]);
      const modules = await Promise.all([...shared, ...own]);
      const translated = await Promise.all(modules.flatMap((module) => translation(module, language)));
      return Object.assign({}, ...[...modules, ...translated].map(({ comments }) => comments)) as Comments;
    },
  };
}

function translation({ translations = {} }: CommentsModule, language: string | undefined) {
  return language !== undefined && Object.hasOwn(translations, language) ? [translations[language]!()] : [];
}
