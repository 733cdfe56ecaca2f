import type { MessageInitShape } from "@bufbuild/protobuf";
import { jsonBytes } from "edgehelm";
import { jsonListBytes } from "edgehelm/wire";
import { SizeCapacitySchema } from "edgehelm/proto/shapes/size_capacity_pb.js";
import { HTTPCacheRefSchema } from "./proto/shapes_pb.ts";

const STATIC_FILES = [
  ...[".html", ".js", ".css", ".csv"],
  ...[".gif", ".png", ".bmp", ".jpeg", ".jpg", ".webp", ".ico", ".svg", ".svgz", ".tif", ".tiff"],
  ...[".ttf", ".otf", ".eot", ".woff", ".woff2"],
  ...[".pdf", ".eps", ".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx"],
  ...[".wav", ".mp3", ".ogg", ".mid", ".midi", ".mp4", ".webm"],
];

/** The condition of a new policy: common static files are cached for two hours. */
const STATIC_FILES_REF: MessageInitShape<typeof HTTPCacheRefSchema> = {
  isOn: true,
  key: "${scheme}://${host}${requestURI}",
  life: { count: 2n, unit: "hour" },
  status: [200],
  minSize: { count: 0n, unit: "kb" },
  maxSize: { count: 32n, unit: "mb" },
  skipSetCookie: true,
  allowChunkedEncoding: true,
  allowPartialContent: true,
  simpleCond: {
    type: "url-extension",
    isRequest: true,
    param: "${requestPathLowerExtension}",
    operator: "in",
    value: JSON.stringify(STATIC_FILES),
  },
};

/** The values of fields that are left out when a policy is created. */
export const defaults = {
  capacityJSON: jsonBytes(SizeCapacitySchema, { count: 64n, unit: "gb" }),
  maxSizeJSON: jsonBytes(SizeCapacitySchema, { count: 256n, unit: "mb" }),
  refsJSON: jsonListBytes(HTTPCacheRefSchema, [STATIC_FILES_REF]),
} as const;
