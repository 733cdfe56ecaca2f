/** The values that texts of requests may have, where their words alone are not what people say. */
export const VALUES_EN: Readonly<Record<string, string>> = {
  avg: "average",
  b: "B",
  buyNSPlan: "buy DNS plan",
  get_302: "redirect with GET (302)",
  httpWeb: "HTTP website",
  ipAddr: "IP address",
  js_cookie: "JavaScript cookie",
  post_307: "redirect with POST (307)",
  secondly: "every second",
  timeBar: "bar chart over time",
  timeLine: "line chart over time",
};
