/**
 * Returns true if a client takes a content coding.
 *
 * @param accepted the header Accept-Encoding (RFC 9110, section 12.5.3)
 * @param coding the name of the coding, such as `gzip`
 */
export function acceptsEncoding(accepted: string, coding: string): boolean {
  return accepted.split(",").some((item) => {
    const [name, ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
