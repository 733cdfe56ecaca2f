import { stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { commentsModule, protoComments } from "../gen/proto_comments.ts";

/** Writes the comments in an encoded descriptor set beside the proto files that they stand in. */
export async function writeComments(root: string, descriptorSet: Uint8Array): Promise<string[]> {
  const written: string[] = [];
  for (const { folder, comments } of protoComments(descriptorSet)) {
    const path = resolve(root, folder);
    // the folders of imported files are elsewhere
    if (!await isFolder(path)) continue;
    await writeFile(join(path, "comments_pb.ts"), commentsModule(comments));
    written.push(folder);
  }
  return [`wrote the comments of ${written.length} folder${written.length === 1 ? "" : "s"}`];
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
