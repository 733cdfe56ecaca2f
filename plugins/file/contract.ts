import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";

/** A file, as seen by the plugins that store its content. */
export interface FileSummary {
  readonly id: bigint;
  /** The owner; 0 means the installation. */
  readonly userId: bigint;
  readonly filename: string;
  /** The size of the content in bytes. */
  readonly size: bigint;
  readonly isFinished: boolean;
}

/** Lets other plugins look up files. */
export interface Files {
  /** Returns the file if it exists and the caller may read it. */
  findReadable(call: Call, fileId: bigint): Promise<FileSummary | undefined>;
  /**
   * Returns the file.
   *
   * @throws `file.not_found` unless it exists and the caller may change it
   */
  requireOwned(call: Call, fileId: bigint): Promise<FileSummary>;
  /** Returns up to `bytes` bytes of the content from an offset; none after its end. Does not check who calls. */
  read(call: Call, fileId: bigint, offset: bigint, bytes: number): Promise<Uint8Array>;
  /** Deletes a file with its content, for the plugin that refers to it. Does not check who calls. */
  remove(call: Call, fileId: bigint): Promise<void>;
}
export const Files: Contract<Files> = defineContract("file");

/** Stores the content of files. */
export interface FileContents {
  /** Returns the number of bytes that were uploaded to a file. */
  receivedBytes(call: Call, fileId: bigint): Promise<bigint>;
  /** Returns up to `bytes` bytes of a file from an offset; none after its end. */
  read(call: Call, fileId: bigint, offset: bigint, bytes: number): Promise<Uint8Array>;
  /** Drops the content of deleted files; the bytes may be deleted later, in the background. */
  drop(call: Call, fileIds: readonly bigint[]): Promise<void>;
}
export const FileContents: ExtensionPoint<FileContents> = defineExtensionPoint("file.contents");
