import { type Clock, type Handlers, invalid, ownerOf, textField, unixSeconds } from "edgehelm";
import type { UserQuotas } from "../user_quota/contract.ts";
import { readableFile } from "./access.ts";
import type { FileContents } from "./contract.ts";
import { errors } from "./errors.ts";
import { requireFileQuotas } from "./quota.ts";
import type { FileService } from "./proto/service_file_pb.ts";
import type { FileStore } from "./store.ts";

/** 1 GiB. */
const MAX_FILE_BYTES = 2n ** 30n;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(;.*)?$/;

export function fileHandlers(
  files: FileStore,
  contents: readonly FileContents[],
  clock: Clock,
  quotas: UserQuotas | undefined,
): Handlers<typeof FileService> {
  return {
    async createFile({ size, isPublic, ...request }, call) {
      if (size < 0n || size > MAX_FILE_BYTES) {
        throw invalid("size", `must be 0 to ${MAX_FILE_BYTES} bytes, got ${size}`);
      }
      const userId = ownerOf(call, 0n);
      await requireFileQuotas(quotas, call, files, { userId, size });
      const { id } = await files.insert.one(call, {
        userId,
        filename: nameField("filename", request.filename),
        size,
        isPublic,
        mimeType: mediaTypeField("mimeType", request.mimeType),
        type: textField("type", request.type, { max: 64 }),
        createdAt: unixSeconds(clock),
      });
      return { fileId: id };
    },

    async findEnabledFile({ fileId }, call) {
      const row = await readableFile(files, call, fileId);
      if (row === undefined) return {};
      const { id, filename, size, createdAt, isPublic, mimeType, type } = row;
      return { file: { id, filename, size, createdAt, isPublic: isPublic === 1n, mimeType, type } };
    },

    async updateFileFinished({ fileId }, call) {
      const { id, size } = await files.require(call, "fileId", fileId);
      let received = 0n;
      for (const content of contents) received += await content.receivedBytes(call, id);
      if (received !== size) throw errors.incomplete(id, received, size);
      await files.finish.run(call, { id });
      return {};
    },
  };
}

function nameField(field: string, value: string): string {
  const name = textField(field, value, { min: 1 });
  // deno-lint-ignore no-control-regex
  if (!/[/\\\x00-\x1f]/.test(name) && name !== "." && name !== "..") return name;
  throw invalid(field, `must be a file name without a directory, got "${name.slice(0, 60)}"`);
}

function mediaTypeField(field: string, value: string): string {
  const type = textField(field, value);
  if (type === "" || MEDIA_TYPE.test(type)) return type;
  throw invalid(field, `must be a media type such as text/plain, got "${type.slice(0, 60)}"`);
}
