import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";

/** A file as it stands beside its content. */
export interface FileSummary {
  readonly id: bigint;
  /** How many bytes the content has. */
  readonly size: bigint;
  readonly isFinished: boolean;
}

/** What other plugins may ask of files. */
export interface Files {
  /** The file, if it exists and the caller may read it. */
  findReadable(call: Call, fileId: bigint): Promise<FileSummary | undefined>;
  /** The file; refuses, naming it, unless it exists and the caller may change it. */
  requireOwned(call: Call, fileId: bigint): Promise<FileSummary>;
}
export const Files: Contract<Files> = defineContract("file");

/** Keeps the content of files. */
export interface FileContents {
  /** How many bytes of a file it has. */
  receivedBytes(call: Call, fileId: bigint): Promise<bigint>;
  /** Lets go of the content of files that are deleted; it may take its time with the bytes. */
  drop(call: Call, fileIds: readonly bigint[]): Promise<void>;
}
export const FileContents: ExtensionPoint<FileContents> = defineExtensionPoint("file.contents");
