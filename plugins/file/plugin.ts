import { definePlugin, optional, type Plugin } from "edgehelm";
import { userRemoval, UserRemovals } from "../user/contract.ts";
import { UserQuotaDeclarations, UserQuotas } from "../user_quota/contract.ts";
import { fileContract, removeFiles } from "./access.ts";
import { FileContents, Files } from "./contract.ts";
import { errors } from "./errors.ts";
import { fileHandlers } from "./handlers.ts";
import * as createFiles from "./migrations/0001_create_files.ts";
import * as indexFileSizes from "./migrations/0002_index_file_sizes.ts";
import manifest from "./plugin.json" with { type: "json" };
import { FILE_BYTES, FILES } from "./quota.ts";
import { removeAbandoned } from "./retention.ts";
import { FileService } from "./proto/service_file_pb.ts";
import { fileStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_files": createFiles, "0002_index_file_sizes": indexFileSizes },
  requires: { quotas: optional(UserQuotas) },
  setup({ db, clock, deps: { quotas }, serve, provide, contribute, contributions, every }) {
    const files = fileStore(db<Tables>());
    const contents = contributions(FileContents);
    serve(FileService, fileHandlers(files, contents, clock, quotas));
    provide(Files, fileContract(files, contents));
    contribute(UserQuotaDeclarations, FILES);
    contribute(UserQuotaDeclarations, FILE_BYTES);
    contribute(UserRemovals, userRemoval(files.someOfUser, (call, ids) => removeFiles(call, files, contents, ids)));
    const run = removeAbandoned(files, contents, clock);
    every({ name: "remove_abandoned", everySeconds: 3600, run });
  },
});
export default plugin;
