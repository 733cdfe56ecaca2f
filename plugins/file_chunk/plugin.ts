import { definePlugin, type Plugin } from "edgehelm";
import { FileContents, Files } from "../file/contract.ts";
import { fileContents, removeDropped } from "./contents.ts";
import { errors } from "./errors.ts";
import { fileChunkHandlers } from "./handlers.ts";
import * as createFileChunks from "./migrations/0001_create_file_chunks.ts";
import manifest from "./plugin.json" with { type: "json" };
import { FileChunkService } from "./proto/service_file_chunk_pb.ts";
import { fileChunkStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_file_chunks": createFileChunks },
  requires: { files: Files },
  setup({ db, deps: { files }, serve, contribute, every }) {
    const chunks = fileChunkStore(db<Tables>());
    serve(FileChunkService, fileChunkHandlers(chunks, files));
    contribute(FileContents, fileContents(chunks));
    every({ name: "remove_dropped", everySeconds: 60, run: (call) => removeDropped(call, chunks) });
  },
});
export default plugin;
