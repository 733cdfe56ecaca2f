import type { DescFile, DescMessage, DescService } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root: string = fileURLToPath(new URL("../..", import.meta.url));

/** Returns the sorted relative paths of the generated files below a folder, which defaults to the repository. */
export function generatedPaths(base: string = root): string[] {
  return ["plugins", "proto"]
    .flatMap((folder) => readdirSync(`${base}${folder}`, { recursive: true }).map((path) => `${folder}/${path}`))
    .filter((path) => path.endsWith("_pb.ts"))
    .sort();
}

/** Returns the descriptors in the committed generated files. */
export async function generatedFiles(): Promise<DescFile[]> {
  const modules: Record<string, unknown>[] = await Promise.all(generatedPaths().map((path) => import(root + path)));
  return modules.flatMap((module) => Object.values(module).filter(isFile));
}

/** Returns the services of plugins, without the standard gRPC services, which declare neither roles nor effects. */
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
