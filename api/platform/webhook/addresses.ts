import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

/**
 * IPv4 ranges that aren't public: IANA's special-purpose addresses (RFC 6890), multicast, the reserved 240/4, and
 * Azure's metadata service, which has a public address.
 */
const SPECIAL4 = blockList("ipv4", [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32"],
]);
/**
 * IPv6 is public in 2000::/3 only; so loopback, fc00::/7, fe80::/10, multicast, mapped, compatible and NAT64 are not.
 */
const GLOBAL6 = blockList("ipv6", ["2000::/3"]);
/**
 * Exceptions within it: IETF protocol assignments with Teredo, documentation, and 6to4, which embeds any IPv4 address.
 */
const SPECIAL6 = blockList("ipv6", ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

/** Metadata services that give credentials to any client inside a cloud: AWS, Google, Azure, Oracle, Alibaba. */
const METADATA4 = [
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "168.63.129.16",
  "192.0.0.192",
  "100.100.100.200",
];
const METADATA6 = ["fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fd00:c1::a9fe:a9fe"];
const METADATA = blockList(
  "ipv4",
  METADATA4.map((address) => `${address}/32`),
);
for (const address of METADATA6) METADATA.addAddress(address, "ipv6");
// The same IPv4 addresses embedded in IPv6: compatible, translated (RFC 7915), NAT64 (RFC 6052, 8215) and 6to4. A
// BlockList handles mapped ones itself.
for (const address of METADATA4) {
  for (const prefix of ["::", "::ffff:0:", "64:ff9b::", "64:ff9b:1::"])
    METADATA.addAddress(`${prefix}${address}`, "ipv6");
  METADATA.addSubnet(sixToFour(address), 48, "ipv6");
}

/** The ranges in ERP_WEBHOOK_ALLOW. */
export interface AllowList {
  ranges: BlockList;
  /** Ranges of a single address. */
  exact: BlockList;
}

export const emptyAllowList = (): AllowList => ({ ranges: new BlockList(), exact: new BlockList() });

/**
 * Whether requests may go to an IP address, given as text: if it's public or in `allow`, which must name a cloud's
 * metadata service exactly. False for anything that isn't an address, or has a zone and so is link-local.
 */
export function isDialable(address: string, { ranges: allow, exact }: AllowList): boolean {
  const family = isIPv4(address) ? "ipv4" : "ipv6";
  if (isIP(address) && !address.includes("%") && METADATA.check(address, family)) return exact.check(address, family);
  if (isIPv4(address)) return allow.check(address, "ipv4") || !SPECIAL4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  if (allow.check(address, "ipv6")) return true;
  return GLOBAL6.check(address, "ipv6") && !SPECIAL6.check(address, "ipv6");
}

/** Parses `10.0.0.0/8,fd00::/8`; undefined if a part isn't a CIDR range. */
export function readCidrs(text: string): AllowList | undefined {
  const list = emptyAllowList();
  for (const cidr of text.split(",").map((part) => part.trim())) {
    const [, address = "", digits = ""] = /^([^/]+)\/(0|[1-9][0-9]{0,2})$/.exec(cidr) ?? [];
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    if (family === "ipv6" && (!isIPv6(address) || address.includes("%"))) return undefined;
    const most = family === "ipv4" ? 32 : 128;
    if (Number(digits) > most) return undefined;
    list.ranges.addSubnet(address, Number(digits), family);
    if (Number(digits) === most) list.exact.addAddress(address, family);
  }
  return list;
}

function blockList(family: "ipv4" | "ipv6", cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", prefix] = cidr.split("/");
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** The 6to4 network of an IPv4 address (RFC 3056 §2). */
function sixToFour(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return `2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`;
}
