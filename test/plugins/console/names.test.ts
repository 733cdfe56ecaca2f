import { beforeAll, describe, expect, test, vi } from "vitest";

// the texts read the language of a browser when they are loaded
beforeAll(() => {
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("navigator", { language: "en" });
});

const names = () => import("../../../plugins/console/app/shell/names.ts");

describe("in English", () => {
  test.each([
    ["nsDomainId", "NS domain id"],
    ["isOn", "On"],
    ["quotasJSON", "Quotas"],
    ["restHTTPSJSON", "Rest HTTPS"],
    ["allowedIPs", "Allowed IPs"],
    ["countIPs", "Count IPs"],
    ["isISPs", "ISPs"],
    ["sslCertIds", "SSL cert ids"],
    ["grpcConnectionsPerAddress", "gRPC connections per address"],
    ["cpuUsage", "CPU usage"],
    ["http2Enabled", "HTTP/2 enabled"],
    ["widget_name", "Widget name"],
  ])("the field %s is %s", async (name, expected) => {
    expect((await names()).words(name)).toBe(expected);
  });

  test.each([
    ["httpProxy", "HTTP proxy"],
    ["tcpProxy", "TCP proxy"],
    ["buyTrafficPackage", "buy traffic package"],
    ["oneClick", "one click"],
    ["record_ip", "record IP"],
    ["in ip list", "in IP list"],
    ["gb", "GB"],
    ["https", "HTTPS"],
    ["ipAddr", "IP address"],
    ["avg", "average"],
    ["monthly", "monthly"],
    ["hmac-sha256.", "hmac-sha256."],
    ["Frankfurt", "Frankfurt"],
    ["", ""],
  ])("the value %s is %s", async (value, expected) => {
    expect((await names()).valueText(value)).toBe(expected);
  });

  test("several of a kind have their plural", async () => {
    const { plural } = await names();
    expect(["NSView", "ServerPolicy", "UserAddress", "NSCluster"].map(plural)).toEqual([
      ...["NS views", "Server policies", "User addresses", "Clusters"],
    ]);
  });
});
