/** Log lines of nginx and Apache, and malformed ones. */
export const COMBINED = `\
127.0.0.1 - frank [10/Mar/2025:04:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326 "http://www.example.com/start.html" "Mozilla/4.08 [en] (Win98; I)"
2001:db8::7 - - [10/Mar/2025:12:00:00 +0000] "GET /search?q=\\"a\\" HTTP/2.0" 304 0 "-" "Mozilla/5.0"
blog.shop.test:8443 10.0.0.2 - - [10/Mar/2025:12:00:01 +0000] "GET /\\xc3\\xbcbersicht HTTP/1.1" 404 153 "-" "-"
10.0.0.3 - - [10/Mar/2025:12:00:02 +0000] "\\x16\\x03\\x01\\x00" 400 157 "-" "-"
10.0.0.4 - - [10/Mar/2025:12:00:03 +0000] "GET /twice HTTP/1.1" 200 1 "-" "-"
10.0.0.4 - - [10/Mar/2025:12:00:03 +0000] "GET /twice HTTP/1.1" 200 1 "-" "-"
10.0.0.5 - - [10/Mar/2025:12:00:04 +0000] "HEAD /common HTTP/1.1" 200 -
this is no line of a log
10.0.0.6 - - [32/Mar/2025:12:00:04 +0000] "GET / HTTP/1.1" 200 5 "-" "-"
10.0.0.6 - - [10/Mar/2025:12:00:05 +0000] "GET /half

10.0.0.7 - - [10/Mar/2025:12:00:06 +0000] "GET http://proxied.test/p?x=1 HTTP/1.1" 200 5 "-" "-"\r
10.0.0.8 - - [10/Mar/2025:12:00:07 +0000] "GET /last HTTP/1.1" 200 5 "-" "agent" "10.1.1.1" rt=0.01`;

/** Log lines of Caddy, and malformed ones. */
export const CADDY = [
  '{"level":"info","ts":1741604401.5241024,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"10.0.0.1","remote_port":"41342","client_ip":"203.0.113.9","proto":"HTTP/2.0","method":"GET","host":"shop.test","uri":"/a?b=1","headers":{"User-Agent":["curl/7.82.0"],"Accept":["*/*"]},"tls":{"resumed":false,"version":772}},"bytes_read":0,"user_id":"","duration":0.000929675,"size":10900,"status":200,"resp_headers":{"Content-Type":["text/html"]}}',
  '{"level":"info","ts":1741604402,"request":{"remote_addr":"[::1]:5000","proto":"HTTP/1.1","method":"GET","host":"shop.test","uri":"/old","headers":{}},"duration":"12ms","size":1,"status":200}',
  '{"level":"info","ts":"2025-03-10T11:00:00Z","request":{"remote_ip":"10.0.0.1","uri":"/iso","method":"GET","host":"shop.test"},"size":1,"status":200}',
  '{"level":"info","ts":1741604402,"msg":"server running"}',
  '{"level":"info","ts":17416',
  '{"level":"info","ts":1741604403,"request":{"uri":"/\\u0000","method":"GET"},"status":200}',
].join("\n");
