import type { NSRouteSummary } from "./contract.ts";
import { REGIONS } from "./regions.ts";

// Records and clients store these codes; misspelled ones (heibei, china:jilin, world:UAR) are in use and must stay.
const PROVINCES = `
beijing Beijing, tianjin Tianjin, heibei Hebei, shanxi Shanxi, neimenggu Inner Mongolia, liaoning Liaoning,
jilin Jilin, heilongjiang Heilongjiang, shanghai Shanghai, jiangsu Jiangsu, zhejiang Zhejiang, anhui Anhui,
fujian Fujian, jiangxi Jiangxi, shandong Shandong, henan Henan, hubei Hubei, hunan Hunan, guangdong Guangdong,
guangxi Guangxi, hainan Hainan, chongqing Chongqing, sichuan Sichuan, guizhou Guizhou, yunnan Yunnan, xizang Tibet,
shaanxi Shaanxi, gansu Gansu, qinghai Qinghai, ningxia Ningxia, xinjiang Xinjiang, hk Hong Kong, mo Macao, tw Taiwan`;
const CARRIERS = `
china_telecom China Telecom, china_unicom China Unicom, china_mobile China Mobile, china_drpeng Dr. Peng,
china_edu CERNET, china_gehua Gehua, china_tietong China Tietong, alibaba Alibaba, amazon Amazon, google Google,
microsoft Microsoft, tencent Tencent, aliyun Alibaba Cloud`;
const CRAWLERS = `baidu Baidu, google Google, bing Bing, sogou Sogou, so 360 Search, sm Shenma, yandex Yandex,
yahoo Yahoo, duckduckgo DuckDuckGo, bytedance ByteDance`;

const IRREGULAR_CODES: Readonly<Record<string, string>> = {
  "china:province:jilin": "china:jilin",
  "world:AE": "world:UAR",
};

/** The route of records without routes. */
export const DEFAULT_ROUTE: NSRouteSummary = { id: 0n, name: "Default", code: "default" };

export const WORLD_ROUTES: readonly NSRouteSummary[] = REGIONS.map(([code, name]) => route("world:", code, name));
export const PROVINCE_ROUTES: readonly NSRouteSummary[] = routes("china:province:", PROVINCES);
export const CARRIER_ROUTES: readonly NSRouteSummary[] = routes("isp:", CARRIERS);
export const CRAWLER_ROUTES: readonly NSRouteSummary[] = routes("agent:", CRAWLERS);

const allRoutes = [DEFAULT_ROUTE, ...WORLD_ROUTES, ...PROVINCE_ROUTES, ...CARRIER_ROUTES, ...CRAWLER_ROUTES];
const byCode: ReadonlyMap<string, NSRouteSummary> = new Map(allRoutes.map((summary) => [summary.code, summary]));

/** Returns the built-in route with the code. */
export function builtInRoute(code: string): NSRouteSummary | undefined {
  return byCode.get(code);
}

function routes(prefix: string, list: string): NSRouteSummary[] {
  return list.trim().split(/,\s/).map((item) => {
    const [code = "", ...words] = item.split(" ");
    return route(prefix, code, words.join(" "));
  });
}

function route(prefix: string, code: string, name: string): NSRouteSummary {
  return { id: 0n, name, code: IRREGULAR_CODES[prefix + code] ?? prefix + code };
}
