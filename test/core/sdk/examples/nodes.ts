import { deepEqual, equal } from "node:assert/strict";
import { deployPackages, latestPackage, versionCode } from "edgehelm/nodes";

const packages = deployPackages("edge-dns", ["edge-dns-linux-amd64-v1.9.0.zip", "edge-dns-linux-amd64-v1.10.0.zip"]);
equal(latestPackage(packages)?.version, "1.10.0");
equal(versionCode("1.9.0") < versionCode("1.10.0"), true);
deepEqual(deployPackages("edge-dns", ["notes.txt"]), []);
