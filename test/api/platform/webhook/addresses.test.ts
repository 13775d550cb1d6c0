import { expect, test } from "vitest";
import { emptyAllowList, isDialable, readCidrs } from "../../../../api/platform/webhook/addresses.ts";

const none = emptyAllowList();

test("public addresses are allowed", () => {
  const open = ["1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1"];
  open.push("192.167.1.1", "198.17.255.255", "198.20.0.1", "223.255.255.255", "168.63.129.15");
  open.push("2606:4700:4700::1111", "2a00:1450:4001::1", "2001:4860:4860::8888");
  for (const address of open) expect([address, isDialable(address, none)]).toEqual([address, true]);
});

test.each([
  ["this host and unspecified", ["0.0.0.0", "0.1.2.3", "::"]],
  ["private", ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd12:3456::1"]],
  ["loopback", ["127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1"]],
  ["link-local and metadata", ["169.254.0.1", "169.254.169.254", "fe80::1", "febf::1", "fd00:ec2::254"]],
  ["metadata at other clouds", ["100.100.100.200", "192.0.0.192", "168.63.129.16"]],
  ["carrier-grade NAT", ["100.64.0.1", "100.127.255.255"]],
  ["multicast, broadcast and reserved", ["224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "ff02::1"]],
  [
    "documentation and benchmarks",
    ["192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "2001:db8::1", "3fff::1"],
  ],
  ["IPv4-mapped", ["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8", "::FFFF:10.0.0.1"]],
  ["IPv4-compatible", ["::127.0.0.1", "::7f00:1"]],
  ["NAT64", ["64:ff9b::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1"]],
  ["6to4 and Teredo", ["2002:7f00:1::", "2002:a00:1::1", "2001:0:7f00:1::1", "192.88.99.1"]],
  ["site-local, discard, segment routing", ["fec0::1", "100::1", "5f00::1"]],
  ["with a zone", ["fe80::1%eth0", "2606:4700:4700::1111%1"]],
  ["not an IP address", ["", "localhost", "127.1", "0x7f000001", "2130706433", "[::1]"]],
])("addresses are refused by default: %s", (_name, addresses) => {
  for (const address of addresses) expect([address, isDialable(address, none)]).toEqual([address, false]);
});

test("ERP_WEBHOOK_ALLOW allows the addresses in its ranges, but not their neighbours", () => {
  const allow = readCidrs("10.1.0.0/16, fd00:1::/32,127.0.0.1/32") ?? none;
  for (const address of ["10.1.0.1", "10.1.255.255", "fd00:1::5", "127.0.0.1", "1.1.1.1"])
    expect([address, isDialable(address, allow)]).toEqual([address, true]);
  for (const address of ["10.2.0.1", "fd00:2::1", "127.0.0.2", "::1", "64:ff9b::10.1.0.1"])
    expect([address, isDialable(address, allow)]).toEqual([address, false]);
});

test("a cloud's metadata address is refused in every notation, unless ERP_WEBHOOK_ALLOW names exactly that address", () => {
  const all = readCidrs("0.0.0.0/0,::/0") ?? none;
  for (const address of ["10.0.0.1", "169.254.1.1", "fd00::1", "::1"])
    expect([address, isDialable(address, all)]).toEqual([address, true]);
  const metadata = ["169.254.169.254", "169.254.170.2", "168.63.129.16", "192.0.0.192", "100.100.100.200"];
  const carried = ["::ffff:169.254.169.254", "::ffff:a9fe:a9fe", "::169.254.169.254", "64:ff9b::a9fe:a9fe"];
  carried.push("64:ff9b:1::a9fe:a9fe", "::ffff:0:169.254.169.254");
  for (const address of [...metadata, ...carried, "2002:a9fe:a9fe::1", "fd00:ec2::254", "fd20:ce::254"])
    expect([address, isDialable(address, all)]).toEqual([address, false]);
  const named = readCidrs("169.254.0.0/16,169.254.169.254/32,fd00:ec2::254/128") ?? none;
  for (const address of ["169.254.169.254", "fd00:ec2::254"])
    expect([address, isDialable(address, named)]).toEqual([address, true]);
  expect(isDialable("169.254.170.2", named)).toBe(false);
});

test("a list with an invalid range is refused", () => {
  for (const text of ["0.0.0.0/0", "::/0", "10.0.0.1/32", "fe80::/10"]) expect(readCidrs(text)).toBeDefined();
  const wrong = [
    "",
    "10.0.0.0",
    "10.0.0.0/33",
    "::/129",
    "10.0.0/8",
    "10.0.0.0/08",
    "10.0.0.0/-1",
    "a/8",
    "10.0.0.0/8,",
  ];
  for (const text of [...wrong, "fe80::%1/10", "10.0.0.0/8;11.0.0.0/8", "0x0a.0.0.0/8"])
    expect([text, readCidrs(text)]).toEqual([text, undefined]);
});
