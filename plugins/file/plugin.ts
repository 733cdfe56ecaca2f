import { definePlugin, type Plugin } from "edgehelm";
import { userRemoval, UserRemovals } from "../user/contract.ts";
import { fileContract, removeFiles } from "./access.ts";
import { FileContents, Files } from "./contract.ts";
import { errors } from "./errors.ts";
import { fileHandlers } from "./handlers.ts";
import * as createFiles from "./migrations/0001_create_files.ts";
import manifest from "./plugin.json" with { type: "json" };
import { removeAbandoned } from "./retention.ts";
import { FileService } from "./proto/service_file_pb.ts";
import { fileStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  migrations: { "0001_create_files": createFiles },
  setup({ db, clock, serve, provide, contribute, contributions, every }) {
    const files = fileStore(db<Tables>());
    const contents = contributions(FileContents);
    serve(FileService, fileHandlers(files, contents, clock));
    provide(Files, fileContract(files));
    contribute(UserRemovals, userRemoval(files.someOfUser, (call, ids) => removeFiles(call, files, contents, ids)));
    const run = removeAbandoned(files, contents, clock);
    every({ name: "remove_abandoned", everySeconds: 3600, run });
  },
});
export default plugin;
