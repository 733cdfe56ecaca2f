export const HOST = "host: edgehelm.test\r\n";
export const POST = `POST /one HTTP/1.1\r\n${HOST}content-length: 5\r\n\r\nhello`;
export const CHUNKED =
  `POST /two HTTP/1.1\r\n${HOST}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2;x\r\nde\r\n0\r\nt: r\r\n\r\n`;
export const GET = `GET /three?x HTTP/1.1\r\n${HOST}\r\n`;
