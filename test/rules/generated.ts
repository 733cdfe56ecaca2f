import type { DescFile, DescMessage, DescService } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root: string = fileURLToPath(new URL("../..", import.meta.url));

/** Paths of the generated files below a folder, by default the committed ones; relative to it and sorted. */
export function generatedPaths(base: string = root): string[] {
  return ["plugins", "proto"]
    .flatMap((folder) => readdirSync(`${base}${folder}`, { recursive: true }).map((path) => `${folder}/${path}`))
    .filter((path) => path.endsWith("_pb.ts"))
    .sort();
}

/** The descriptors inside the committed generated files. */
export async function generatedFiles(): Promise<DescFile[]> {
  const modules: Record<string, unknown>[] = await Promise.all(generatedPaths().map((path) => import(root + path)));
  return modules.flatMap((module) => Object.values(module).filter(isFile));
}

/** The services of plugins; not those that gRPC itself defines, which say nothing of roles and effects. */
export async function generatedServices(): Promise<DescService[]> {
  const services = (await generatedFiles()).flatMap((file) => file.services);
  return services.filter(({ typeName }) => !typeName.startsWith("grpc."));
}

export async function generatedMessages(): Promise<DescMessage[]> {
  const types = (await generatedFiles()).flatMap((file) => [...nestedTypes(file)]);
  return types.filter((type) => type.kind === "message");
}

function isFile(exported: unknown): exported is DescFile {
  return typeof exported === "object" && exported !== null && "kind" in exported && exported.kind === "file";
}
