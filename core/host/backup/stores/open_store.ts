import type { BackupPlace } from "../../settings/backup_settings.ts";
import { FolderStore } from "./folder_store.ts";
import { S3Store } from "./s3_store.ts";
import type { BackupStore } from "./store.ts";

/** Opens the store of a place. Nothing is read or written yet. */
export function openStore(place: BackupPlace): BackupStore {
  return place.kind === "folder" ? new FolderStore(place.path) : new S3Store(place);
}
